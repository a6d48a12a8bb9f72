/**
 * Servers that answer little: all connections of a side are answered in one burst, then there is nothing until the next. What is
 * counted in a fixed time is then a whole number of bursts.
 */
import { decide } from '../../src/judge/decide.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { createRandom, type Random } from '../../src/stats/random.ts';
import type { LatencyHistogram } from '../../src/types/round.ts';
import type { Fraction } from '../../src/types/units.ts';
import type { Verdict } from '../../src/types/verdict.ts';
import { scriptPlan, scriptRound, type Turn } from '../support/rounds.ts';

export interface FewAnswers {
	/** Answers of a burst. */
	readonly connections: number;
	/** Bursts of base in a round, on average. */
	readonly bursts: number;
	/** What a burst's length varies by, and what processes differ by, log units. */
	readonly jitter: number;
	readonly spread: number;
	/** Whether counting begins at the same place of a burst in every round, as after a warm-up of fixed length; else anywhere. */
	readonly inStep: boolean;
	readonly drop: Fraction;
	/** Whether the time suffices for alternating windows. */
	readonly confirms: boolean;
	/** Whether the judge can tell how many requests are on their way. */
	readonly told: boolean;
}

/** Rounds that fit into the budget, and as many confirm rounds where the time suffices for them. */
const ROUNDS = 5;
/** Alone on the CPU a server is twice as fast. */
const ALONE = 2;

/** Returns how often each verdict came of `runs` runs of five rounds. Everything follows from `seed`. */
export function verdictsOf(setting: FewAnswers, runs: number, seed: number): Readonly<Record<string, number>> {
	const verdicts = Array.from({ length: runs }, (_, run) => judgeRun(setting, createRandom(seed, run)));
	return Object.fromEntries(
		Object.entries(Object.groupBy(verdicts, (one) => one)).map(([one, all]) => [one, all.length]),
	);
}

function judgeRun(setting: FewAnswers, random: Random): Verdict {
	const phases: Phases = [random.next(), random.next()];
	const phasesOf = (): Phases => (setting.inStep ? phases : [random.next(), random.next()]);
	const main = Array.from({ length: ROUNDS }, (_, at) =>
		scriptRound(at + 1, { slow: measure(setting, 1, phasesOf(), random) }),
	);
	const confirm = Array.from({ length: setting.confirms ? ROUNDS : 0 }, (_, at) =>
		scriptRound(at + 1, { slow: measure(setting, ALONE, phasesOf(), random) }, { purpose: 'confirm' }),
	);
	const plan = scriptPlan(['slow'], { looks: planLooks(ROUNDS) });
	return decide(plan, [...main, ...confirm], 'budget').rows[0]?.verdict ?? 'invalid';
}

type Phases = readonly [number, number];

/** One turn, its counted time taken as one window, as windows of few answers are pooled. */
function measure(
	{ connections, bursts, spread, drop, told, jitter }: FewAnswers,
	speed: number,
	phases: Phases,
	random: Random,
): Turn {
	const [base, head] = ([0, Math.log1p(-drop)] as const).map((d, side) => {
		const length = 1 / (bursts * speed * Math.exp(d + (spread * random.normal()) / Math.SQRT2));
		let count = 0;
		for (let at = (phases[side] as number) * length; at < 1; at += length * Math.exp(jitter * random.normal())) count++;
		return count * connections;
	}) as [number, number];
	const latencyOf = (answers: number): LatencyHistogram => (told ? [[(1e6 * connections) / answers, answers]] : []);
	return {
		d: Math.log(head / base),
		windows: [0],
		answers: base,
		latency: { base: latencyOf(base), head: latencyOf(head) },
	};
}
