import { join } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import { remarksOf } from '../config/catalogue.ts';
import { type LoadedMeasure, readRanking } from '../config/load-request.ts';
import { flagOf, type OptionName, type OptionTexts, optionsOf } from '../config/option-names.ts';
import { plannedVersions } from '../config/ranking/planned-versions.ts';
import { findPreset } from '../config/ranking/presets.ts';
import { entriesOf, readEntry, wrapEntries } from '../config/ranking/runtime-entries.ts';
import { comparedTexts } from '../config/ranking/with-preset.ts';
import { flagsError, readFlags, readSome } from '../config/read-flags.ts';
import { didYouMean } from '../config/suggest.ts';
import { findNode } from '../measure/find-node.ts';
import { nodeVersion } from '../measure/machine.ts';
import { checkOutputs, writeOutputs } from '../output/write-files.ts';
import { timingOfMeasure } from '../plan/ranking-pairs.ts';
import type { OwnPart } from '../plan/shards/divide-ranking.ts';
import { joinRuns, type RankingRun } from '../rank/gather-ranking.ts';
import type { RunningVersions } from '../rank/preset-notes.ts';
import { dataOf } from '../rank/read-log.ts';
import { type MeasureAsked, rankingExitCode, summariseRanking } from '../rank/summarise-ranking.ts';
import { toTerminal } from '../report/document/terminal-writer.ts';
import { MEASURE_FORMAT_NAMES, MEASURE_FORMATS, type RankingFormat } from '../report/formats.ts';
import { divisionDocument } from '../report/plan-document.ts';
import { rankingDocument } from '../report/ranking/ranking-document.ts';
import { MEASURE_RENDERERS } from '../report/render-formats.ts';
import { planRanking } from '../runs/plan-shards.ts';
import { readMeasureLog } from '../runs/ranking/ranking-store.ts';
import { runRanking } from '../runs/ranking/run-ranking.ts';
import { EXIT, UserError } from '../types/errors.ts';
import type { RankedServer, RankingData, RankingResult } from '../types/ranking/ranking.ts';
import type { Janitor } from '../types/run-services.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { describeDryRun } from './ranking-dry-run.ts';
import { printReport } from './write-reports.ts';

interface AskedShards {
	/** If null, benchgate chooses a worthwhile number. */
	readonly count: number | null;
	/** From 1; null for a dry run. */
	readonly shard: number | null;
}

interface ShardsFlags extends Pick<OptionTexts, 'shards' | 'shard' | 'preset'> {
	readonly out?: string;
	readonly merge?: string;
	readonly dryRun?: boolean;
}

/** These affect only the report, so merged runs accept them. */
const AFTERWARDS: readonly OptionName[] = ['highlight', 'wraps', 'percentOf'];

export interface RankingFlags extends OptionTexts, MeasuringFlags, Readonly<Partial<Record<RankingFormat, string>>> {
	readonly out?: string;
	/** Folders separated by commas. If set, nothing is measured. */
	readonly merge?: string;
	readonly format?: RankingFormat | 'terminal';
	readonly dryRun?: boolean;
}

export async function runRankingCommand(flags: RankingFlags): Promise<number> {
	checkOutputs(flags, MEASURE_FORMAT_NAMES);
	const shardFlags = readShards(flags);
	if (flags.merge !== undefined) return mergeRuns(flags.merge, flags);
	const cwd = process.cwd();
	const request = await readRanking(cwd, wholeOf(await withKnownSeed(flags)));
	const timing = timingOfMeasure({ ...request, isAlone: request.preset !== null });
	const ranking = shardFlags && planRanking(request, timing, shardFlags.count);
	if (flags.dryRun === true) {
		process.stdout.write(`${describeDryRun(request, versionsOf(request, flags))}\n`);
		if (ranking !== null) {
			const division = divisionDocument(ranking, request.config.budgetSeconds);
			printReport((style) => `\n${toTerminal(division, style)}`);
		}
		return EXIT.passed;
	}
	const part = ranking && shardFlags?.shard ? ranking.partOf(shardFlags.shard) : null;
	return measureAndReport(
		flags,
		(tools) =>
			runRanking({
				...tools,
				...request,
				...(part && { reproduce: repeatShard(request.reproduce, part) }),
				cwd,
				timing,
				part,
				out: flags.out ?? null,
				missing: request.missing.map(describeMissing),
				factsOf: (server) => factsOf(request, server),
			}),
		(data, janitor) => report(summariseRanking(data, request), flags, janitor),
	);
}

