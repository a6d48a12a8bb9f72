/** Divides the servers of a ranking among machines. */

import type { UnmeasuredPair } from '../types/ranking/ranking.ts';
import type { RankingShard } from '../types/ranking/ranking-shards.ts';
import type { PlannedShard, ShardCosts } from '../types/shards.ts';
import type { Seconds } from '../types/units.ts';
import { estimatePairs, type PairGroup, type PlannedPairs } from './ranking-pairs.ts';
import { balanceShards } from './shards/balance.ts';
import { chooseCount, pricesAround, type ShardPrice } from './shards/choose-count.ts';
import { USUAL_SETUP } from './shards/shard-costs.ts';

/** The shard of a ranking that one machine measures. */
export interface OwnPart {
	readonly stamp: RankingShard;
	/** Servers it ranks. */
	readonly own: readonly string[];
	/** These and the references they are measured with. */
	readonly installs: readonly string[];
}

/** How many times the fewest rounds a row is expected to get. */
const USUAL_ROUNDS = 2;

/** What is divided. */
export interface AskedDivision {
	/** Names of all servers, the reference among them. */
	readonly servers: readonly string[];
	readonly groups: readonly PairGroup[];
	readonly rounds: { readonly fewest: number; readonly most: number };
	/** Longest time each shard may measure. */
	readonly budget: Seconds;
	/** How many shards; as many as are worth it when null. */
	readonly count: number | null;
}

/** A ranking divided among machines. */
export interface DividedRanking {
	/** Their cells are names of servers. */
	readonly shards: readonly PlannedShard[];
	/** What one shard fewer, as many, and one more would cost. */
	readonly prices: readonly ShardPrice[];
}

/**
 * Returns the servers of a ranking divided among at most as many machines, so that they take about as long. All rows of a server stay
 * together: figures of one server in two scenarios are compared, and those of two machines cannot be. The same request is always
 * divided in the same way, so each machine can do it for itself.
 */
export function divideRanking({ servers: all, groups, rounds, budget, count }: AskedDivision): DividedRanking {
	const ranked = new Set(groups.flatMap(({ plan }) => plan.cells.map(({ server }) => server)));
	// Who is only a reference is measured by all. Who answers nothing costs nothing, and must not go unmentioned.
	const servers = all.filter((name) => ranked.has(name) || groups.every(({ reference }) => reference !== name));
	const expected = Math.min(rounds.most, USUAL_ROUNDS * rounds.fewest);
	const units = servers.map((server) => ({ id: server, server }));
	const costs: ShardCosts = {
		source: 'timing',
		cells: Object.fromEntries(servers.map((server) => [server, estimatePairs(groupsOf(groups, server), expected)])),
		servers: {},
		setup: USUAL_SETUP,
	};
	const shards = balanceShards(units, costs, count ?? chooseCount(units, costs, budget));
	return { shards, prices: pricesAround(units, costs, budget, shards.length) };
}

function groupsOf(groups: readonly PairGroup[], server: string): PairGroup[] {
	return groups.map((group) => {
		const cells = group.plan.cells.filter((cell) => cell.server === server);
		return { ...group, plan: { ...group.plan, cells } };
	});
}

/** Returns the part of a ranking that shard `stamp` measures: its own servers, and who they are measured with. */
export function partOf({ groups }: PlannedPairs, stamp: RankingShard): OwnPart {
	const own = stamp.servers[stamp.shard - 1] ?? [];
	const beside = groups.filter(({ plan }) => plan.cells.some(({ server }) => own.includes(server)));
	return { stamp, own, installs: [...new Set([...own, ...beside.map(({ reference }) => reference)])] };
}

/**
 * Returns the pairs of a shard out of those of the whole ranking: its own servers, each with the reference that all shards have
 * for the scenario. Nobody stands in for a reference that could not be installed on this machine alone: such rows are left open,
 * with the reason.
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
