/**
 * Searches the piece that carries a loss. Pieces are applied to base in turn, like commits of a bisect. A proven set is
 * narrowed by delta debugging with halves by weight. Source: Zeller and Hildebrandt 2002.
 */
import { BISECT_RULE, type BisectRule, type BisectState, type Posterior } from '../trend/bisect/bisect-state.ts';
import { chooseProbe, costOf } from '../trend/bisect/choose-probe.ts';
import { type Span, spansOf } from '../trend/bisect/next-step.ts';
import { posteriorOf } from '../trend/bisect/posterior.ts';
import type { Seconds } from '../types/units.ts';
import type { Piece } from './proof-part.ts';
import type { Division as WholeDivision } from './proof-pieces.ts';

/** `probe`: base with the first `applied` pieces. `prove`: head without those of `span`. */
export type ProofMove =
	| { readonly kind: 'probe'; readonly applied: number }
	| { readonly kind: 'prove'; readonly span: Span }
	| { readonly kind: 'stuck'; readonly span: Span };

/** A proof informs like a probe. */
const PROVE_AT = 0.7;
const WORTH_PROVING = 0.4;
/** Of a span's probability, to prove a single piece; or so many times the next piece's. */
const STANDS_OUT = 0.5;
const TIMES_NEXT = 3;
const MOST_PROOFS = 2;
/** Of a proof: two in which head is loaded too. */
export const PROOF_ROUNDS = 6;
/** Part of a set's weight that is not worth a proof. */
const NEGLIGIBLE = 0.05;
const ROUND_SD = 0.025;
/** Standard errors between loss and no loss. */
const APART = 3;
const MOST_ROUNDS = 3;

export function proofRule(loss: number): BisectRule {
	const wanted = Math.ceil(((APART * ROUND_SD) / loss) ** 2);
	const rounds = Math.min(MOST_ROUNDS, Math.max(1, wanted));
	return { ...BISECT_RULE, none: 0.01, two: 0.05, roundSd: ROUND_SD, rounds };
}

/** Keeps time for a proof. */
export function nextMove(
	state: BisectState,
	rule: BisectRule,
	mayProbe = true,
	secondsLeft: Seconds = Number.POSITIVE_INFINITY,
): ProofMove {
	const costs = [rule, { ...rule, rounds: PROOF_ROUNDS }].map((each) => costOf(state, each)(state.count));
	const probes = mayProbe && costs.reduce((sum, seconds) => sum + seconds) <= secondsLeft;
	const posterior = posteriorOf(state, rule);
	const single = likeliest(state, posterior, { before: 0, after: state.count, probability: 1 });
	const best = spansOf(state, posterior).reduce((one, other) => (other.probability > one.probability ? other : one));
	const inBest = likeliest(state, posterior, best);
	const others = posterior.first.filter((_, at) => at >= best.before && at < best.after && at !== inBest?.before);
	const least = Math.min(STANDS_OUT * best.probability, TIMES_NEXT * Math.max(0, ...others));
	const standsOut = inBest !== null && inBest.probability >= least;
	const target = standsOut ? inBest : mayProve(state, best) ? best : inBest;
	if (target !== null && best.probability >= PROVE_AT) return { kind: 'prove', span: target };
	const applied = probes ? chooseProbe(state, posterior, rule) : null;
	if (applied !== null && applied < state.count) return { kind: 'probe', applied };
	if (!probes && single !== null) return { kind: 'prove', span: single };
	if (target !== null && best.probability >= WORTH_PROVING) return { kind: 'prove', span: target };
	return { kind: 'stuck', span: best };
}

function likeliest(state: BisectState, { first }: Pick<Posterior, 'first'>, { before, after }: Span): Span | null {
	const pieces = first.map((probability, at) => ({ before: at, after: at + 1, probability }));
	const open = pieces.slice(before, after).filter((piece) => piece.probability > 0 && mayProve(state, piece));
	return open.reduce<Span | null>((best, piece) => (piece.probability > (best?.probability ?? 0) ? piece : best), null);
}

/** A proof without rounds did not run. */
function mayProve({ proofs }: BisectState, { before, after }: Span): boolean {
	const tried = proofs.filter((proof) => proof.before === before && proof.after === after);
	return tried.length < MOST_PROOFS && tried.every(({ d }) => d.length > 0);
}

type Division = Pick<WholeDivision, 'pieces' | 'conflicts' | 'related'>;

/**
 * Returns sets to take out for a span: with the pieces that it conflicts with; then also with those that name the same
 * things, and with all that head removes, because base's code may need it; then also with the rest of its files.
 */
export function widen(division: Division, span: readonly Piece[]): readonly (readonly Piece[])[] {
	const { pieces, related } = division;
	const akin = new Set([...span, ...span.flatMap((piece) => [...related(piece)])]);
	const wide = pieces.filter((piece) => akin.has(piece) || piece.change === 'deleted');
	const files = new Set(span.map(({ path }) => path));
	const around = pieces.filter((piece) => wide.includes(piece) || (piece.package === null && files.has(piece.path)));
	const sets = [span, wide, around].map((set) => withConflicts(division, set));
	return sets.filter((set, at) => set.length < pieces.length && (at === 0 || set.length > (sets[at - 1]?.length ?? 0)));
}

