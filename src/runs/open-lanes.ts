import { ofShard } from '../judge/run-parts.ts';
import { type Bench, openBench } from '../measure/bench.ts';
import type { Laboratory } from '../measure/laboratory.ts';
import { describeLanes, type FoundLanes, warnOfOneLane } from '../measure/lanes/find-lanes.ts';
import { sharesWork } from '../plan/plan-cells.ts';
import { balanceShards } from '../plan/shards/divide.ts';
import { costsOf } from '../plan/shards/shard-costs.ts';
import type { Config } from '../types/config.ts';
import type { Isolation, SideUser } from '../types/isolation.ts';
import type { Plan } from '../types/plan.ts';
import type { RefusedCell } from '../types/result.ts';
import type { Sides, Warning } from '../types/units.ts';
import { guardBase, type IsolatedPair, type VerifiedPair } from './verify-pair.ts';

export interface OpenLane {
	/** The lane's own cells, with the family of all cells. */
	readonly plan: Plan;
	readonly laboratory: Laboratory;
}

export interface OpenLanes {
	readonly lanes: readonly OpenLane[];
	/** CPUs of the lanes, for reports; null for one lane. */
	readonly pinning: string | null;
	/** CPUs of our own process; null for any. */
	readonly orchestrator: readonly number[] | null;
	warnings(): Warning[];
	close(): Promise<void>;
}

const NOT_SEEN: Warning = {
	code: 'one-lane',
	message:
		'Cells were measured in one lane although there is room for more: the kernel does not report each connection here (command ss), so connections to the servers of different lanes could not be distinguished.',
};

/**
 * Opens the lanes of a verified pair; a single one keeps the pair's bench. If further lanes fail, one measures
 * everything, because head's code may be the cause.
 */
export async function openLanes(verified: VerifiedPair, options: IsolatedPair): Promise<OpenLanes> {
	const { plan, bench, laboratory, refused, setup } = verified;
	const machineLanes: FoundLanes = options.lanes ?? { lanes: [bench.affinity], orchestrator: null, warnings: [] };
	const [first, ...others] = machineLanes.lanes;
	const possible = bench.seesConnections ? divideCells(plan, refused, options.config, 1 + others.length) : [plan];
	const benches: Bench[] = [bench];
	const closeAll = async () => void (await Promise.all(benches.map((one) => one.close())));
	try {
		const { sides, lacking } = await openSidesBeside(options, possible.length - 1);
		const divided = lacking === null ? possible : [plan];
		const lanes: OpenLane[] = [{ plan: divided[0] as Plan, laboratory }];
		for (const [index, lanePlan] of divided.slice(1).entries()) {
			const beside = await openBench({
				...options,
				limits: options.config,
				isolation: { ...options.isolation, sides: sides[index] as Sides<SideUser> },
				affinity: others[index] as FoundLanes['lanes'][0],
			});
			benches.push(beside);
			lanes.push({ plan: lanePlan, laboratory: guardBase(beside.laboratory(setup), setup.prepared) });
		}
		const unseen = bench.seesConnections || others.length === 0 ? [] : [NOT_SEEN];
		const few = [...machineLanes.warnings, ...unseen, ...(lacking === null ? [] : [lacking])];
		return {
			lanes,
			orchestrator: lanes.length > 1 ? machineLanes.orchestrator : null,
			pinning: lanes.length > 1 ? describeLanes([first, ...others].slice(0, lanes.length)) : null,
			warnings() {
				const all = [...few, ...benches.flatMap((one) => one.warnings())];
				return [...new Map(all.map((warning) => [warning.message, warning])).values()];
			},
			close: closeAll,
		};
	} catch (error) {
		await closeAll();
		throw error;
	}
}

/** A warning and no sides unless all lanes open. */
async function openSidesBeside(
	{ isolation, config, progress }: IsolatedPair,
	count: number,
): Promise<{ readonly sides: readonly Sides<SideUser>[]; readonly lacking: Warning | null }> {
	if (count > 0 && isolation.level !== 'none') progress.status('Copying what servers may write, for each lane');
	const opened = await Promise.allSettled(Array.from({ length: count }, () => isolation.openLane()));
	const failed = opened.find((one) => one.status === 'rejected');
	if (failed === undefined) return { sides: opened.flatMap((one) => ('value' in one ? one.value : [])), lacking: null };
	return { sides: [], lacking: warnOfOneLane(config.lanes ?? 'auto', (failed.reason as Error).message) };
}

/** Returns plans of the lanes that have cells to load. Refused cells go to the first lane, which does not load them. */
export function divideCells(plan: Plan, refused: readonly RefusedCell[], config: Config, most: number): Plan[] {
	const names = new Set(refused.map(({ cell }) => cell));
	const loaded = plan.cells.filter(({ id }) => !names.has(id));
	if (most < 2 || loaded.length < 2) return [plan];
	const parts = balanceShards(loaded, costsOf(loaded, config, null), most);
	return parts.map(({ cells }, index) => ofShard(plan, index === 0 ? [...cells, ...names] : cells));
}

/** Returns why a run needs a single lane, as the end of a sentence: named CPUs, a shared database, or no isolation. */
export function whyOneLane(
	isolation: Pick<Isolation, 'whyOneLane'>,
	{ serverCpus, loadCpus, servers = [] }: Partial<Pick<Config, 'serverCpus' | 'loadCpus' | 'servers'>> = {},
): string | null {
	if (serverCpus !== undefined || loadCpus !== undefined)
		return 'the CPUs were named, and each lane has CPUs of its own';
	// The CPU time of a shared program is unknown too, because a lane counts only its own CPUs.
	const shared = servers.find(sharesWork);
	if (shared !== undefined)
		return `the server ${shared.name} has \${slot} in its config, so it asks something that all lanes would share, such as a database`;
	return isolation.whyOneLane;
}
