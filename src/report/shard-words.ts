/** Shards in words: names of files and artifacts, machines, rows and times. */
import { median } from 'simple-statistics';
import { balanceShards } from '../plan/shards/divide.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatDuration } from '../text/numbers.ts';
import { type Phrase, phrase } from '../text/phrase.ts';
import type { Raw, ShardRun } from '../types/result.ts';
import type { ShardStamp } from '../types/shards.ts';
import type { Seconds } from '../types/units.ts';
import type { Row } from './compare/rows.ts';

/** If another machine saves less, it is not worth suggesting. */
const WORTH: Seconds = 10;

/** Numbers have this many digits, so names sort like numbers. */
const DIGITS = 3;
const TOOL = 'benchgate';
const PART = /^([A-Za-z0-9._-]{1,64})-(?:plan|shard-(\d{3})-of-(\d{3}))-attempt-([1-9]\d{0,3})$/;

/**
 * Returns `benchgate-shard-003-of-012-attempt-1`, for file and artifact. Of two artifacts with one name GitHub returns
 * the higher id, not always the later one.
 */
export function shardName({ shard, of, attempt }: Pick<ShardStamp, 'shard' | 'of' | 'attempt'>, prefix = TOOL): string {
	const [index, all] = [shard, of].map((number) => `${number}`.padStart(DIGITS, '0'));
	return `${prefix}-shard-${index}-of-${all}-attempt-${attempt}`;
}

export function planName(attempt: number, prefix = TOOL): string {
	return `${prefix}-plan-attempt-${attempt}`;
}

export type PartName =
	| { readonly prefix: string; readonly kind: 'plan'; readonly attempt: number }
	| ({ readonly prefix: string; readonly kind: 'shard' } & Pick<ShardStamp, 'shard' | 'of' | 'attempt'>);

export function readPartName(name: string): PartName | null {
	const [, prefix = '', shard, of, attempt] = PART.exec(name) ?? [];
	if (attempt === undefined) return null;
	if (shard === undefined) return { prefix, kind: 'plan', attempt: Number(attempt) };
	return { prefix, kind: 'shard', shard: Number(shard), of: Number(of), attempt: Number(attempt) };
}

export function shardFile(stamp: Pick<ShardStamp, 'shard' | 'of' | 'attempt'>): string {
	return `${shardName(stamp)}.json`;
}

/** Returns the closing message of a shard. It has no verdicts, because these need all shards. */
export function describeShardRun({ shard, plan, rounds, timing, ended }: Raw, file: string): string {
	const cells = countOf(plan.cells.length, 'cell');
	const what = `Shard ${shard?.shard} of ${shard?.of}: ${cells} in ${countOf(rounds.length, 'round')}, ${formatDuration(timing.totalSeconds)}.`;
	if (ended === 'interrupted') return `${what} It was interrupted, so it does not count. Run it again.`;
	return `${what} Written to ${plainText(file, 4 * NAME_LIMIT)}; benchgate gather decides when all shards are there.`;
}

export interface ShardTimes {
	readonly slowest: ShardRun;
	readonly slowestSeconds: Seconds;
	/** Sum over all machines. */
	readonly machineSeconds: Seconds;
	/** From first start to last end, by the machines' clocks. */
	readonly wallSeconds: Seconds;
}

export function timesOf(shards: readonly ShardRun[]): ShardTimes | null {
	const timed = shards.flatMap((run) => (run.timing ? [{ run, seconds: run.timing.totalSeconds }] : []));
	const [slowest] = timed.toSorted((a, b) => b.seconds - a.seconds || a.run.shard - b.run.shard);
	if (slowest === undefined) return null;
	const starts = timed.map(({ run }) => Date.parse(run.startedAt ?? '') / 1000);
	const ends = timed.map(({ seconds }, index) => (starts[index] as number) + seconds);
	const wall = Math.max(...ends) - Math.min(...starts);
	return {
		slowest: slowest.run,
		slowestSeconds: slowest.seconds,
		machineSeconds: timed.reduce((sum, { seconds }) => sum + seconds, 0),
		wallSeconds: Number.isFinite(wall) ? wall : slowest.seconds,
	};
}

