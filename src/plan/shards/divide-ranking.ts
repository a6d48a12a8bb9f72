import type { UnmeasuredPair } from '../../types/ranking/ranking.ts';
import type { RankingShard } from '../../types/ranking/ranking-shards.ts';
import type { PlannedShard, ShardCosts } from '../../types/shards.ts';
import type { Seconds } from '../../types/units.ts';
import { estimatePairs, type PairGroup, type PlannedPairs } from '../ranking-pairs.ts';
import { divideCells, findShard, pricesAround, type ShardPrice } from './divide.ts';
import { USUAL_SETUP } from './shard-costs.ts';

export interface OwnPart {
	readonly stamp: RankingShard;
	readonly own: readonly string[];
	/** `own` servers and their references. */
	readonly installs: readonly string[];
}

/** Expected rounds of a row, as a multiple of the minimum. */
const USUAL_ROUNDS = 2;

export interface AskedDivision {
	/** Including the reference. */
	readonly servers: readonly string[];
	readonly groups: readonly PairGroup[];
	readonly rounds: { readonly fewest: number; readonly most: number };
	/** Longest measuring time of a shard. */
	readonly budget: Seconds;
	/** Number of shards; null chooses it. */
	readonly count: number | null;
}

export interface DividedRanking {
	/** Cells are names of servers. */
	readonly shards: readonly PlannedShard[];
	/** Costs of one shard fewer, as many, and one more. */
	readonly prices: readonly ShardPrice[];
}

/**
 * Returns the servers divided among at most `count` machines with about equal times. A server's rows stay together,
 * because its figures are compared across scenarios. The result is deterministic, so each machine can divide for
 * itself.
 */
export function divideRanking({ servers: all, groups, rounds, budget, count }: AskedDivision): DividedRanking {
	const ranked = new Set(groups.flatMap(({ plan }) => plan.cells.map(({ server }) => server)));
	// A pure reference is left out, because every shard measures it. Servers without cells stay, because they must be
	// reported.
	const servers = all.filter((name) => ranked.has(name) || groups.every(({ reference }) => reference !== name));
	const expected = Math.min(rounds.most, USUAL_ROUNDS * rounds.fewest);
	const units = servers.map((server) => ({ id: server, server }));
	const costs: ShardCosts = {
		source: 'timing',
		cells: Object.fromEntries(servers.map((server) => [server, estimatePairs(groupsOf(groups, server), expected)])),
		servers: {},
		setup: USUAL_SETUP,
	};
	const shards = divideCells(units, costs, budget, count);
	return { shards, prices: pricesAround(units, costs, budget, shards.length) };
}

function groupsOf(groups: readonly PairGroup[], server: string): PairGroup[] {
	return groups.map((group) => {
		const cells = group.plan.cells.filter((cell) => cell.server === server);
		return { ...group, plan: { ...group.plan, cells } };
	});
}

/** Returns the part of `stamp`. Throws UserError `no-shard`. */
export function partOf({ groups }: PlannedPairs, stamp: RankingShard): OwnPart {
	const ownServers = findShard(stamp.servers, stamp.shard, 'ranking', ': all rows of a server stay together');
	const beside = groups.filter(({ plan }) => plan.cells.some(({ server }) => ownServers.includes(server)));
	return {
		stamp,
		own: ownServers,
		installs: [...new Set([...ownServers, ...beside.map(({ reference }) => reference)])],
	};
}

/**
 * Returns a shard's pairs, with the reference that all shards use for the scenario. If that cannot be installed here,
 * its rows stay open, because no other server replaces it.
 */
export function planPart(whole: PlannedPairs, { own, installs }: OwnPart, installed: readonly string[]): PlannedPairs {
	const ours = whole.groups.flatMap((group) => {
		const cells = group.plan.cells.filter(({ server }) => own.includes(server) && installed.includes(server));
		return cells.length === 0 ? [] : [{ ...group, plan: { ...group.plan, cells } }];
	});
	const lost = ours.filter(({ reference }) => !installed.includes(reference));
	const broken = lost.flatMap(({ reference, plan }) =>
		plan.cells.map(
			({ server, scenario }): UnmeasuredPair => ({
				...{ server, scenario, state: 'broken', side: null },
				reason: `${reference}, which it is measured with, could not be installed on this machine`,
			}),
		),
	);
	return {
		groups: ours.filter((group) => !lost.includes(group)),
		references: whole.references,
		leftOut: [...whole.leftOut.filter(({ server }) => installs.includes(server)), ...broken],
	};
}
