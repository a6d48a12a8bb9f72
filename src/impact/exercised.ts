/** Whether rows run the subject. */
import { nameAll } from '../text/phrase.ts';
import type { CellCoverage } from '../types/coverage.ts';
import type { Cell } from '../types/plan.ts';
import type { Warning } from '../types/units.ts';

export const MODULES = 'node_modules/';
const MOST_NAMED = 5;
/** They may hide a function that ran. */
const GAPS: readonly string[] = ['process', 'failed'];

export const NOT_EXERCISED = 'subject-not-exercised';

export interface CoveredCell {
	readonly cell: Pick<Cell, 'id' | 'server' | 'scenario'>;
	readonly coverage: CellCoverage;
}

export interface ImpactSubject {
	readonly name: string;
	/** In a checkout: `.`, `packages/core`. */
	readonly folder: string;
	/** Servers that run in a checkout, without installing the subject. */
	readonly inCheckout: readonly string[];
}

/** Returns the installed package of a file, or null. */
export function packageOf(path: string): string | null {
	const at = path.lastIndexOf(MODULES);
	if (at < 0) return null;
	const [first = '', second = ''] = path.slice(at + MODULES.length).split('/');
	return first.startsWith('@') ? `${first}/${second}` : first;
}

function filesRun({ requests, scripts }: CellCoverage): readonly string[] {
	const isRun = (before: number, during: number) => during > 0 || (requests === 0 && before > 0);
	return scripts.flatMap(({ path, functions }) =>
		functions.some(([, , , before, during]) => isRun(before, during)) ? [path] : [],
	);
}

/** Returns the installed packages that ran under load, sorted. */
export function packagesRun(coverage: CellCoverage): readonly string[] {
	return [...new Set(filesRun(coverage).flatMap((path) => packageOf(path) ?? []))].toSorted();
}

/** Whether a cell runs the subject under load; null if unknown. */
export function runsSubject({ cell, coverage }: CoveredCell, subject: ImpactSubject): boolean | null {
	const { name, folder, inCheckout } = subject;
	const within = folder === '.' ? '' : `${folder}/`;
	const isSubject = (path: string) => {
		const installed = packageOf(path);
		return installed === null ? inCheckout.includes(cell.server) && path.startsWith(within) : installed === name;
	};
	if (filesRun(coverage).some(isSubject)) return true;
	return coverage.unseen.some(({ kind }) => GAPS.includes(kind)) ? null : false;
}

/** Returns a warning if no cell runs the subject. `others` are built-in rows that do: `express/production-stack`. */
export function warnNotExercised(
	covered: readonly CoveredCell[],
	subject: ImpactSubject,
	others: readonly string[],
): Warning | null {
	if (covered.length === 0 || covered.some((each) => runsSubject(each, subject) !== false)) return null;
	const { name } = subject;
	const advice =
		others.length === 0
			? 'No built-in scenario runs it: write a scenario or server that does.'
			: `Built-in rows that run it: ${nameAll(others, MOST_NAMED)}.`;
	return {
		code: NOT_EXERCISED,
		message: `No row runs any function of ${name} under load, so a slowdown in ${name} cannot be found. ${advice}`,
	};
}
