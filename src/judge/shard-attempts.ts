import type { EndReason } from '../types/round.ts';
import type { ShardState } from '../types/shards.ts';

/** A shard's files of all attempts, of a comparison or a ranking. */
export interface ShardAttempts<F> {
	readonly shard: number;
	readonly state: ShardState;
	/** Null if all were cut off. */
	readonly complete: F | null;
	/** Of the earliest attempt. */
	readonly first: F | null;
	/** Returns the files besides `counted` and its copies. */
	readonly besides: (counted: F) => readonly F[];
}

interface Reading<F> {
	readonly shardOf: (file: F) => number;
	readonly isComplete: (file: F) => boolean;
	/** Also true for copies. */
	readonly isSame: (one: F, other: F) => boolean;
}

/**
 * Returns the files of shards 1 to `of`; `files` are in order of attempts. The first complete one counts: repeating a red
 * shard until green would be a second test.
 */
export function attemptsOf<F>(of: number, files: readonly F[], { shardOf, isComplete, isSame }: Reading<F>) {
	const byShard = Map.groupBy(files, shardOf);
	return Array.from({ length: of }, (_, index): ShardAttempts<F> => {
		const shardFiles = byShard.get(index + 1) ?? [];
		const complete = shardFiles.find(isComplete) ?? null;
		return {
			shard: index + 1,
			state: complete ? 'complete' : shardFiles.length > 0 ? 'cut-off' : 'missing',
			complete,
			first: shardFiles[0] ?? null,
			besides: (counted) => shardFiles.filter((file) => file !== counted && !isSame(file, counted)),
		};
	});
}

/** Returns the end, of several parts of a run, that more rounds could have changed most. */
export function endOf(ends: readonly EndReason[]): EndReason {
	return (['budget', 'rounds', 'decided'] as const).find((end) => ends.includes(end)) ?? 'interrupted';
}
