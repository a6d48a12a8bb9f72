/**
 * Searches the piece that carries a loss. Pieces are applied to base one after the other, like commits of a bisect.
 * Unlike ddmin (Zeller and Hildebrandt 2002), it weighs noisy outcomes and suspicion.
 */
import { BISECT_RULE, type BisectRule, type BisectState } from '../trend/bisect/bisect-state.ts';
import { chooseProbe } from '../trend/bisect/choose-probe.ts';
import { type Span, spansOf } from '../trend/bisect/next-step.ts';
import { posteriorOf } from '../trend/bisect/posterior.ts';
import type { Piece } from './proof-part.ts';

/** `probe`: base with the first `applied` pieces. `prove`: head without those of `span`. */
export type ProofMove =
	| { readonly kind: 'probe'; readonly applied: number }
	| { readonly kind: 'prove'; readonly span: Span }
	| { readonly kind: 'stuck'; readonly span: Span };

/** A proof informs like a probe. */
const PROVE_AT = 0.7;
const WORTH_PROVING = 0.4;
const MOST_PROOFS = 2;

export function proofRule(roundSd: number | null): BisectRule {
	return { ...BISECT_RULE, none: 0.01, two: 0.05, ...(roundSd !== null && { roundSd, roundSdFactor: 1.3 }) };
}

export function nextMove(state: BisectState, rule: BisectRule): ProofMove {
	const posterior = posteriorOf(state, rule);
	const spans = spansOf(state, posterior);
	const best = spans.reduce((one, other) => (other.probability > one.probability ? other : one));
	const tried = state.proofs.filter(({ before, after }) => before === best.before && after === best.after);
	const mayProve = tried.length < MOST_PROOFS;
	if (best.probability >= PROVE_AT && mayProve) return { kind: 'prove', span: best };
	const applied = chooseProbe(state, posterior, rule);
	if (applied !== null && applied < state.count) return { kind: 'probe', applied };
	return best.probability >= WORTH_PROVING && mayProve ? { kind: 'prove', span: best } : { kind: 'stuck', span: best };
}

/**
 * Returns sets to take out for a span: with the pieces that it conflicts with, then with all that head removes, because
 * base's code may need it.
 */
export function widen(
	pieces: readonly Piece[],
	span: readonly Piece[],
	conflicts: (isApplied: (piece: Piece) => boolean) => readonly Piece[],
): readonly (readonly Piece[])[] {
	const removals = pieces.filter((piece) => span.includes(piece) || piece.change === 'deleted');
	const sets = [span, removals].map((set) => withConflicts(pieces, set, conflicts));
	return sets.filter((set, at) => set.length < pieces.length && (at === 0 || set.length > (sets[0]?.length ?? 0)));
}

function withConflicts(
	pieces: readonly Piece[],
	set: readonly Piece[],
	conflicts: (isApplied: (piece: Piece) => boolean) => readonly Piece[],
): readonly Piece[] {
	const out = new Set(set);
	for (let size = -1; size !== out.size; ) {
		size = out.size;
		for (const piece of conflicts((one) => !out.has(one))) out.add(piece);
	}
	return pieces.filter((piece) => out.has(piece));
}
