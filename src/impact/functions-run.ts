import type { FunctionRun } from '../types/coverage.ts';
import type { Script } from './canonical.ts';
import type { Unit } from './scopes.ts';

/** Before and during the load. */
export interface Calls {
	readonly before: number;
	readonly during: number;
}

const NONE: Calls = { before: 0, during: 0 };

/** Returns the functions that ran. Other ranges, such as those of class fields, count for the function around. */
export function functionsRun(script: Script, runs: readonly FunctionRun[]): ReadonlyMap<Unit, Calls> {
	const byEnd = Map.groupBy(script.units.values(), ({ end }) => end);
	const found = new Map<Unit, Calls>();
	const add = (unit: Unit, { before, during }: Calls) => {
		const known = found.get(unit) ?? NONE;
		found.set(unit, { before: known.before + before, during: known.during + during });
	};
	for (const [start, end, , before, during] of runs) {
		const ending = (byEnd.get(end) ?? []).filter(({ parent }) => parent);
		const exact = ending.find((unit) => unit.start <= start && start < unit.bodyStart);
		const whole = start === 0 && end === script.text.length;
		const unit = exact ?? innermost(script.top, start, end);
		add(unit, exact || whole ? { before, during } : NONE);
		if (!exact && !whole) for (const each of ending) add(each, { before, during });
		for (let around = unit.parent; around; around = around.parent) add(around, NONE);
	}
	return found;
}

function innermost(top: Unit, start: number, end: number): Unit {
	const inner = top.children.find((child) => child.start <= start && end <= child.end);
	return inner ? innermost(inner, start, end) : top;
}
