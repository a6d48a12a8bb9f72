import { planLooks } from '../../src/plan/looks.ts';
import { countedWindows, poolTotals, sideOf } from '../../src/stats/windows.ts';
import type { Design } from '../../src/types/config.ts';
import type { Look, Plan } from '../../src/types/plan.ts';
import type {
	CellRound,
	Fault,
	LatencyHistogram,
	Round,
	SideStart,
	Window,
	WindowSide,
} from '../../src/types/round.ts';
import type { Fraction, Side, Sides } from '../../src/types/units.ts';

/** One cell's turn of a scripted round. */
export interface Turn {
	/** Log ratio of throughput: negative is worse. */
	readonly d: number;
	/** Signed log ratio of CPU per request; null without CPU times. `d` when absent, as in a saturated duet. */
	readonly cpu?: number | null;
	/** Log ratio of each window relative to `d`. Four zeros when absent. */
	readonly windows?: readonly number[];
	/** Base, per window. */
	readonly answers?: number;
	/** Machine speed: factor on both sides' rates. */
	readonly speed?: number;
	readonly generator?: Fraction;
	/** CPU time / wall time. */
	readonly generatorCpu?: Fraction;
	/** Both sides' CPU time / wall time. */
	readonly server?: Fraction;
	/** CPU use in alternating windows, as a share of one CPU. Unknown when absent. */
	readonly resting?: readonly [base: Fraction, head: Fraction];
	/** Of the servers' CPU. Unknown when absent. */
	readonly idle?: Fraction;
	readonly otherCpu?: Fraction | null;
	/** Head, per window. */
	readonly unexpected?: number;
	readonly errors?: number;
	/** Per window: each at a separate moment, or in one burst with `inOne`. */
	readonly resent?: readonly [base: number, head: number, inOne?: boolean];
	readonly pinned?: boolean;
	readonly faults?: readonly Fault[];
	readonly latency?: { readonly base: LatencyHistogram; readonly head: LatencyHistogram };
	/** Answers per second. */
	readonly solo?: readonly [number, number];
	readonly memory?: readonly [number, number];
	/** Requests a second per side, and the answered share. */
	readonly rate?: { readonly due: number; readonly held?: readonly [number, number]; readonly late?: number };
	/** After 100,000 requests. */
	readonly after?: readonly [number, number];
	/** As a share of the answers' cost, and final CPU use. */
	readonly afterwork?: Sides<{ readonly share: Fraction; readonly unfinished?: Fraction } | null>;
	readonly grouped?: true;
	readonly held?: true;
	readonly start?: {
		readonly seconds?: readonly [number, number];
		readonly memory?: readonly [number, number];
		readonly reload?: readonly [number, number];
		readonly hotReload?: readonly [number, number];
	};
}

export interface RoundOptions {
	readonly purpose?: Round['purpose'];
	readonly design?: Design;
}

const LATENCY: LatencyHistogram = [
	[1000, 900],
	[2000, 100],
];

/** Returns 20 rounds for server `app`: threshold 5 %, tolerance 2.5 %, gated by throughput. */
export function scriptPlan(
	scenarios: readonly string[],
	changes: Partial<Plan> & { looks?: readonly Look[] } = {},
): Plan {
	return {
		seed: 1,
		design: 'duet',
		cells: scenarios.map((scenario) => ({
			id: `app/${scenario}`,
			server: 'app',
			scenario,
			threshold: 0.05,
			tolerance: 0.025,
		})),
		oneSided: [],
		metrics: ['throughput'],
		looks: planLooks(20),
		timing: {
			firstWarmup: { requests: 1000, leastSeconds: 1, mostSeconds: 2 },
			warmup: { requests: 500, leastSeconds: 0.5, mostSeconds: 1 },
			settleSeconds: 0.1,
			windowSeconds: 1,
			windows: 4,
			soloSeconds: 1,
			soloRounds: 3,
		},
		budgetSeconds: 600,
		...changes,
	};
}

/** The caller numbers rounds of each purpose from 1. */
export function scriptRound(round: number, turns: Readonly<Record<string, Turn>>, options: RoundOptions = {}): Round {
	const { purpose = 'main', design = purpose === 'main' ? 'duet' : 'alternating' } = options;
	const cells = Object.entries(turns).map(([scenario, turn]): CellRound => {
		const [base, head] = turn.memory ?? [80e6, 80e6];
		const cellRound: CellRound = {
			cell: `app/${scenario}`,
			round,
			purpose,
			design,
			windows: [...scriptWindows(turn, design), ...scriptSolo(turn)],
			memoryPeak: { base, head },
			...(turn.after && { memoryAfter: { base: turn.after[0], head: turn.after[1] } }),
			...(turn.start && { start: { base: scriptStart(turn.start, 0), head: scriptStart(turn.start, 1) } }),
			faults: turn.faults ?? [],
			pinned: turn.pinned ?? true,
			...(turn.grouped && { grouped: true }),
			...(turn.held && { held: true }),
		};
		return turn.afterwork ? { ...cellRound, afterwork: scriptAfterwork(cellRound, turn.afterwork) } : cellRound;
	});
	return { round, purpose, startedAt: round * 10, seconds: 10, loadSeconds: 4 * cells.length, cells };
}

