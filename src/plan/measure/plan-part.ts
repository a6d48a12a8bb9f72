import type { UnmeasuredPair } from '../../types/ranking/measure.ts';
import type { RankingShard } from '../../types/ranking/measured-shards.ts';
import type { PlannedPairs } from './plan-pairs.ts';

/** The shard of a ranking that one machine measures. */
export interface OwnPart {
	readonly stamp: RankingShard;
	/** Servers it ranks. */
	readonly own: readonly string[];
	/** These and the references they are measured with. */
	readonly installs: readonly string[];
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
