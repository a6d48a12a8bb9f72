import { answeredBy, isAsked, reasonLeftOut } from '../config/answered-scenarios.ts';
import { COUNTED_SECONDS } from '../config/options/measure-options.ts';
import type { LoadShape } from '../config/ranking/resolve-ranking.ts';
import type { Config, Design, Scenario, ServerSpec } from '../types/config.ts';
import type { Cell, Plan, Timing, Warmup } from '../types/plan.ts';
import type { UnmeasuredPair } from '../types/ranking/ranking.ts';
import type { Seconds } from '../types/units.ts';
import { estimateSeconds, timingFor } from './timing.ts';

export interface PairGroup {
	readonly reference: string;
	/** The server is loaded alone; `reference` is then the server itself. */
	readonly isAlone?: boolean;
	/** Rows share processes, as on a published page. Otherwise each row has its own. */
	readonly sharesProcesses?: true;
	/** Contains the reference's own cell only if no other server answers it. */
	readonly plan: Plan;
}

export interface PlannedPairs {
	readonly groups: readonly PairGroup[];
	/** References by scenario; null if no server answers it. */
	readonly references: ReadonlyMap<string, string | null>;
	readonly leftOut: readonly UnmeasuredPair[];
}

type PairsConfig = Pick<Config, 'servers' | 'scenarios' | 'seed' | 'budgetSeconds' | 'threshold' | 'tolerance'>;

export interface AskedTiming {
	/** Counted load of each server in a round. */
	readonly durationSeconds?: Seconds | undefined;
	readonly warmupSeconds?: Seconds | undefined;
	readonly isAlone?: boolean | undefined;
	/** Other load settings of a preset. */
	readonly shape?: LoadShape | null | undefined;
}

/**
 * The closer two windows are in time, the more alike the machine is. So there are many short windows in turn (decision
 * 0064), together as long as one window alone. `settleSeconds` refills queues.
 */
const WINDOWS_IN_TURN = 40;
const IN_TURN = {
	windows: WINDOWS_IN_TURN,
	windowSeconds: COUNTED_SECONDS / WINDOWS_IN_TURN,
	settleSeconds: 0.005,
	soloSeconds: COUNTED_SECONDS,
	soloRounds: 0,
	resting: true,
} as const;
const ALL_ROUNDS = 1_000_000;
/** Loads each side alone until it is warm, even if it compresses every answer (decision 0066). */
const WARM_UP_IN_TURN = { requests: 40_000, leastSeconds: 0.5, mostSeconds: 8, inTurn: true } as const;

/**
 * Returns the timing of a round. Servers are loaded alone, as with a preset, or in turn with a reference. A given
 * warm-up is exact.
 */
export function timingOfMeasure({ durationSeconds, warmupSeconds, isAlone, shape }: AskedTiming): Timing {
	const usual = timingFor({ design: 'duet' });
	const { stages = null, warmupLoad: load = null, pauseSeconds = 0 } = shape ?? {};
	const set: Warmup | null =
		warmupSeconds === undefined
			? null
			: { requests: 0, leastSeconds: warmupSeconds, mostSeconds: warmupSeconds, ...(load && { load }) };
	const fixed = set && !isAlone ? { ...set, inTurn: true as const } : set;
	return {
		...usual,
		firstWarmup: fixed ?? WARM_UP_IN_TURN,
		warmup: fixed ?? usual.warmup,
		// Every request counts, as on a published page.
		...(isAlone
			? { windows: 0, soloSeconds: durationSeconds ?? usual.soloSeconds, soloRounds: ALL_ROUNDS, settleSeconds: 0 }
			: inTurn(durationSeconds)),
		...(stages && { stages }),
		...(pauseSeconds > 0 && { pauseSeconds }),
		...(shape?.calls && { calls: shape.calls }),
	};
}

/** More time makes more windows. Their number is even, so each side goes first equally often. */
function inTurn(seconds: Seconds | undefined): Partial<Timing> {
	if (seconds === undefined) return IN_TURN;
	const windows = Math.max(2, 2 * Math.round(seconds / IN_TURN.windowSeconds / 2));
	return { ...IN_TURN, windows, windowSeconds: seconds / windows, soloSeconds: seconds };
}

/** For starts and memory a duet is as good. One window checks the answers. */
function besideTiming({ resting: _, stages: _stages, pauseSeconds: _pause, ...timing }: Timing): Timing {
	const { windowSeconds, settleSeconds, firstWarmup, warmup } = timingFor({ design: 'duet' });
	return { ...timing, firstWarmup, warmup, windows: 1, windowSeconds, settleSeconds, soloRounds: 0 };
}

function aloneTiming({ resting: _, ...timing }: Timing): Timing {
	const { settleSeconds } = timingFor({ design: 'duet' });
	return { ...timing, windows: 0, soloRounds: ALL_ROUNDS, settleSeconds };
}

/**
 * Returns every installed server with the reference, in each scenario that both answer. The first server that answers
 * replaces an absent reference.
 */