/** Returns the versions, to compare with a preset's page. */
function versionsOf({ config, catalogue, preset }: LoadedMeasure, flags: RankingFlags): RunningVersions {
	if (preset === null) return { servers: [], environment: { node: '' } };
	const node = nodeVersion(findNode(flags.node));
	const servers = plannedVersions(config, catalogue, (range) => satisfies(node, range));
	return { servers, environment: { node } };
}

async function mergeRuns(folders: string, flags: RankingFlags): Promise<number> {
	checkMergeFlags(flags);
	const names = folders.split(',').map((name) => name.trim());
	return reportRuns(await Promise.all(names.map((name) => readRun(name, `--merge ${name}`))), flags);
}

export async function reportRuns(runs: readonly RankingRun[], flags: RankingFlags): Promise<number> {
	const [first, ...others] = runs;
	if (first === undefined) throw new Error('there is always a run');
	const data = joinRuns([first, ...others]);
	return report(summariseRanking(data, askedOf(flags, data)), flags);
}

/** Reads a folder's run, which messages call `where`. Throws a UserError if there is none. */
export async function readRun(folder: string, where: string): Promise<RankingRun> {
	const log = await readMeasureLog(folder);
	if (log !== null) return { name: folder, data: dataOf(log) };
	throw new UserError({
		code: 'no-run',
		where,
		message: 'no measurements are kept there',
		remedy: 'name folders that `benchgate measure --out FOLDER` has written',
	});
}

/** Every shard reads the whole ranking, to divide the same request. */
function wholeOf({ shards: _shards, shard: _shard, ...flags }: RankingFlags): RankingFlags {
	return flags;
}

function repeatShard(whole: string, { stamp: { shard, servers } }: OwnPart): string {
	return `${whole} --shards ${servers.length} --shard ${shard}`;
}

type Files = Readonly<Partial<Record<RankingFormat, string>>>;

async function report(result: RankingResult, flags: RankingFlags, janitor?: Janitor): Promise<number> {
	const { format = 'terminal' } = flags;
	if (format === 'terminal') printReport((style) => toTerminal(rankingDocument(result), style));
	else process.stdout.write(MEASURE_RENDERERS[format](result));
	await writeOutputs(filesOf(flags), MEASURE_RENDERERS, result, janitor?.guardDirectory);
	return rankingExitCode(result);
}

/** Returns the files that flags name, and in a run's folder all reports. */
function filesOf({ out, merge, ...flags }: RankingFlags): Files {
	const kept = merge === undefined ? out : undefined;
	return Object.fromEntries(
		MEASURE_FORMAT_NAMES.flatMap((name) => {
			const path = flags[name] ?? (kept === undefined ? undefined : join(kept, MEASURE_FORMATS[name].file));
			return path === undefined ? [] : [[name, path]];
		}),
	);
}

/** Reuses the stored seed, so that the same command continues the run. */
async function withKnownSeed(flags: RankingFlags): Promise<RankingFlags> {
	if (flags.out === undefined || flags.seed !== undefined) return flags;
	const log = await readMeasureLog(flags.out);
	return log === null ? flags : { ...flags, seed: String(log.header.seed) };
}

