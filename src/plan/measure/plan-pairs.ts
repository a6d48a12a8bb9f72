import { answeredBy, reasonLeftOut } from '../../config/answered-scenarios.ts';
import type { LoadShape } from '../../config/measure/resolve-measure.ts';
import type { Config, Scenario, ServerSpec } from '../../types/config.ts';
import type { Cell, Plan, Timing, Warmup } from '../../types/plan.ts';
import type { UnmeasuredPair } from '../../types/ranking/measure.ts';
import type { Seconds } from '../../types/units.ts';
import { estimateSeconds, timingFor } from '../timing.ts';

/** Servers that are measured beside one reference. */
export interface PairGroup {
	readonly reference: string;
	/** Whether the server is loaded alone, with nothing beside it; `reference` is then the server itself. */
	readonly isAlone?: boolean;
	/** Server and scenario; a cell of the reference itself only where nobody else answers the scenario. */
	readonly plan: Plan;
}

export interface PlannedPairs {
	readonly groups: readonly PairGroup[];
	/** Reference of each scenario; null where no installed server answers it. */
	readonly references: ReadonlyMap<string, string | null>;
	readonly leftOut: readonly UnmeasuredPair[];
}

type PairsConfig = Pick<Config, 'servers' | 'scenarios' | 'seed' | 'budgetSeconds' | 'threshold' | 'tolerance'>;

/** Timing that flags ask for; what is absent is the usual. */
export interface AskedTiming {
	/** Counted load of a server in a round: beside the reference, and again alone. */
	readonly durationSeconds?: Seconds | undefined;
	readonly warmupSeconds?: Seconds | undefined;
	/** Whether each server is loaded alone, and nothing beside it. */
	readonly isAlone?: boolean | undefined;
	/** What else a preset says of its load. */
	readonly shape?: LoadShape | null | undefined;
}

/** Windows beside the reference. */
const WINDOWS = 3;
/** Every round has solo windows: absolute figures need as many rounds as shares. */
const ALL_ROUNDS = 1_000_000;
/** Servers this different are told apart by a shorter warm-up than a change of 5 % needs. */
const LONGEST_FIRST_WARMUP: Seconds = 3;

/** Returns how long each part of a round lasts. A warm-up of a given length lasts that long whatever was answered. */
export function timingOfMeasure({ durationSeconds, warmupSeconds, isAlone, shape }: AskedTiming): Timing {
	const usual = timingFor({ design: 'duet' });
	const { stages = null, warmupLoad: load = null, pauseSeconds = 0 } = shape ?? {};
	const fixed: Warmup | null =
		warmupSeconds === undefined
			? null
			: { requests: 0, leastSeconds: warmupSeconds, mostSeconds: warmupSeconds, ...(load && { load }) };
	return {
		...usual,
		firstWarmup: fixed ?? { ...usual.firstWarmup, mostSeconds: LONGEST_FIRST_WARMUP },
		warmup: fixed ?? usual.warmup,
		windows: isAlone === true ? 0 : WINDOWS,
		windowSeconds: durationSeconds === undefined ? usual.windowSeconds : durationSeconds / WINDOWS,
		soloSeconds: durationSeconds ?? usual.soloSeconds,
		soloRounds: ALL_ROUNDS,
		// Whatever is sent counts, as on a page.
		...(isAlone === true && { settleSeconds: 0 }),
		...(stages && { stages }),
		...(pauseSeconds > 0 && { pauseSeconds }),
		...(shape?.calls && { calls: shape.calls }),
	};
}

/**
 * Returns who is measured beside whom: every installed server beside the reference in each scenario that both answer. Where the
 * reference does not answer a scenario, or could not be installed, the first server that does stands in for it there.
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
	const groups = [...Map.groupBy(cells, ({ beside }) => beside)].map(([beside, own]) =>
		groupOf(
			config,
			beside,
			own.map(({ cell }) => cell),
			timing,
		),
	);
	// Worker processes want all CPUs, and have nobody beside them.
	const crowds = scenarios.filter(({ workers }) => workers !== undefined);
	const alone = groupsAlone(config, present, crowds, timing);
	return {
		groups: [...groups, ...alone],
		references,
		leftOut: servers.flatMap((server) => leftOutOf(server, scenarios)),
	};
}

/** Each server by itself, in the scenarios of `asked` that it answers. */
function groupsAlone(
	config: PairsConfig,
	present: readonly ServerSpec[],
	asked: readonly Scenario[],
	timing: Timing,
): readonly PairGroup[] {
	const groups = present.map((server) => {
		const answered = answeredBy(server, config.scenarios).filter((scenario) => asked.includes(scenario));
		const cells = answered.map(({ name }) => cellOf(config, server.name, name));
		return { ...groupOf(config, server.name, cells, { ...timing, windows: 0 }), isAlone: true };
	});
	return groups.filter(({ plan }) => plan.cells.length > 0);
}

/**
 * Returns the same for servers that are each loaded alone, with nothing beside them, in the order of the config: what a preset does.
 * `reference` is then the server itself.
 */
export function planAlone(config: PairsConfig, installed: readonly string[], timing: Timing): PlannedPairs {
	const { servers, scenarios } = config;
	const present = servers.filter(({ name }) => installed.includes(name));
	return {
		groups: groupsAlone(config, present, scenarios, timing),
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
): PairGroup {
	const plan: Plan = {
		seed,
		design: 'duet',
		cells,
		oneSided: [],
		metrics: ['throughput'],
		looks: [],
		timing,
		budgetSeconds,
	};
	return { reference, plan };
}

/** Returns the wall time of `rounds` rounds of all pairs. */
export function estimatePairs(groups: readonly PairGroup[], rounds: number): Seconds {
	return groups.reduce((sum, { plan: { cells, timing } }) => {
		// Of a pair that is not loaded side by side only one is loaded at all.
		const twice = timing.windows === 0 ? cells.length * rounds * (timing.settleSeconds + timing.soloSeconds) : 0;
		const pauses = (rounds - 1) * (timing.pauseSeconds ?? 0);
		return sum + estimateSeconds(cells, rounds, 'duet', timing) - twice + pauses;
	}, 0);
}

function answers(server: ServerSpec, name: string, scenarios: readonly Scenario[]): boolean {
	return answeredBy(server, scenarios).some((scenario) => scenario.name === name);
}

function leftOutOf(server: ServerSpec, scenarios: readonly Scenario[]): UnmeasuredPair[] {
	const answered = answeredBy(server, scenarios);
	return scenarios
		.filter((scenario) => !answered.includes(scenario))
		.map((scenario) => ({
			server: server.name,
			scenario: scenario.name,
			state: 'left-out',
			reason: reasonLeftOut(server, scenario) ?? 'it does not answer this scenario',
			side: null,
		}));
}