export function planPairs(
	config: PairsConfig,
	installed: readonly string[],
	reference: string,
	timing: Timing,
): PlannedPairs {
	const { servers, scenarios } = config;
	const present = servers.filter(({ name }) => installed.includes(name));
	const references = new Map(
		scenarios.map((scenario) => {
			if (scenario.workers !== undefined) return [scenario.name, null] as const;
			const able = present.filter((server) => answeredBy(server, scenarios).includes(scenario)).map(({ name }) => name);
			return [scenario.name, able.includes(reference) ? reference : (able[0] ?? null)] as const;
		}),
	);
	const cells = present.flatMap((server) =>
		answeredBy(server, scenarios).flatMap(({ name }) => {
			const beside = references.get(name);
			const isAlone = !present.some((other) => other !== server && answers(other, name, scenarios));
			if (!beside || (beside === server.name && !isAlone)) return [];
			return [{ beside, cell: cellOf(config, server.name, name) }];
		}),
	);
	const groups = [...Map.groupBy(cells, ({ beside }) => beside)].flatMap(([beside, groupCells]) => {
		const loaded = groupCells.flatMap(({ cell }) => (cell.metrics === undefined ? cell : []));
		const bare = groupCells.flatMap(({ cell }) => (cell.metrics === undefined ? [] : cell));
		return [
			groupOf(config, beside, loaded, timing, 'alternating'),
			groupOf(config, beside, bare, besideTiming(timing), 'duet'),
		].filter(({ plan }) => plan.cells.length > 0);
	});
	// Worker processes use all CPUs, so nothing can run beside them.
	const crowds = scenarios.filter(({ workers }) => workers !== undefined);
	const alone = groupsAlone(config, present, crowds, aloneTiming(timing));
	return {
		groups: [...groups, ...alone],
		references,
		leftOut: servers.flatMap((server) => leftOutOf(server, scenarios)),
	};
}

function groupsAlone(
	config: PairsConfig,
	present: readonly ServerSpec[],
	scenarios: readonly Scenario[],
	timing: Timing,
): readonly PairGroup[] {
	const groups = present.map((server) => {
		const answered = answeredBy(server, config.scenarios).filter((scenario) => scenarios.includes(scenario));
		const cells = answered.map(({ name }) => cellOf(config, server.name, name));
		return { ...groupOf(config, server.name, cells, timing, 'duet'), isAlone: true };
	});
	return groups.filter(({ plan }) => plan.cells.length > 0);
}

/** Returns the pairs of a preset: each server alone, in config order; `reference` is the server itself. */
export function planAlone(config: PairsConfig, installed: readonly string[], timing: Timing): PlannedPairs {
	const { servers, scenarios } = config;
	const present = servers.filter(({ name }) => installed.includes(name));
	const loaded = scenarios.filter(({ metrics }) => metrics === undefined);
	// Starts and memory need no load, and two processes give twice the data.
	const bare = scenarios.filter(({ metrics }) => metrics !== undefined);
	const starts = groupsAlone(config, present, bare, besideTiming(timing)).map(({ reference, plan }) => ({
		reference,
		plan,
	}));
	return {
		groups: [
			...starts,
			...groupsAlone(config, present, loaded, timing).map((group) => ({ ...group, sharesProcesses: true })),
		],
		references: new Map(scenarios.map(({ name }) => [name, null])),
		leftOut: servers.flatMap((server) => leftOutOf(server, scenarios)),
	};
}

function cellOf({ threshold, tolerance, scenarios }: PairsConfig, server: string, scenario: string): Cell {
	const metrics = scenarios.find(({ name }) => name === scenario)?.metrics;
	return { id: `${server}/${scenario}`, server, scenario, threshold, tolerance, ...(metrics && { metrics }) };
}

function groupOf(
	{ seed, budgetSeconds }: PairsConfig,
	reference: string,
	cells: readonly Cell[],
	timing: Timing,
	design: Design,
): PairGroup {
	const plan: Plan = {
		seed,
		design,
		cells,
		oneSided: [],
		metrics: ['throughput'],
		looks: [],
		timing,
		budgetSeconds,
	};
	return { reference, plan };
}

export function estimatePairs(groups: readonly PairGroup[], rounds: number): Seconds {
	return groups.reduce((sum, { sharesProcesses, plan: { cells, design, timing } }) => {
		const parts = sharesProcesses ? [cells] : cells.map((cell) => [cell]);
		const all = parts.reduce((seconds, part) => seconds + estimateSeconds(part, rounds, design, timing), 0);
		// Only one of the two processes is loaded.
		const twice = timing.windows === 0 ? cells.length * rounds * (timing.settleSeconds + timing.soloSeconds) : 0;
		const pauses = (rounds - 1) * (timing.pauseSeconds ?? 0);
		return sum + all - twice + pauses;
	}, 0);
}

function answers(server: ServerSpec, name: string, scenarios: readonly Scenario[]): boolean {
	return answeredBy(server, scenarios).some((scenario) => scenario.name === name);
}

function leftOutOf(server: ServerSpec, scenarios: readonly Scenario[]): UnmeasuredPair[] {
	const answered = answeredBy(server, scenarios);
	return scenarios
		.filter((scenario) => isAsked(server, scenario) && !answered.includes(scenario))
		.map((scenario) => ({
			server: server.name,
			scenario: scenario.name,
			state: 'left-out',
			reason: reasonLeftOut(server, scenario) ?? 'it does not answer this scenario',
			side: null,
		}));
}
