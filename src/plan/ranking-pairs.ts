import { answeredBy, isAsked, reasonLeftOut } from '../config/answered-scenarios.ts';
import { COUNTED_SECONDS } from '../config/options/measure-options.ts';
import type { LoadShape } from '../config/ranking/resolve-ranking.ts';
import type { Config, Design, Scenario, ServerSpec } from '../types/config.ts';
import type { Cell, Plan, Timing, Warmup } from '../types/plan.ts';
import type { UnmeasuredPair } from '../types/ranking/ranking.ts';
import type { Seconds } from '../types/units.ts';
import { estimateSeconds, timingFor } from './timing.ts';

/** Servers that are measured with one reference. */
export interface PairGroup {
	readonly reference: string;
	/** Whether the server is loaded alone, with nothing beside it; `reference` is then the server itself. */
	readonly isAlone?: boolean;
	/** Whether its rows share processes, as the scenarios of a published page do; otherwise each row has some of its own. */
	readonly sharesProcesses?: true;
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
	/** Counted load of a server in a round, and of its reference. */
	readonly durationSeconds?: Seconds | undefined;
	readonly warmupSeconds?: Seconds | undefined;
	/** Whether each server is loaded alone, and nothing beside it. */
	readonly isAlone?: boolean | undefined;
	/** What else a preset says of its load. */
	readonly shape?: LoadShape | null | undefined;
}

/**
 * Windows in turn with the reference, of each of the two: short ones, because the nearer two windows are in time, the more alike they
 * find the machine, and many (decision 0064). Before each there is load for so long that queues are full again. Together they
 * last as long as one window alone would.
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
/** Where nothing is measured in turn every round has its solo windows. */
const ALL_ROUNDS = 1_000_000;
/** Each side has the CPU to itself until it is warm, for as long as servers need that compress every answer (decision 0066). */
const WARM_UP_IN_TURN = { requests: 40_000, leastSeconds: 0.5, mostSeconds: 8, inTurn: true } as const;

/**
 * Returns how long each part of a round lasts: for servers that are each loaded alone, as with a preset, or in turn with a reference. A
 * warm-up of a given length lasts that long whatever was answered.
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
		// Whatever is sent counts, as on a page.
		...(isAlone
			? { windows: 0, soloSeconds: durationSeconds ?? usual.soloSeconds, soloRounds: ALL_ROUNDS, settleSeconds: 0 }
			: inTurn(durationSeconds)),
		...(stages && { stages }),
		...(pauseSeconds > 0 && { pauseSeconds }),
		...(shape?.calls && { calls: shape.calls }),
	};
}

/** More time makes more windows and not longer ones. Their number is even, so that each side goes first as often as the other. */
function inTurn(seconds: Seconds | undefined): Partial<Timing> {
	if (seconds === undefined) return IN_TURN;
	const windows = Math.max(2, 2 * Math.round(seconds / IN_TURN.windowSeconds / 2));
	return { ...IN_TURN, windows, windowSeconds: seconds / windows, soloSeconds: seconds };
}

/** Of scenarios that measure starts and memory, for which a duet is as good: a window only shows that the answers are right. */
function besideTiming({ resting: _, stages: _stages, pauseSeconds: _pause, ...timing }: Timing): Timing {
	const { windowSeconds, settleSeconds, firstWarmup, warmup } = timingFor({ design: 'duet' });
	return { ...timing, firstWarmup, warmup, windows: 1, windowSeconds, settleSeconds, soloRounds: 0 };
}

/** Of servers in worker processes, which have no reference. */
function aloneTiming({ resting: _, ...timing }: Timing): Timing {
	const { settleSeconds } = timingFor({ design: 'duet' });
	return { ...timing, windows: 0, soloRounds: ALL_ROUNDS, settleSeconds };
}

/**
 * Returns who is measured with whom: every installed server with the reference in each scenario that both answer. Where the
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
	const groups = [...Map.groupBy(cells, ({ beside }) => beside)].flatMap(([beside, own]) => {
		const loaded = own.flatMap(({ cell }) => (cell.metrics === undefined ? cell : []));
		const bare = own.flatMap(({ cell }) => (cell.metrics === undefined ? [] : cell));
		return [
			groupOf(config, beside, loaded, timing, 'alternating'),
			groupOf(config, beside, bare, besideTiming(timing), 'duet'),
		].filter(({ plan }) => plan.cells.length > 0);
	});
	// Worker processes want all CPUs, and have nobody beside them.
	const crowds = scenarios.filter(({ workers }) => workers !== undefined);
	const alone = groupsAlone(config, present, crowds, aloneTiming(timing));
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
		return { ...groupOf(config, server.name, cells, timing, 'duet'), isAlone: true };
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
	const loaded = scenarios.filter(({ metrics }) => metrics === undefined);
	// Starts and memory need no load; two processes of the server tell twice as much of them as one.
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

/** Returns the wall time of `rounds` rounds of all pairs. */
export function estimatePairs(groups: readonly PairGroup[], rounds: number): Seconds {
	return groups.reduce((sum, { sharesProcesses, plan: { cells, design, timing } }) => {
		const parts = sharesProcesses ? [cells] : cells.map((cell) => [cell]);
		const all = parts.reduce((seconds, own) => seconds + estimateSeconds(own, rounds, design, timing), 0);
		// If a pair is not loaded side by side, only one of the two is loaded.
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
