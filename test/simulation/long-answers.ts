/**
 * Simulates servers with long answers, each connection in a closed loop: the counts and lengths of a duet's windows, and the verdicts
 * within a budget. Counting and window lengths come from the generator (`AnswerShares`, `lengthenWindows`).
 */
import { decide } from '../../src/judge/decide.ts';
import { AnswerShares, lengthenWindows } from '../../src/measure/generator/long-answers.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { planMaxRounds } from '../../src/plan/plan-run.ts';
import { timingFor } from '../../src/plan/timing.ts';
import { createRandom, type Random } from '../../src/stats/random.ts';
import type { Config } from '../../src/types/config.ts';
import type { Timing } from '../../src/types/plan.ts';
import type { Round, Window, WindowSide } from '../../src/types/round.ts';
import type { Fraction, Seconds, Side } from '../../src/types/units.ts';
import { SIDES } from '../../src/types/units.ts';
import type { RowDecision } from '../../src/types/verdict.ts';
import { scriptPlan } from '../support/rounds.ts';

/** Tricks of head to look faster: its first answer on each connection comes early, or requests at the end of a window wait. */
type Trick = 'fast at first' | 'slow at the end';

export interface LongAnswers {
	/** Time of base's answers. */
	readonly milliseconds: number;
	readonly connections: number;
	/** Standard deviation of that time, as a share of it. */
	readonly jitter: Fraction;
	/** Slowdown of head, as a share. */
	readonly slower: Fraction;
	readonly trick?: Trick;
	/** Whether only whole answers are counted, as in older files. */
	readonly whole?: true;
}

export interface LongRun {
	readonly row: RowDecision;
	readonly rounds: number;
	readonly seconds: Seconds;
}

/** Latencies (ms) and numbers of connections to decide. */
export const LATENCIES = [20, 50, 100, 200, 300, 500, 1000, 3000] as const;
export const CONNECTIONS = [1, 20, 100] as const;
export const JITTERS = [0, 0.1] as const;

/** Differences between processes, and lateness of timers. */
const PROCESS_SPREAD = 0.002;
const LATE_MS = 1;
/** A warm-up that never gets its 40,000 answers; it reopens its connections half-way. */
const REOPENED_MS = 2_000;
const WARM_MS = 4_000;
/** Time to start and stop two processes. */
const START_SECONDS = 1.5;
const CPU_SECONDS = 0.000_05;
const SHORTEST = 0.2;
const HELD_MS = 9_000;

/** Returns the budget in which a change of 10 % must be found. */
export function budgetFor(milliseconds: number): Seconds {
	return milliseconds <= 300 ? 120 : milliseconds <= 1000 ? 300 : 600;
}

/** Simulates one run until it is decided or the budget is spent. Deterministic given `random`. */
export function runLong(setting: LongAnswers, random: Random): LongRun {
	const budgetSeconds = budgetFor(setting.milliseconds);
	const plain = scriptPlan(['slow'], { budgetSeconds });
	const gate: Config['gate'] = { metrics: ['throughput'], onInconclusive: 'pass' };
	const config = { design: 'duet', budgetSeconds, gate } as Config;
	const plan = { ...plain, timing: timingFor(config), looks: planLooks(planMaxRounds(config, plain.cells)) };
	const rounds: Round[] = [];
	let seconds = 0;
	let purpose: Round['purpose'] = 'main';
	for (;;) {
		const round = measure(setting, purpose, rounds.filter((one) => one.purpose === purpose).length + 1, random);
		if (rounds.length > 0 && seconds + round.seconds > budgetSeconds) break;
		rounds.push(round);
		seconds += round.seconds;
		const { rows, confirm } = decide(plan, rounds, null);
		if (rows[0]?.final) return { row: rows[0], rounds: rounds.length, seconds };
		purpose = confirm.length > 0 ? 'confirm' : 'main';
	}
	const [row] = decide(plan, rounds, 'budget').rows;
	if (!row) throw new Error('no row');
	return { row, rounds: rounds.length, seconds };
}

function measure(setting: LongAnswers, purpose: Round['purpose'], round: number, random: Random): Round {
	const design = purpose === 'main' ? 'duet' : 'alternating';
	const { milliseconds, connections } = setting;
	const lapsOf = (side: Side) => {
		const baseMean = milliseconds * Math.exp((PROCESS_SPREAD * random.normal()) / Math.SQRT2);
		return { side, mean: side === 'head' ? baseMean * (1 + setting.slower) : baseMean };
	};
	const [base, head] = SIDES.map(lapsOf) as [Process, Process];
	const warm = Array.from({ length: connections }, () => warmUp(base, setting, random));
	const from = Math.max(...warm.map(({ at }) => at));
	const answers = warm.reduce((sum, one) => sum + one.answers, 0);
	const lap = warm.reduce((sum, one) => sum + one.waited, 0) / answers / 1000;
	const timing = lengthenWindows(timingFor({ design }), { connections, pipelining: 1 }, lap);
	const [ofBase, ofHead] = [base, head].map((one) =>
		purpose === 'main' ? duet(one, setting, timing, from, random) : alternating(one, setting, timing, random),
	) as [Loaded, Loaded];
	const windows = Array.from({ length: timing.windows }, (_, at): Window => {
		const sides = { base: ofBase.windows[at] as WindowSide, head: ofHead.windows[at] as WindowSide };
		const used = (sides.base.cpuSeconds ?? 0) + (sides.head.cpuSeconds ?? 0);
		return {
			...{ kind: design, startedAt: at, ...sides, generatorUtilisation: 0.05, generatorCpuSeconds: 0.1 },
			...{ otherCpu: 0, serverCpuIdle: Math.max(0, timing.windowSeconds - used) },
		};
	});
	const end = purpose === 'main' ? Math.max(ofBase.end, ofHead.end) : from + ofBase.end + ofHead.end;
	// Time of two requests at rest per side, and of the solo windows in the first round.
	const askingSeconds = (2 * milliseconds * (1 + setting.slower)) / 1000;
	const solo = round > 1 || purpose === 'confirm' ? 0 : 2 * (timing.settleSeconds + timing.soloSeconds) + askingSeconds;
	return {
		...{ round, purpose, startedAt: 0, loadSeconds: 0, seconds: START_SECONDS + askingSeconds + end / 1000 + solo },
		cells: [
			{
				...{ cell: 'app/slow', round, purpose, design, windows, faults: [], pinned: true },
				memoryPeak: { base: null, head: null },
			},
		],
	};
}

