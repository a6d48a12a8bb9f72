import { readRequest } from '../config/load-request.ts';
import { flagOf, type OptionTexts } from '../config/option-names.ts';
import { withBothRevisions } from '../config/options/both-revisions.ts';
import { OPTIONS } from '../config/options.ts';
import { flagsError } from '../config/read-flags.ts';
import { acceptRedRows } from '../judge/acceptance/accept.ts';
import { exitCode } from '../judge/gate.ts';
import { summarise } from '../judge/summarise.ts';
import { checkOutputs } from '../output/write-outputs.ts';
import { FLAG_FORMATS } from '../report/formats.ts';
import { runComparison } from '../runs/run-comparison.ts';
import { EXIT } from '../types/errors.ts';
import type { Acceptance } from '../types/verdict.ts';
import { readLocalPlace } from './baseline/open-local-store.ts';
import { tellBaselines } from './baseline/tell-baselines.ts';
import { keepPartial } from './keep-partial.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { runShardCommand } from './shards/shard-command.ts';
import { type ReportFlags, writeReports } from './write-reports.ts';

/** Flags of `benchgate compare` as the command line gives them. */
export interface CompareFlags extends OptionTexts, ReportFlags, MeasuringFlags {
	/** Where baselines of the main branch are. */
	readonly store: string;
	/** Skip servers that read nothing that differs, and everything when both sides are the same code. */
	readonly skipUnchanged?: boolean;
}

/** Runs a comparison, or one shard of a plan, prints the report, writes the files asked for, and returns the exit code. */
export async function runCompareCommand(given: CompareFlags): Promise<number> {
	if (given.plan !== undefined) return runShardCommand(given);
	refuseAlone(given);
	const flags = withBothRevisions(given);
	const cwd = process.cwd();
	checkOutputs(flags, FLAG_FORMATS);
	readLocalPlace(flags.store);
	const { config, reproduce, harnessFrom } = await readRequest(cwd, flags);
	const accepted = acceptedBy(flags);
	return measureAndReport(
		flags,
		async (tools) => {
			const measured = await runComparison({
				...tools,
				config,
				revisions: { base: flags.base, head: flags.head },
				cwd,
				reproduce,
				harnessFrom,
				keep: (partial) => keepPartial(partial, flags.raw, tools),
				skipUnchanged: flags.skipUnchanged === true,
			});
			if ('unchanged' in measured) return null;
			return tellBaselines(measured, { cwd, store: flags.store, gate: config.gate }, tools);
		},
		async (raw, { guardDirectory }) => {
			if (raw === null) return sayUnchanged('so nothing was measured');
			const result = acceptRedRows(summarise(raw), accepted);
			await writeReports(raw, result, flags, guardDirectory);
			return raw.ended === 'interrupted' ? EXIT.interrupted : exitCode(result.gate, config.gate.onInconclusive);
		},
	);
}

/** Says that both sides are the same code, and what that means; returns the exit code of a run with nothing to find. */
export function sayUnchanged(so: string): number {
	process.stdout.write(`Both sides are the same code, ${so}.\n`);
	return EXIT.passed;
}

/** What says something about a plan alone. */
function refuseAlone(flags: CompareFlags): void {
	const said = (['shard', 'attempt'] as const).filter((name) => flags[name] !== undefined);
	if (said.length > 0) throw flagsError(said.map((name) => `${flagOf(name)}: only with --plan`));
}

/** Returns what the command line lets pass; who typed it needs nobody's leave. Its form was checked with all other flags. */
export function acceptedBy({ accept = '' }: Pick<OptionTexts, 'accept'>): readonly Acceptance[] {
	const rows = OPTIONS.accept.kind.parse(accept.trim());
	return rows ? [{ by: '--accept', via: 'flag', reason: null, rows }] : [];
}
