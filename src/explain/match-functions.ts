/** Pairs the functions of two versions of a script. */
import type { Script } from '../impact/canonical.ts';
import type { Unit } from '../impact/scopes.ts';

/** Returns head's function for each of base's that head still has: at the same place in the tree of names. */
export function matchFunctions(base: Script, head: Script): ReadonlyMap<Unit, Unit> {
	const matched = new Map<Unit, Unit>();
	const visit = (one: Unit, other: Unit) => {
		matched.set(one, other);
		const theirs = Map.groupBy(other.children, ({ name }) => name);
		for (const [name, mine] of Map.groupBy(one.children, (child) => child.name)) {
			for (const [child, counterpart] of pairSameName(mine, theirs.get(name) ?? [])) visit(child, counterpart);
		}
	};
	/** Those of equal code first, then in order. */
	const pairSameName = (mine: readonly Unit[], theirs: readonly Unit[]) => {
		const byCode = Map.groupBy(theirs, (unit) => head.codeOf(unit));
		const pairs: (readonly [Unit, Unit])[] = [];
		const rest = mine.filter((unit) => {
			const equal = byCode.get(base.codeOf(unit))?.shift();
			if (equal) pairs.push([unit, equal]);
			return !equal;
		});
		const taken = new Set(pairs.map(([, other]) => other));
		const others = theirs.filter((unit) => !taken.has(unit));
		return [...pairs, ...rest.flatMap((unit, at) => (others[at] ? [[unit, others[at]] as const] : []))];
	};
	visit(base.top, head.top);
	return matched;
}