/** A process and the mean time of its answers (ms). */
interface Process {
	readonly side: Side;
	readonly mean: number;
}

function answerMs({ mean }: Process, { jitter }: LongAnswers, random: Random): number {
	return mean * Math.max(SHORTEST, 1 + jitter * random.normal()) + LATE_MS * random.next();
}

/** One connection of base, until all requests of the warm-up are answered. */
function warmUp(base: Process, setting: LongAnswers, random: Random) {
	let [at, answers, waited] = [REOPENED_MS, 0, 0];
	while (at < WARM_MS) {
		const took = answerMs(base, setting, random);
		at += took;
		answers++;
		waited += took;
	}
	return { at, answers, waited };
}

interface Loaded {
	readonly windows: readonly WindowSide[];
	/** Returns the time at which all requests under way at the end of the last window are answered. */
	readonly end: number;
}

/** Consecutive windows on the connections of the warm-up. */
function duet(process: Process, setting: LongAnswers, timing: Timing, from: number, random: Random): Loaded {
	const edges = Array.from({ length: timing.windows + 1 }, (_, at) => from + at * timing.windowSeconds * 1000);
	return load(process, setting, REOPENED_MS, edges, random);
}

/** The windows of one side, with new connections for each. */
function alternating(process: Process, setting: LongAnswers, timing: Timing, random: Random): Loaded {
	const from = timing.settleSeconds * 1000;
	const each = Array.from({ length: timing.windows }, () =>
		load(process, setting, 0, [from, from + timing.windowSeconds * 1000], random),
	);
	return { windows: each.flatMap(({ windows }) => windows), end: each.reduce((sum, { end }) => sum + end, 0) };
}

/**
 * All connections of one side, opened at `opened`, in windows between `edges`, until the requests under way at the last edge are answered.
 */
function load(
	process: Process,
	setting: LongAnswers,
	opened: number,
	edges: readonly number[],
	random: Random,
): Loaded {
	const shares = new AnswerShares();
	const last = edges.at(-1) as number;
	const counts = edges.slice(1).map((to, at) => {
		shares.begin(edges[at] as number);
		shares.end(to);
		return { completed: 0, waited: 0 };
	});
	const trick = process.side === 'head' ? setting.trick : undefined;
	let end = last;
	for (let connection = 0; connection < setting.connections; connection++) {
		for (let [since, at, asked] = [0, opened, 0]; at < last; asked++) {
			since = at;
			const took = answerMs(process, setting, random) * (trick === 'fast at first' && asked === 0 ? 0.5 : 1);
			at += trick === 'slow at the end' && since + took > last ? HELD_MS : took;
			shares.add(since, at);
			const window = counts[edges.findLastIndex((edge) => edge < at)];
			if (!window) continue;
			window.completed++;
			window.waited += at - since;
		}
		end = Math.max(end, ...[trick === undefined ? last + process.mean : last + HELD_MS]);
	}
	const answers = shares.last(counts.length);
	return {
		end,
		windows: counts.map(({ completed, waited }, at) => ({
			...{ seconds: ((edges[at + 1] as number) - (edges[at] as number)) / 1000, completed, bytes: completed * 100 },
			...(!setting.whole && { answers: answers[at] as number }),
			...{ statuses: { 200: completed }, unexpected: 0, errors: 0, cpuSeconds: completed * CPU_SECONDS },
			latency: completed === 0 ? [] : [[Math.round((1000 * waited) / completed), completed]],
		})),
	};
}

/** Outcomes of the runs of one setting. */
export interface LongTally {
	readonly runs: number;
	readonly verdicts: Readonly<Record<string, number>>;
	readonly meanRounds: number;
	readonly meanSeconds: Seconds;
	readonly longest: Seconds;
	/** Narrowest interval of all runs (high minus low), and the smallest slowdown that any run could have detected. */
	readonly narrowest: Fraction;
	readonly smallest: Fraction;
}

/** Simulates `runs` runs and returns their outcomes. Deterministic given `seed`. */
export function tallyLong(setting: LongAnswers, runs: number, seed: number): LongTally {
	const all = Array.from({ length: runs }, (_, run) => runLong(setting, createRandom(seed, run)));
	const widths = all.map(({ row: { estimate } }) => {
		const { low, high } = estimate?.interval ?? { low: null, high: null };
		return low === null || high === null ? Number.POSITIVE_INFINITY : high - low;
	});
	const groups = Object.groupBy(all, ({ row }) => row.verdict);
	return {
		runs,
		verdicts: Object.fromEntries(Object.entries(groups).map(([verdict, each]) => [verdict, each.length])),
		meanRounds: all.reduce((sum, { rounds }) => sum + rounds, 0) / runs,
		meanSeconds: all.reduce((sum, { seconds }) => sum + seconds, 0) / runs,
		longest: Math.max(...all.map(({ seconds }) => seconds)),
		narrowest: Math.min(...widths),
		smallest: Math.min(...all.map(({ row }) => row.smallestDecidableThreshold ?? Number.POSITIVE_INFINITY)),
	};
}
