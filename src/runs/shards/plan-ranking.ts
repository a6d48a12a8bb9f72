/** A ranking divided among machines. Nothing in it moves, as branches do, so every machine divides it for itself. */
import type { MeasureRequest } from '../../config/ranking/resolve-ranking.ts';
import { hashOf } from '../../formats/plan/hash-of.ts';
import { type DividedRanking, divideRanking, type OwnPart, partOf } from '../../plan/divide-ranking.ts';
import { planPairs } from '../../plan/ranking-pairs.ts';
import { UserError } from '../../types/errors.ts';
import type { Timing } from '../../types/plan.ts';
import { toolVersion } from '../../version.ts';
import { hashOfConfig } from './plan-matrix.ts';

/** A divided ranking, and what a machine has to know to measure a shard of it. */
export interface PlannedRanking extends DividedRanking {
	/** Returns shard `shard`, from 1. Throws a UserError when there is none of that number. */
	readonly partOf: (shard: number) => OwnPart;
}

type Asked = Pick<MeasureRequest, 'config' | 'reference' | 'precision' | 'rounds' | 'reproduce'>;

/** Returns a ranking divided among `count` machines at most; among as many as are worth it when null. */
export function planRanking(asked: Asked, timing: Timing, count: number | null): PlannedRanking {
	const { config, reference, precision, rounds, reproduce: whole } = asked;
	const all = config.servers.map(({ name }) => name);
	const planned = planPairs(config, all, reference, timing);
	const divided = divideRanking({
		...{ servers: all, groups: planned.groups, rounds, count },
		budget: config.budgetSeconds,
	});
	const servers = divided.shards.map(({ cells }) => cells);
	// Shares do not depend on the seed, so each machine may draw its own.
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
