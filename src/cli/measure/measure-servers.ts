import { join } from 'node:path';
import { type LoadedMeasure, readMeasure } from '../../config/load-request.ts';
import type { OptionTexts } from '../../config/option-names.ts';
import { checkOutputs, writeOutputs } from '../../output/write-outputs.ts';
import { timingOfMeasure } from '../../plan/measure/plan-pairs.ts';
import { measureExitCode } from '../../rank/measure-exit-code.ts';
import { dataOf, mergeData } from '../../rank/read-log.ts';
import { type MeasureAsked, summariseMeasure } from '../../rank/summarise-measure.ts';
import { MEASURE_FORMAT_NAMES, MEASURE_FORMATS, type MeasureFormat } from '../../report/formats.ts';
import { renderMeasure } from '../../report/measure/measure-terminal.ts';
import { MEASURE_RENDERERS } from '../../report/render-formats.ts';
import { readMeasureLog } from '../../runs/measure/measure-store.ts';
import { runMeasure } from '../../runs/measure/run-measure.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { MeasureData, MeasuredServer, MeasureResult } from '../../types/measure.ts';
import type { Janitor } from '../../types/run-services.ts';
import { type MeasuringFlags, measureAndReport } from '../measuring.ts';
import { printReport } from '../print-report.ts';
import { describeDryRun } from './dry-run.ts';

/** Flags of `benchgate measure` as the command line gives them. */
export interface RankingFlags extends OptionTexts, MeasuringFlags, Readonly<Partial<Record<MeasureFormat, string>>> {
	/** Folder that measurements and reports are kept in. */
	readonly out?: string;
	/** Folders of earlier runs, separated by commas: nothing is measured. */
	readonly merge?: string;
	/** Only say what would be done and how long it would take. */
	readonly dryRun?: boolean;
}

/** Ranks servers, prints the report, writes the files asked for, and returns the exit code. */
export async function runMeasureServers(flags: RankingFlags): Promise<number> {
	const files = filesOf(flags);
	checkOutputs(flags, MEASURE_FORMAT_NAMES);
	if (flags.merge !== undefined) return mergeRuns(flags.merge, flags, files);
	const cwd = process.cwd();
	const request = await readMeasure(cwd, await withKnownSeed(flags));
	if (flags.dryRun === true) {
		process.stdout.write(`${describeDryRun(request)}\n`);
		return EXIT.passed;
	}
	return measureAndReport(
		flags,
		(tools) =>
			runMeasure({
				...tools,
				...request,
				cwd,
				timing: timingOfMeasure({ ...request, isAlone: request.preset !== null }),
				out: flags.out ?? null,
				missing: request.missing.map(describeMissing),
				factsOf: (server) => factsOf(request, server),
			}),
		(data, janitor) => report(summariseMeasure(data, request), files, janitor),
	);
}

/** Puts runs together and reports them as one. */
async function mergeRuns(folders: string, flags: RankingFlags, files: Files): Promise<number> {
	const names = folders.split(',').map((name) => name.trim());
	const parts = await Promise.all(names.map(readRun));
	const [first, ...others] = parts;
	if (first === undefined) throw new Error('there is always a name');
	return report(summariseMeasure(mergeData([first, ...others], names), askedOf(flags)), files);
}

async function readRun(folder: string): Promise<MeasureData> {
	const log = await readMeasureLog(folder);
	if (log !== null) return dataOf(log);
	throw new UserError({
		code: 'no-run',
		where: `--merge ${folder}`,
		message: 'no measurements are kept there',
		remedy: 'name folders that `benchgate measure --out FOLDER` has written',
	});
}

type Files = Readonly<Partial<Record<MeasureFormat, string>>>;

async function report(result: MeasureResult, files: Files, janitor?: Janitor): Promise<number> {
	printReport((style) => renderMeasure(result, style));
	await writeOutputs(files, MEASURE_RENDERERS, result, janitor?.guardDirectory);
	return measureExitCode(result);
}

/** What a flag names, and in the folder of a run all reports. */
function filesOf({ out, merge, ...flags }: RankingFlags): Files {
	const kept = merge === undefined ? out : undefined;
	return Object.fromEntries(
		MEASURE_FORMAT_NAMES.flatMap((name) => {
			const path = flags[name] ?? (kept === undefined ? undefined : join(kept, MEASURE_FORMATS[name].file));
			return path === undefined ? [] : [[name, path]];
		}),
	);
}

/** The same command goes on where it was: with the seed it began with. */
async function withKnownSeed(flags: RankingFlags): Promise<RankingFlags> {
	if (flags.out === undefined || flags.seed !== undefined) return flags;
	const log = await readMeasureLog(flags.out);
	return log === null ? flags : { ...flags, seed: String(log.header.seed) };
}

/** Of runs put together only what the flags say: the servers are not known before. */
function askedOf({ highlight, wraps }: RankingFlags): MeasureAsked {
	const pairs = wraps?.split(',').map((item) => item.split('=')) ?? [];
	return {
		highlight,
		wraps: Object.fromEntries(pairs.flatMap(([wrapper, host]) => (wrapper && host ? [[wrapper, host]] : []))),
	};
}

/** Servers of a page that benchgate does not have are in its report all the same. */
function describeMissing(name: string): MeasuredServer {
	const reason = 'this benchgate does not have it';
	return { name, description: 'of the preset', state: 'unsupported', reason, versions: {}, direct: [] };
}

function factsOf({ catalogue }: LoadedMeasure, server: string) {
	const known = catalogue.servers.find(({ name }) => name === server);
	return { description: known?.description ?? '', direct: known?.dependencies ?? [] };
}
