import { join } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import { remarksOf } from '../config/catalogue.ts';
import { type LoadedMeasure, readRanking } from '../config/load-request.ts';
import { flagOf, type OptionName, type OptionTexts, optionsOf } from '../config/option-names.ts';
import { plannedVersions } from '../config/ranking/planned-versions.ts';
import { findPreset } from '../config/ranking/presets.ts';
import type { RankingRequest } from '../config/ranking/resolve-ranking.ts';
import { entriesOf, readEntry, wrapEntries } from '../config/ranking/runtime-entries.ts';
import { comparedTexts } from '../config/ranking/with-preset.ts';
import { flagsError, readFlags, readSome } from '../config/read-flags.ts';
import { didYouMean } from '../config/suggest.ts';
import { findNode, nodeVersion } from '../measure/machine.ts';
import { checkOutputs, writeOutputs } from '../output/write-files.ts';
import { estimatePairs, type PairGroup, planAlone, planPairs, timingOfMeasure } from '../plan/ranking-pairs.ts';
import type { OwnPart } from '../plan/shards/divide-ranking.ts';
import { kindOf } from '../rank/cell-state.ts';
import { joinRuns, type RankingRun } from '../rank/gather-ranking.ts';
import { type RunningVersions, versionNotes } from '../rank/preset-notes.ts';
import { expectedRounds } from '../rank/ratios.ts';
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
import { countOf, formatCount, formatDuration, formatPercent } from '../text/numbers.ts';
import { joinWords } from '../text/phrase.ts';
import type { Scenario } from '../types/config.ts';
import { EXIT, UserError } from '../types/errors.ts';
import type { RankedServer, RankingData, RankingResult } from '../types/ranking/ranking.ts';
import type { Janitor } from '../types/run-services.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
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

/** The versions, to compare with a preset's page. */
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

/** Reads a folder's run, which messages call `where`. Throws UserError if none. */
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

/** The files that flags name, and in a run's folder all reports. */
function filesOf({ out, merge, ...flags }: RankingFlags): Files {
	const kept = merge === undefined ? out : undefined;
	return Object.fromEntries(
		MEASURE_FORMAT_NAMES.flatMap((name) => {
			const path = flags[name] ?? (kept === undefined ? undefined : join(kept, MEASURE_FORMATS[name].file));
			return path === undefined ? [] : [[name, path]];
		}),
	);
}

/** Reuses the stored seed, so the same command continues the run. */
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

/** Throws UserError that lists flags without effect on a merge. */
export function checkMergeFlags(flags: OptionTexts & { readonly out?: string | undefined }): void {
	const names = optionsOf('measure').map(([name]) => name);
	const measureFlags = names.filter((name) => (flags[name]?.trim() ?? '') !== '' && !AFTERWARDS.includes(name));
	const complaints = [
		...measureFlags.map((name) => `${flagOf(name)}: not with --merge; nothing is measured`),
		...(flags.out === undefined ? [] : ['--out: not with --merge; name the files you want, as with --html FILE']),
	];
	if (complaints.length > 0) throw flagsError(complaints);
}

/** Throws UserError for names in `AFTERWARDS` flags that no run has. */
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

/** Throws UserError that lists unusable flags. */
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

/** Describes a ranking's plan and duration without installing. `versions` are those its servers would run, if known. */
export function describeDryRun(request: RankingRequest, versions: RunningVersions): string {
	const { config, reference } = request;
	const names = config.servers.map(({ name }) => name);
	const isAlone = request.preset !== null;
	const timing = timingOfMeasure({ ...request, isAlone });
	const planned = isAlone ? planAlone(config, names, timing) : planPairs(config, names, reference, timing);
	const { groups, leftOut } = planned;
	const cells = groups.flatMap(({ plan }) => plan.cells);
	const notes = [...request.notes, ...versionNotes(versions, findPreset(request.preset))];
	const differences = notes.map(({ message }) => `Not as on the page: ${message}`);
	const missing = request.missing.map((name) => `${name} is not among the servers of this benchgate.`);
	return [
		`${countOf(names.length, 'server')}: ${names.join(', ')}`,
		`${countOf(config.scenarios.length, 'scenario')}: ${config.scenarios.map(({ name }) => name).join(', ')}`,
		`${countOf(cells.length, 'row')}, ${measuredWith(groups)}.`,
		...config.scenarios.flatMap(describeRate),
		...describeTime(request, groups),
		...leftOut.map(({ server, scenario, reason }) => `${server} leaves out ${scenario}: ${reason}`),
		...missing,
		...differences,
		`Repeat it: ${request.reproduce}`,
	].join('\n');
}

