import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration } from '../../text/numbers.ts';
import type { Raw, ShardRun } from '../../types/result.ts';
import type { ShardStamp } from '../../types/shards.ts';
import type { Seconds } from '../../types/units.ts';

/** Digits of a number in a name, so that names sort as numbers do. */
const DIGITS = 3;

/** Returns the name of a shard's file and artifact: `benchgate-shard-003-of-012-attempt-1`. Another attempt never has the same. */
export function shardName({ shard, of, attempt }: Pick<ShardStamp, 'shard' | 'of' | 'attempt'>): string {
	const [index, all] = [shard, of].map((number) => `${number}`.padStart(DIGITS, '0'));
	return `benchgate-shard-${index}-of-${all}-attempt-${attempt}`;
}

/** Returns the name of the file that a shard writes. */
export function shardFile(stamp: Pick<ShardStamp, 'shard' | 'of' | 'attempt'>): string {
	return `${shardName(stamp)}.json`;
}

/** Returns what a shard says at its end. It tells no verdicts: those are for all shards together. */
export function describeShardRun({ shard, plan, rounds, timing, ended }: Raw, file: string): string {
	const cells = countOf(plan.cells.length, 'cell');
	const what = `Shard ${shard?.shard} of ${shard?.of}: ${cells} in ${countOf(rounds.length, 'round')}, ${formatDuration(timing.totalSeconds)}.`;
	if (ended === 'interrupted') return `${what} It was interrupted, so it does not count. Run it again.`;
	return `${what} Written to ${plainText(file, 4 * NAME_LIMIT)}; benchgate gather decides when all shards are there.`;
}

/** How long the machines of a gathered run took. */
export interface ShardTimes {
	readonly slowest: ShardRun;
	readonly slowestSeconds: Seconds;
	/** Of all machines together. */
	readonly machineSeconds: Seconds;
	/** From the first start to the last end, by the clocks of the machines. */
	readonly wallSeconds: Seconds;
}

/** Returns the times of the shards that came to their end; null when there is none. */
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
	return `${count}, ${formatDuration(wallSeconds)} from first to last; the slowest (shard ${slowest.shard}) took ${formatDuration(slowestSeconds)}, all together ${formatDuration(machineSeconds)}`;
}
