/**
 * `npm run eval`: measures missing series of the evaluation, then computes its results and pages from all stored ones.
 */
import { join, relative } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { reportError, reportUncaught } from '../src/cli/report-error.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { withInterrupt } from '../src/process/interrupt.ts';
import { EXIT } from '../src/types/errors.ts';
import { collect } from './collect/collect.ts';
import { writeResults } from './write-results.ts';

const FOLDER = join(TOOL_ROOT, 'docs', 'evaluation');
const AFTER = `
Without --collect or --replay both are done, one after the other.

Collecting measures every series of the agenda (evaluation/collect/agenda.ts) that is not in the data folder yet,
which takes hours: leave the machine alone meanwhile. Ctrl-C, a crash or a lost machine costs the round in progress,
of a live series the whole run; the next call goes on after the last finished one.
Series are kept as NAME.ndjson.gz, begun ones as NAME.journal.ndjson.

Replaying reads every finished series, needs no measurement and gives the same files every time:
  results.json  every number
  README.md     the tables, for reading on GitHub
  index.html    the charts, in one self-contained page
Files that cannot be read are left out, and named here and on the page.

Examples:
  $ npm run eval -- --collect --minutes 60        measure for an hour
  $ npm run eval -- --collect --only designs      only series whose name contains "designs"
  $ npm run eval -- --replay                      compute everything again from what is stored

Exit codes:
  0  done, or out of the minutes it was given
  2  bad usage
  3  something failed, or there is no series to compute from
  130  interrupted; finished rounds are kept, of live series only whole runs
`;

interface Flags {
	readonly collect?: true;
	readonly replay?: true;
	readonly minutes?: number;
	readonly only?: string;
	readonly data: string;
	readonly out: string;
}

const program = new Command('npm run eval --')
	.description(
		'Prove the gate: measure servers with known and unknown differences, and replay every rule on the rounds.',
	)
	.option('--collect', 'only measure what is missing')
	.option('--replay', 'only compute results and pages from stored series')
	.option(
		'--minutes <number>',
		'begin no round later than so many minutes from now; a live run goes on to its end',
		readMinutes,
	)
	.option('--only <text>', 'measure only series whose name contains the text; all are replayed')
	.addOption(folderOption('--data <folder>', 'where series are kept', join(FOLDER, 'data')))
	.addOption(folderOption('--out <folder>', 'where results and pages are written', FOLDER))
	.addHelpText('after', AFTER)
	.showHelpAfterError('(npm run eval -- --help lists the options)')
	.allowExcessArguments(false)
	.exitOverride();

/** Help shows the default relative to the repository. */
function folderOption(flags: string, description: string, folder: string): Option {
	return new Option(flags, description).default(folder, relative(TOOL_ROOT, folder));
}

function readMinutes(text: string): number {
	const minutes = Number(text);
	if (!(minutes > 0)) throw new InvalidArgumentError('It must be a number of minutes above 0.');
	return minutes;
}

function say(text: string): void {
	process.stderr.write(`${text}\n`);
}

async function run(flags: Flags): Promise<number> {
	const both = flags.collect === flags.replay;
	if (both || flags.collect) {
		const code = await runCollect(flags);
		if (code === EXIT.interrupted || !both) return code;
		await writeResults({ data: flags.data, out: flags.out, say });
		return code;
	}
	await writeResults({ data: flags.data, out: flags.out, say });
	return EXIT.passed;
}

/** Returns the exit code of the measurements. */
async function runCollect({ data, only = '', minutes = Number.POSITIVE_INFINITY }: Flags): Promise<number> {
	return withInterrupt({ step: say, status() {} }, async (signal) => {
		const { finished, begun, failed, missing } = await collect({ folder: data, only, minutes, signal, say });
		if (begun) {
			const { id, rounds } = begun;
			const kept = `${rounds} round${rounds === 1 ? ' is' : 's are'} kept`;
			say(
				rounds === 0
					? `${id}: nothing is kept; the same command begins it anew`
					: `${id}: ${kept}; the same command goes on after ${rounds === 1 ? 'it' : 'them'}`,
			);
		}
		const failures =
			failed.length > 0 ? `, ${failed.length} of them failed: ${failed.map(({ id }) => id).join(', ')}` : '';
		say(`${finished.length} series finished, ${missing} missing${failures}, in ${data}`);
		if (signal.aborted) return EXIT.interrupted;
		return failed.length > 0 ? EXIT.nothingMeasured : EXIT.passed;
	});
}

reportUncaught();
try {
	await program.parseAsync();
	process.exitCode = await run(program.opts<Flags>());
} catch (error) {
	const code = (error as { code?: string }).code;
	// Commander has printed help or usage error already.
	if (code?.startsWith('commander.'))
		process.exitCode = (error as { exitCode: number }).exitCode === 0 ? EXIT.passed : EXIT.usage;
	else process.exitCode = reportError(error, process.stderr);
}