function describeRate({ name, load: { rate } }: Scenario): string[] {
	if (rate === undefined) return [];
	return [`${name}: ${formatCount(rate)} requests/s, however fast they are answered.`];
}

/** Assumed noise per round (log SD) on a quiet and on a busy machine. */
const SPREADS = [0.03, 0.05] as const;

function describeTime({ config, rounds, precision }: RankingRequest, groups: readonly PairGroup[]): string[] {
	const { budgetSeconds, scenarios } = config;
	const { fewest, most } = rounds;
	const budget = formatDuration(budgetSeconds);
	const least = estimatePairs(groups, fewest);
	const take = `${countOf(fewest, 'round')} ${fewest === 1 ? 'takes' : 'take'} about ${formatDuration(least)}.`;
	const few =
		least <= budgetSeconds
			? []
			: [
					`The budget of ${budget} is too little for that: some rows will have fewer rounds, or none. --budget ${Math.ceil(least / 60)}m is enough, and --shards divides the servers among machines.`,
				];
	if (fewest === most) return [take, ...(few.length > 0 ? few : [`Budget: ${budget}.`])];
	const alone = groups.filter(({ isAlone }) => isAlone);
	const kinds = splitByKind(
		groups.filter(({ isAlone }) => !isAlone),
		scenarios,
	);
	const until = SPREADS.map((spread) => {
		const seconds = kinds.map((kindGroups) => {
			const rows = kindGroups.reduce((sum, { plan }) => sum + plan.cells.length, 0);
			return estimatePairs(kindGroups, Math.min(most, expectedRounds(precision, spread, rows, fewest)));
		});
		const minutes = Math.ceil(
			seconds.reduce((sum, kindSeconds) => sum + kindSeconds, estimatePairs(alone, fewest)) / 60,
		);
		return `${formatDuration(60 * minutes)} where a round spreads by ${formatPercent(spread, 1)}`;
	});
	return [
		`${take} That is the fewest.`,
		...(kinds.length === 0
			? []
			: [`Until every row reaches ±${formatPercent(precision, 1)}: about ${joinWords(until)}.`]),
		...(few.length > 0 ? few : [`Measuring ends after ${budget} (the budget).`]),
	];
}

/** Each row is judged by the spread of its kind (decision 0067). */
function splitByKind(groups: readonly PairGroup[], scenarios: readonly Scenario[]): readonly (readonly PairGroup[])[] {
	const kinds = new Map(scenarios.map((scenario) => [scenario.name, kindOf(scenario)]));
	return [...new Set(kinds.values())]
		.map((kind) =>
			groups.flatMap((group) => {
				const cells = group.plan.cells.filter(({ scenario }) => kinds.get(scenario) === kind);
				return cells.length === 0 ? [] : { ...group, plan: { ...group.plan, cells } };
			}),
		)
		.filter((kindGroups) => kindGroups.length > 0);
}

function measuredWith(groups: readonly PairGroup[]): string {
	// A preset starts two processes of one server to measure start and memory.
	const isByItself = ({ reference, isAlone, plan }: PairGroup) =>
		isAlone || plan.cells.every(({ server }) => server === reference);
	const references = new Set(groups.flatMap((group) => (isByItself(group) ? [] : group.reference)));
	if (references.size === 0) return 'each alone';
	const alone = groups.some(({ isAlone }) => isAlone) ? ', and each alone in worker processes' : '';
	return `in turn with ${[...references].join(', ')}${alone}`;
}
