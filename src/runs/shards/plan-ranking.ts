/** A ranking divided among machines. Its inputs are fixed, unlike branches, so that machines agree. */
import type { RankingRequest } from '../../config/ranking/resolve-ranking.ts';
import { hashOf } from '../../formats/hash-of.ts';
import { type DividedRanking, divideRanking, type OwnPart, partOf } from '../../plan/divide-ranking.ts';
import { planPairs } from '../../plan/ranking-pairs.ts';
import { UserError } from '../../types/errors.ts';
import type { Timing } from '../../types/plan.ts';
import { toolVersion } from '../../version.ts';
import { hashOfConfig } from './plan-matrix.ts';

export interface PlannedRanking extends DividedRanking {
	/** `shard` counts from 1. Throws a UserError for others. */
	readonly partOf: (shard: number) => OwnPart;
}

type Asked = Pick<RankingRequest, 'config' | 'reference' | 'precision' | 'rounds' | 'reproduce'>;

/** Divides a ranking among at most `count` machines; null for as many as are worth it. */
export function planRanking(options: Asked, timing: Timing, count: number | null): PlannedRanking {
	const { config, reference, precision, rounds, reproduce: whole } = options;
	const all = config.servers.map(({ name }) => name);
	const planned = planPairs(config, all, reference, timing);
	const divided = divideRanking({
		...{ servers: all, groups: planned.groups, rounds, count },
		budget: config.budgetSeconds,
	});
	const servers = divided.shards.map(({ cells }) => cells);
	// Shares do not depend on the seed.
	const configHash = hashOfConfig({ ...config, seed: 0 });
	const planHash = hashOf({ version: toolVersion(), configHash, reference, precision, rounds, timing, servers });
	return {
		...divided,
		partOf(shard) {
			if (shard > servers.length) throw noShard(shard, servers.length);
			return partOf(planned, { shard, servers, planHash, whole });
		},
	};
}

function noShard(shard: number, of: number): UserError {
	return new UserError({
		code: 'no-shard',
		where: `--shard ${shard}`,
		message: `the ranking has ${of === 1 ? '1 shard' : `${of} shards`}: all rows of a server stay together`,
		remedy: `give a number from 1 to ${of}`,
	});
}
