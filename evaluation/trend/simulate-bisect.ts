/** Bisects of synthetic ranges, through the same steps as a real one: only the rounds are drawn. */
import { ALPHA, addLook, limitsOf, UNTESTED } from '../../src/judge/looks/sequential.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { proofLimits } from '../../src/runs/proof-config.ts';
import { locationOf } from '../../src/stats/location.ts';
import { createRandom, type Random } from '../../src/stats/random.ts';
import {
	BISECT_RULE,
	type BisectRule,
	type BisectState,
	type Posterior,
	type Proof,
} from '../../src/trend/bisect/bisect-state.ts';
import { type BisectStep, nextStep } from '../../src/trend/bisect/next-step.ts';
import { posteriorOf } from '../../src/trend/bisect/posterior.ts';

/** The truth of a synthetic range. */
export interface TrueRange {
	readonly count: number;
	/** Log ratio of each commit against good, of commits 1 to `count`. */
	readonly levels: readonly number[];
	/** Standard deviation of a round. */
	readonly sd: number;
	/** Standard deviation between builds of the same code. */
	readonly buildSd: number;
	/** Bimodal rounds, half of them each this far above or below: a server with two states. */
	readonly split?: number;
	/** Share of rounds whose error is five times as large. */
	readonly outliers?: number;
	/** Commits that do not build. */
	readonly broken?: readonly number[];
	/** Prediction of a change point. */
	readonly expected?: BisectState['expected'];
	readonly prior?: readonly number[];
}

export interface SimulatedBisect {
	readonly step: BisectStep;
	readonly state: BisectState;
	readonly posterior: Posterior;
	/** Rounds of probes, and of proofs. */
	readonly rounds: number;
	readonly proofRounds: number;
}

const ROUND_SECONDS = 6;
const BUILD_SECONDS = 15;
const PROOF_ROUNDS = 20;
/** A longer bisect is a bug. */
const MOST_STEPS = 200;

/** Runs a bisect to its end and returns the outcome. */
export function simulateBisect(range: TrueRange, seed: number, rule: BisectRule = BISECT_RULE): SimulatedBisect {
	const random = createRandom(seed, 77);
	const bias = Array.from({ length: range.count + 1 }, () => range.buildSd * random.normal());
	const levelOf = (commit: number) =>
		(commit === 0 ? 0 : (range.levels[commit - 1] as number)) + (bias[commit] as number);
	const drawRound = (before: number, after: number) => levelOf(after) - levelOf(before) + noiseOf(range, random);
	let state: BisectState = {
		count: range.count,
		prior: range.prior ?? Array.from({ length: range.count }, () => 1),
		expected: range.expected ?? null,
		...{ probes: [], broken: [], same: [], proofs: [] },
	};
	for (let steps = 0; ; steps++) {
		const posterior = posteriorOf(state, rule);
		const step = nextStep(state, posterior, rule);
		if (step.kind === 'prove') {
			const { before, after } = step.span;
			const proof = prove(() => drawRound(before, after), posterior.theta);
			state = { ...state, proofs: [...state.proofs, { before, after, ...proof }] };
		} else if (step.kind === 'probe') {
			state = probe(state, step.commit, rule, range, () => drawRound(0, step.commit));
		}
		if (steps < MOST_STEPS && (step.kind === 'probe' || step.kind === 'prove')) continue;
		const count = (of: readonly { readonly d: readonly number[] }[]) => of.reduce((sum, { d }) => sum + d.length, 0);
		return { step, state, posterior, rounds: count(state.probes), proofRounds: count(state.proofs) };
	}
}

function probe(
	state: BisectState,
	commit: number,
	rule: BisectRule,
	{ broken = [] }: TrueRange,
	draw: () => number,
): BisectState {
	if (broken.includes(commit)) return { ...state, broken: [...state.broken, commit] };
	const d = Array.from({ length: rule.rounds }, draw);
	const isBuilt = state.probes.some((probe) => probe.commit === commit);
	const cost = { seconds: d.length * ROUND_SECONDS, buildSeconds: isBuilt ? 0 : BUILD_SECONDS };
	return { ...state, probes: [...state.probes, { commit, d, ...cost }] };
}

function noiseOf({ sd, split = 0, outliers = 0 }: TrueRange, random: Random): number {
	const state = split === 0 ? 0 : random.coin() ? split : -split;
	const wide = outliers > 0 && random.next() < outliers ? 5 : 1;
	return state + wide * sd * random.normal();
}

/** The sequential rule of every comparison, which must show half of the expected change. */
export function prove(draw: () => number, theta: number): Pick<Proof, 'd' | 'outcome'> {
	const limits = limitsOf(proofLimits(-Math.expm1(-Math.abs(theta))));
	const d: number[] = [];
	let tests = UNTESTED;
	for (const look of planLooks(PROOF_ROUNDS)) {
		while (d.length < look.rounds) d.push(draw());
		const location = locationOf(theta < 0 ? d : d.map((value) => -value));
		if (location === null) continue;
		tests = addLook(tests, location, limits, look);
		const isBeyond = location.centre <= limits.threshold;
		if (tests.unchanged <= ALPHA && !isBeyond) return { d, outcome: 'refuted' };
		if (tests.regressed <= ALPHA && isBeyond) return { d, outcome: 'shown' };
	}
	return { d, outcome: 'open' };
}

/** A range with changes at some commits, of these sizes as log ratios. */
export function rangeWith(
	changes: readonly { readonly commit: number; readonly size: number }[],
	rest: Omit<TrueRange, 'levels'>,
): TrueRange {
	const levels = Array.from({ length: rest.count }, (_, index) =>
		changes.filter(({ commit }) => commit <= index + 1).reduce((sum, { size }) => sum + size, 0),
	);
	return { ...rest, levels };
}