/** Returns how a gathered run went: `7 of 8 shards; the slowest, 3, took 9 min of 31 min in all`. */
export function describeTimes(shards: readonly ShardRun[]): string {
	const complete = shards.filter(({ state }) => state === 'complete').length;
	const count =
		complete === shards.length ? countOf(complete, 'shard') : `${complete} of ${countOf(shards.length, 'shard')}`;
	const times = timesOf(shards);
	if (times === null) return count;
	const { slowest, slowestSeconds, machineSeconds, wallSeconds } = times;
	return `${count}, ${formatDuration(wallSeconds)} from the first start to the last end; the slowest (shard ${slowest.shard}) took ${formatDuration(slowestSeconds)}, all together ${formatDuration(machineSeconds)}`;
}

/** Returns the time that one more shard would have saved, if cells are equally long; null if unknown or none. */
export function describeSaving(shards: readonly ShardRun[]): string | null {
	const timed = shards.flatMap(({ cells, timing }) => (timing ? [{ cells, timing }] : []));
	const cells = timed.flatMap(({ cells: cellIds }) =>
		cellIds.map((id) => ({ id, server: id.slice(0, id.indexOf('/')) })),
	);
	if (timed.length === 0 || timed.length < shards.length || cells.length <= shards.length) return null;
	const setups = timed.map(({ timing }) => timing.totalSeconds - timing.measuringSeconds);
	const each = timed.flatMap(({ cells: cellIds, timing }) =>
		cellIds.map((id) => [id, timing.measuringSeconds / cellIds.length] as const),
	);
	const costs = { source: 'measured', cells: Object.fromEntries(each), servers: {}, setup: median(setups) } as const;
	const next = balanceShards(cells, costs, shards.length + 1);
	const slowest = Math.max(...timed.map(({ timing }) => timing.measuringSeconds));
	const saved = slowest - Math.max(...next.map(({ expectedSeconds }) => expectedSeconds));
	return saved < WORTH
		? 'one more shard would have saved next to nothing'
		: `one more shard would have saved about ${formatDuration(saved)}`;
}

export const STATES: Readonly<Record<Exclude<ShardRun['state'], 'complete'>, string>> = {
	missing: 'left no measurement',
	'cut-off': 'was cut off before its end',
};

export function describeMachines(shards: readonly ShardRun[]): { readonly label: string; readonly value: Phrase }[] {
	return shards.map((run) => ({ label: `Shard ${run.shard}`, value: describeMachineOf(run) }));
}

function describeMachineOf({ state, cells, environment, timing, attempt = 1 }: ShardRun): Phrase {
	const cellCount = countOf(cells.length, 'cell');
	if (state !== 'complete' || environment === undefined || timing === undefined) {
		return [`${STATES[state === 'complete' ? 'missing' : state]}; ${cellCount}`];
	}
	const model = { text: plainText(environment.cpuModel, NAME_LIMIT) };
	const pinning = { text: plainText(environment.pinning, MESSAGE_LIMIT) };
	const again = attempt > 1 ? `, attempt ${attempt}` : '';
	const run = `${cellCount} in ${countOf(timing.roundsRun, 'round')}, ${formatDuration(timing.totalSeconds)}${again}`;
	return phrase`${run}; ${model}, ${countOf(environment.cpus, 'CPU')}, ${pinning}`;
}

export interface ServerRows {
	readonly server: string;
	readonly rows: readonly Row[];
	/** `8 rows, 1 regressed`. */
	readonly summary: string;
}

/** Returns the rows by server; null if there was only one machine. */
export function groupByServer(rows: readonly Row[]): readonly ServerRows[] | null {
	if (rows.every(({ cell }) => cell.shard === undefined)) return null;
	return [...Map.groupBy(rows, ({ server }) => server)].map(([server, serverRows]) => ({
		server,
		rows: serverRows,
		summary: summaryOf(serverRows),
	}));
}

function summaryOf(rows: readonly Row[]): string {
	const counts = Map.groupBy(rows, ({ verdict }) => verdict);
	const verdicts = [...counts].map(([verdict, verdictRows]) => `${verdictRows.length} ${verdict}`);
	return [countOf(rows.length, 'row'), ...verdicts].join(', ');
}

/** Returns the shards that left these rows undecided. */
export function missingShards(rows: readonly Row[]): readonly number[] {
	const open = rows.filter(isShardMissing);
	return [...new Set(open.flatMap(({ cell }) => cell.shard ?? []))].sort((a, b) => a - b);
}

/** Whether a row was not measured because its shard did not finish. */
export function isShardMissing({ cell }: Row): boolean {
	return cell.warnings.some(({ code }) => code === 'shard-missing');
}
