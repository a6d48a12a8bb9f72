/** Functions of base that a cell ran or did not, and edits of them. */
import { readScript, type Script } from '../../src/impact/canonical.ts';
import { type Calls, functionsRun } from '../../src/impact/functions-run.ts';
import type { Unit } from '../../src/impact/scopes.ts';
import { isScript, kindsOfScript, type Tree, versionOf } from '../../src/impact/trees.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';

export interface CoveredScript {
	readonly path: string;
	readonly script: Script;
	readonly calls: ReadonlyMap<Unit, Calls>;
	/** Functions that ran during the load. */
	readonly hot: readonly Unit[];
	/** Functions that did not run, in code that did. */
	readonly idle: readonly Unit[];
}

/** Returns the scripts of a cell that can be compared in parts. */
export function scriptsOf(coverage: CellCoverage, base: Tree): readonly CoveredScript[] {
	return coverage.scripts.flatMap(({ path, functions }) => {
		const text = base.get(path);
		const script =
			text === undefined || !isScript(path) ? null : readScript(text, kindsOfScript(base, path), versionOf(base, path));
		if (!script || script.dynamic) return [];
		const calls = functionsRun(script, functions);
		const units = [...script.units.values()].filter(({ parent }) => parent !== null);
		return {
			...{ path, script, calls },
			hot: units.filter((unit) => (calls.get(unit)?.during ?? 0) > 0),
			idle: units.filter((unit) => !calls.has(unit) && unit.parent !== null && calls.has(unit.parent)),
		};
	});
}

export interface Edit {
	readonly at: number;
	readonly text: string;
	/** Characters that the text replaces. */
	readonly instead?: number;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
	let edited = text;
	for (const { at, text: inserted, instead = 0 } of edits.toSorted((one, other) => other.at - one.at))
		edited = edited.slice(0, at) + inserted + edited.slice(at + instead);
	return edited;
}

interface Body {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly body?: readonly { readonly directive?: string; readonly end: number }[];
}

/** Returns edits that make a function begin with an expression. */
export function beginWith({ node, bodyStart }: Unit, expression: string): readonly Edit[] {
	const body = node.body as Body;
	if (body.type !== 'BlockStatement') {
		return [
			{ at: body.start, text: `(${expression}, ` },
			{ at: body.end, text: ')' },
		];
	}
	const directive = (body.body ?? []).filter((statement) => statement.directive !== undefined).at(-1);
	return [{ at: directive?.end ?? bodyStart + 1, text: `;${expression};` }];
}