function withConflicts(
	{ pieces, conflicts }: Pick<Division, 'pieces' | 'conflicts'>,
	set: readonly Piece[],
): readonly Piece[] {
	const out = new Set(set);
	for (let size = -1; size !== out.size; ) {
		size = out.size;
		for (const piece of conflicts((one) => !out.has(one))) out.add(piece);
	}
	return pieces.filter((piece) => out.has(piece));
}

export interface Trial {
	readonly out: readonly Piece[];
	readonly outcome: 'carries' | 'carries-nothing' | 'between' | 'broken';
}

export interface Narrowing {
	/** Null at the end. */
	readonly out: readonly Piece[] | null;
	readonly isProof: boolean;
	/** Heaviest first. */
	readonly suspects: readonly Piece[];
}

/** Returns the part of a `proven` set to take out next, with all that conflicts without it. */
export function narrow(
	division: Pick<WholeDivision, 'pieces' | 'conflicts'>,
	proven: readonly Piece[],
	weightOf: (piece: Piece) => number,
	trials: readonly Trial[],
): Narrowing {
	let whole = proven;
	const heaviestFirst = proven.toSorted((one, other) => weightOf(other) - weightOf(one));
	let suspects: readonly Piece[] = heaviestFirst;
	for (const { out, outcome } of trials) {
		if (outcome === 'carries') whole = out;
		if (outcome === 'carries' || outcome === 'carries-nothing')
			suspects = suspects.filter((one) => out.includes(one) === (outcome === 'carries'));
	}
	if (suspects.length === 0) return { out: null, isProof: false, suspects: heaviestFirst };
	const sum = summing(weightOf);
	const isBound = withConflicts(division, suspects.slice(0, 1)).length >= whole.length;
	for (const chunk of chunksOf(suspects, sum)) {
		const out = withConflicts(division, chunk);
		const tried = trials.filter((trial) => isSame(trial.out, out) && trial.outcome !== 'carries');
		const isOpen = tried.length < MOST_PROOFS && tried.every(({ outcome }) => outcome === 'between');
		if (!isOpen || out.length >= proven.length || !out.every((piece) => whole.includes(piece))) continue;
		const least = NEGLIGIBLE * sum(whole);
		const differs = Math.min(sum(out), sum(whole) - sum(out)) > least;
		if (isBound && out.length < whole.length && !differs) continue;
		const held = suspects.filter((piece) => out.includes(piece));
		const isLast = held.length === suspects.length;
		if (isLast ? chunk === suspects : out.length < whole.length)
			return { out, isProof: isLast || sum(held) >= PROVE_AT * sum(suspects), suspects };
	}
	return { out: null, isProof: false, suspects };
}

/** Halves by weight, their halves, down to single pieces; then all. */
function chunksOf(
	suspects: readonly Piece[],
	sum: (pieces: readonly Piece[]) => number,
): readonly (readonly Piece[])[] {
	const chunks: (readonly Piece[])[] = [];
	for (let level = [suspects]; level.length > 0; ) {
		level = level.flatMap((chunk) => {
			if (chunk.length < 2) return [];
			const half = sum(chunk) / 2;
			const found = chunk.findIndex((_, at) => sum(chunk.slice(0, at + 1)) >= half);
			const cut = Math.min(chunk.length - 1, found + 1);
			return [chunk.slice(0, cut), chunk.slice(cut)];
		});
		chunks.push(...level);
	}
	return [...chunks, suspects];
}

/** Returns the heaviest `suspects` of a set, one of those that need each other. */
export function leadersOf(
	division: Pick<WholeDivision, 'pieces' | 'conflicts'>,
	set: readonly Piece[],
	suspects: readonly Piece[],
	weightOf: (piece: Piece) => number,
): readonly Piece[] {
	const sum = summing(weightOf);
	const inSet = suspects.filter((piece) => set.includes(piece));
	const leaders: { readonly piece: Piece; readonly out: readonly Piece[] }[] = [];
	const passed: Piece[] = [];
	for (const piece of inSet) {
		const gone = new Set(leaders.flatMap(({ out }) => out));
		if (set.every((one) => gone.has(one)) && sum(passed) >= PROVE_AT * sum(inSet)) break;
		passed.push(piece);
		const out = withConflicts(division, [piece]);
		if (!leaders.some((leader) => isSame(leader.out, out))) leaders.push({ piece, out });
	}
	return leaders.map(({ piece }) => piece);
}

function isSame(one: readonly Piece[], other: readonly Piece[]): boolean {
	return one.length === other.length && one.every((piece) => other.includes(piece));
}

function summing(weightOf: (piece: Piece) => number): (pieces: readonly Piece[]) => number {
	return (pieces) => pieces.reduce((total, piece) => total + weightOf(piece), 0);
}