/** Only flags count: servers of merged runs are unknown beforehand. */
function askedOf(flags: RankingFlags, { servers, setup }: RankingData): MeasureAsked {
	const names = servers.map(({ name }) => name);
	checkMergeNames(flags, names);
	const preset = findPreset(setup.preset);
	const bare = names.map((name) => readEntry(name).server);
	const { highlight, wraps, percentOf } = preset === null ? flags : { ...comparedTexts(preset, bare), ...flags };
	const pairs = wraps?.split(',').map((item) => item.split('=').map((name) => name.trim())) ?? [];
	const named = pairs.flatMap(([wrapper, host]) => (wrapper && host ? [[wrapper, host] as const] : []));
	return {
		highlight: highlight && entriesOf(names, highlight)[0],
		percentOf: percentOf?.split(',').flatMap((name) => entriesOf(names, name.trim())),
		wraps: wrapEntries(names, Object.fromEntries(named)),
	};
}

function describeMissing(name: string): RankedServer {
	const reason = 'this benchgate does not have it';
	return { name, description: 'of the preset', state: 'unsupported', reason, versions: {}, direct: [] };
}

function factsOf({ catalogue, config }: LoadedMeasure, server: string) {
	const catalogueServer = catalogue.servers.find(({ name }) => name === server);
	const { description = '', dependencies: direct = [], runtime, inProcess } = catalogueServer ?? {};
	const remarks = catalogueServer && remarksOf(catalogueServer, catalogue, config.packages);
	return { description, direct, runtime, inProcess, remarks };
}

/** Throws a UserError that lists flags without effect on a merge. */
export function checkMergeFlags(flags: OptionTexts & { readonly out?: string | undefined }): void {
	const names = optionsOf('measure').map(([name]) => name);
	const measureFlags = names.filter((name) => (flags[name]?.trim() ?? '') !== '' && !AFTERWARDS.includes(name));
	const complaints = [
		...measureFlags.map((name) => `${flagOf(name)}: not with --merge; nothing is measured`),
		...(flags.out === undefined ? [] : ['--out: not with --merge; name the files you want, as with --html FILE']),
	];
	if (complaints.length > 0) throw flagsError(complaints);
}

/** Throws a UserError for names in `AFTERWARDS` flags that no run has. */
export function checkMergeNames(flags: OptionTexts, servers: readonly string[]): void {
	const complaints: string[] = [];
	const {
		highlight,
		wraps = {},
		percentOf = [],
	} = readFlags(flags, (flag, message) => {
		if (AFTERWARDS.includes(flag)) complaints.push(`${flagOf(flag)} ${flags[flag]}: ${message}`);
	});
	const check = (flag: OptionName, name: string): void => {
		if (entriesOf(servers, name).length > 0) return;
		complaints.push(`${flagOf(flag)} ${name}: it is not among the servers${didYouMean(name, servers)}`);
	};
	if (highlight !== undefined) check('highlight', highlight);
	for (const name of Object.entries(wraps).flat()) check('wraps', name);
	for (const name of percentOf) check('percentOf', name);
	if (complaints.length > 0) throw flagsError(complaints);
}

/** Throws a UserError that lists unusable flags. */
export function readShards(flags: ShardsFlags): AskedShards | null {
	const { shards, shard, preset, out, merge, dryRun = false } = flags;
	if (shards === undefined && shard === undefined) return null;
	const complaints: string[] = [];
	const values = readSome(flags, ['shards', 'shard'], complaints);
	const complain = (when: boolean, what: string) => void (when && complaints.push(what));
	complain(shards === undefined, '--shard: needs --shards NUMBER, how many there are');
	complain(shard === undefined && !dryRun, '--shards: needs --shard NUMBER, which of them to measure, or --dry-run');
	complain(
		shard !== undefined && !dryRun && out === undefined,
		'--shard: needs --out FOLDER, where gather finds what was measured',
	);
	complain(preset !== undefined, '--preset: not with --shards; its ranking is by figures of one machine');
	complain(merge !== undefined, '--merge: not with --shards; nothing is measured');
	if (complaints.length > 0) throw flagsError(complaints);
	return { count: values.shards ?? null, shard: values.shard ?? null };
}
