import type { CellCoverage } from '../types/coverage.ts';
import { MODULES, packageOf } from './exercised.ts';

/** Returns coverage of the installed package `name` alone, with paths from its last `node_modules/` on. */
export function ofSubject(coverage: CellCoverage, name: string): CellCoverage {
	const isOwn = (path: string) => packageOf(path) === name;
	const shorten = (path: string) => path.slice(path.lastIndexOf(MODULES));
	return {
		...coverage,
		scripts: coverage.scripts
			.filter(({ path }) => isOwn(path))
			.map((script) => ({ ...script, path: shorten(script.path) })),
		reads: coverage.reads.filter(isOwn).map(shorten),
		unseen: coverage.scripts.length > 0 ? coverage.unseen : [...coverage.unseen, { kind: 'failed', detail: '' }],
	};
}
