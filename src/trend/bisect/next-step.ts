import { type BisectRule, type BisectState, type Posterior, pooledProbes } from './bisect-state.ts';
import { chooseProbe } from './choose-probe.ts';

/** From good to bad. Commits between them did not build. */
export interface Span {
	readonly before: number;
	readonly after: number;
	readonly probability: number;
}

export type BisectStep =
	| { readonly kind: 'probe'; readonly commit: number }
	| { readonly kind: 'prove'; readonly span: Span }
	/** `proven`: a fresh duet has shown it. */
	| { readonly kind: 'found'; readonly span: Span; readonly proven: boolean }
	| { readonly kind: 'no-change'; readonly sameCode: boolean }
	/** No measurement would add information. */
	| { readonly kind: 'stuck'; readonly span: Span };

/** An open proof is repeated once. */
const MOST_PROOFS = 2;
/** If no probe adds information, a span is proved from this probability on. */
const WORTH_PROVING = 0.5;
/** Rounds of bad are added until the change is this many SDs from 0, but at most this many. */
const SURE_SDS = 2.5;
const MOST_AT_BAD = 24;
/** The search ends if the change is surely smaller. */
const SMALLEST_CHANGE = 0.015;
/** If the probability of a second change is in this range, both of its sides get more rounds. */
const MAYBE_TWO = [0.02, 0.9] as const;
const ROUNDS_FOR_TWO = 9;

/**
 * Returns the next step: first bad, unless a change point gives the size of the change; then the probe with the most
 * information per second.
 */
export function nextStep(state: BisectState, posterior: Posterior, rule: BisectRule): BisectStep {
	const { count, broken, same, expected } = state;
	if (same.includes(count)) return { kind: 'no-change', sameCode: true };
	const best = spansOf(state, posterior).reduce((a, b) => (b.probability > a.probability ? b : a));
	if (expected === null && !broken.includes(count)) {
		const bad = judgeBad(state, posterior, rule);
		if (bad === 'unsure') return { kind: 'probe', commit: count };
		if (bad === 'equal') return { kind: 'no-change', sameCode: false };
	}
	if (best.probability >= rule.confidence) return proveOrEnd(state, posterior, best);
	if (posterior.none >= rule.confidence) return { kind: 'no-change', sameCode: false };
	const commit = chooseProbe(state, posterior, rule);
	if (commit === null)
		return best.probability < WORTH_PROVING ? { kind: 'stuck', span: best } : proveOrEnd(state, posterior, best);
	return { kind: 'probe', commit };
}

/** Returns the spans between neighbouring measurable commits. Bad always counts as measurable. */
export function spansOf({ count, broken }: BisectState, { first }: Pick<Posterior, 'first'>): Span[] {
	const spans: Span[] = [];
	let before = 0;
	let probability = 0;
	for (let commit = 1; commit <= count; commit++) {
		probability += first[commit - 1] as number;
		if (broken.includes(commit) && commit < count) continue;
		spans.push({ before, after: commit, probability });
		[before, probability] = [commit, 0];
	}
	return spans;
}

function judgeBad(state: BisectState, { roundSd }: Posterior, { buildSd }: BisectRule): 'unsure' | 'equal' | 'changed' {
	const d = pooledProbes(state).get(state.count) ?? [];
	if (d.length === 0) return 'unsure';
	const size = Math.abs(d.reduce((sum, value) => sum + value, 0) / d.length);
	const sd = Math.sqrt(roundSd ** 2 / d.length + 2 * buildSd ** 2);
	if (size >= SURE_SDS * sd) return 'changed';
	return d.length >= MOST_AT_BAD || size + SURE_SDS * sd < SMALLEST_CHANGE ? 'equal' : 'unsure';
}

function proveOrEnd(state: BisectState, posterior: Posterior, span: Span): BisectStep {
	const { proofs, broken, count } = state;
	const spanProofs = proofs.filter(({ before, after }) => before === span.before && after === span.after);
	const proven = spanProofs.some(({ outcome }) => outcome === 'shown');
	if (!proven && spanProofs.length < MOST_PROOFS && !broken.includes(span.after)) return { kind: 'prove', span };
	const thin = [span.after, count].find((commit) => needsRounds(state, commit));
	const [least, most] = MAYBE_TWO;
	const maybe = posterior.two.probability > least && posterior.two.probability < most;
	return proven && maybe && thin !== undefined ? { kind: 'probe', commit: thin } : { kind: 'found', span, proven };
}

function needsRounds(state: BisectState, commit: number): boolean {
	return !state.broken.includes(commit) && (pooledProbes(state).get(commit)?.length ?? 0) < ROUNDS_FOR_TWO;
}
