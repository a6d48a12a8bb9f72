import { distance } from 'fastest-levenshtein';

/** Returns the candidate nearest to `word`, if any is near enough. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
	const wanted = word.toLowerCase();
	const furthest = Math.max(1, Math.floor(wanted.length * 0.4));
	let best: { candidate: string; far: number } | undefined;
	for (const candidate of candidates) {
		const other = candidate.toLowerCase();
		const steps = distance(wanted, other);
		const edits = sortLetters(wanted) === sortLetters(other) ? Math.min(1, steps) : steps;
		// Swapped letters are more common than an omission with a wrong letter.
		const far = edits + (candidate.length === wanted.length ? 0 : 0.5);
		if (edits <= furthest && far < (best?.far ?? Number.POSITIVE_INFINITY)) best = { candidate, far };
	}
	return best?.candidate;
}

function sortLetters(word: string): string {
	return [...word].sort().join('');
}

/** More choices are not read. */
const MOST_CHOICES = 24;
const MOST_NAMED = 4;

/** Returns `; did you mean "express"?`, or without a near candidate the choices: `; one of express, koa`. */
export function didYouMean(word: string, candidates: readonly string[], lead = 'one of'): string {
	const nearest = suggest(word, candidates);
	if (nearest !== undefined) return `; did you mean "${nearest}"?`;
	if (candidates.length <= MOST_CHOICES) return `; ${lead} ${candidates.join(', ')}`;
	const where = lead === 'one of' ? ' (benchgate list)' : '';
	return `; ${lead} ${candidates.slice(0, MOST_NAMED).join(', ')} and ${candidates.length - MOST_NAMED} more${where}`;
}