/** Returns main rounds of `ping`; a number is a turn's d. */
export function scriptRounds(turns: readonly (number | Turn)[], options: RoundOptions = {}): Round[] {
	return turns.map((turn, index) =>
		scriptRound(index + 1, { ping: typeof turn === 'number' ? { d: turn } : turn }, options),
	);
}

/** Returns `n` deterministic values with exactly this mean and sample standard deviation. */
export function spread(n: number, mean: number, sd: number): number[] {
	const raw = Array.from({ length: n }, (_, index) => (index % 2 === 0 ? 1 : -1) * (1 + ((index * 7) % 5) / 10));
	const centre = raw.reduce((sum, value) => sum + value, 0) / n;
	const square = raw.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (n - 1);
	return raw.map((value) => mean + ((value - centre) / Math.sqrt(square)) * sd);
}

function scriptAfterwork(
	cellRound: CellRound,
	shares: NonNullable<Turn['afterwork']>,
): NonNullable<CellRound['afterwork']> {
	const workOf = (side: Side) => {
		const work = shares[side];
		if (work === null) return null;
		const { cpuSeconds, completed } = poolTotals(sideOf(countedWindows(cellRound), side));
		// Assumes equal numbers of answers in warm-up and windows.
		const answers = 2 * completed;
		const perAnswer = (cpuSeconds ?? 0) / completed;
		return { cpuSeconds: work.share * perAnswer * answers, answers, unfinished: work.unfinished ?? 0 };
	};
	return { base: workOf('base'), head: workOf('head') };
}

function scriptStart(start: NonNullable<Turn['start']>, at: 0 | 1): SideStart {
	const { seconds, memory, reload, hotReload } = start;
	return {
		...{ seconds: seconds?.[at] ?? null, memory: memory?.[at] ?? null },
		...(reload && { reload: reload[at] }),
		...(hotReload && { hotReload: hotReload[at] }),
	};
}

function scriptWindows(turn: Turn, design: Design): Window[] {
	const windows = (turn.windows ?? [0, 0, 0, 0]).map((offset) => scriptPair({ ...turn, d: turn.d + offset }));
	if (design === 'duet') return windows;
	// Alone on the CPU a side gets all of it, not half as in a duet.
	const full = (side: WindowSide | null, other: 0 | 1) =>
		side && {
			...side,
			cpuSeconds: side.cpuSeconds === null ? null : side.cpuSeconds * 2,
			...(turn.resting && { restingCpuSeconds: turn.resting[other] * side.seconds }),
		};
	const alone = (side: 'base' | 'head') => (window: Window) => ({
		...window,
		base: side === 'base' ? full(window.base, 1) : null,
		head: side === 'head' ? full(window.head, 0) : null,
	});
	const oneSided = windows.flatMap((window, index) =>
		index % 2 === 0 ? [alone('base')(window), alone('head')(window)] : [alone('head')(window), alone('base')(window)],
	);
	return oneSided.map((window) => ({ ...window, kind: design }));
}

/** A one-second window with `due` requests per side, regardless of answers. */
function atRate(window: Window, { due, held: [base, head] = [1, 1], late = 0 }: NonNullable<Turn['rate']>): Window {
	const side = (own: WindowSide | null, held: number) =>
		own && {
			...own,
			completed: due * held,
			statuses: { 200: due * held },
			bytes: due * held * 100,
			due,
			late: late * due,
		};
	return { ...window, base: side(window.base, base), head: side(window.head, head) };
}

function scriptPair(turn: Turn): Window {
	const window = freePair(turn);
	return turn.rate ? atRate(window, turn.rate) : window;
}

function freePair(turn: Turn): Window {
	const { d, cpu = d, answers = 2000, speed = 1, server = 1, unexpected = 0, errors = 0, resent = [0, 0] } = turn;
	const { generator = 0.5, generatorCpu = generator } = turn;
	// Identity of a duet: ln(CPU head / CPU base) = d of throughput − d of CPU per request.
	const ratio = Math.exp(d - (cpu ?? d));
	const cpuBase = server / (1 + ratio);
	const base = answers * speed;
	const side = (completed: number, seconds: number, latency: LatencyHistogram): WindowSide => ({
		seconds: 1,
		completed,
		bytes: completed * 100,
		statuses: { 200: completed },
		unexpected: 0,
		errors: 0,
		cpuSeconds: cpu === null ? null : seconds,
		latency,
	});
	const again = (count: number) => (count === 0 ? {} : { resent: count, resentMoments: resent[2] ? 1 : count });
	return {
		kind: 'duet',
		startedAt: 0,
		base: { ...side(base, cpuBase, turn.latency?.base ?? LATENCY), ...again(resent[0]) },
		head: {
			...side(base * Math.exp(d), server - cpuBase, turn.latency?.head ?? LATENCY),
			...{ unexpected, errors, ...again(resent[1]) },
		},
		generatorUtilisation: generator,
		generatorCpuSeconds: generatorCpu,
		otherCpu: turn.otherCpu === undefined ? 0.01 : turn.otherCpu,
		serverCpuIdle: turn.idle ?? null,
	};
}

function scriptSolo({ solo, idle }: Turn): Window[] {
	if (!solo) return [];
	return (['base', 'head'] as const).map((side, index) => {
		const answers = solo[index] as number;
		const window = scriptPair({ d: 0, answers, ...(idle !== undefined && { idle }) });
		return { ...window, kind: 'solo', base: null, head: null, [side]: { ...window.base, cpuSeconds: 0.9 } } as Window;
	});
}
