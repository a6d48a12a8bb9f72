import type { CellCoverage } from '../types/coverage.ts';

/** Returns `first`, with a gap if a second run of the cell called other functions, or failed. */
export function withSecondRun(first: CellCoverage, second: CellCoverage): CellCoverage {
	const known = new Set(namesOf(first));
	const other = [...namesOf(second)].find((name) => !known.has(name));
	const failed = second.unseen.filter(({ kind }) => kind === 'failed');
	const varies = other === undefined ? [] : [{ kind: 'varies' as const, detail: other }];
	return { ...first, unseen: [...first.unseen, ...failed, ...varies] };
}

function* namesOf({ scripts }: CellCoverage): Iterable<string> {
	for (const { path, functions } of scripts)
		for (const [start, , name] of functions) yield `${path}: ${name === '' ? 'a function' : name} at ${start}`;
}
