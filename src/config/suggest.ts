import { distance } from 'fastest-levenshtein';

/** Returns the candidate nearest to `word`, or undefined when none is near enough to be what was meant. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
	const wanted = word.toLowerCase();
	const furthest = Math.ceil(wanted.length * 0.4);
	let best: { candidate: string; far: number } | undefined;
	for (const candidate of candidates) {
		const edits = distance(wanted, candidate.toLowerCase());
		// Of two that are as near, the one as long: two letters change places more often than one is left out and one is wrong.
		const far = edits + (candidate.length === wanted.length ? 0 : 0.5);
		if (edits <= furthest && far < (best?.far ?? Number.POSITIVE_INFINITY)) best = { candidate, far };
	}
	return best?.candidate;
}

/** Returns `; did you mean "express"?`, or the whole choice when nothing is near: `; one of express, koa`. */
export function didYouMean(word: string, candidates: readonly string[], lead = 'one of'): string {
	const nearest = suggest(word, candidates);
	return nearest === undefined ? `; ${lead} ${candidates.join(', ')}` : `; did you mean "${nearest}"?`;
}
