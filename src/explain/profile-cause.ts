import type { CostChange, NamedFunction, ProfileCause } from '../types/explain/profile.ts';
import { changeOf, type Differences, directionOf, type FunctionDifference } from './profile-differences.ts';
import { UNCHARGED } from './profile-hits.ts';
import type { FunctionIdentity } from './profile-identity.ts';

const MOST_OF_IT = 0.5;
const ITSELF = 0.8;
const SPREAD = 0.9;

export interface ComparedRounds {
	readonly self: Differences;
	readonly charged: Differences;
	readonly callerOf: (key: string) => string | undefined;
}

export interface FlatRounds extends ComparedRounds {
	readonly identityOf: (key: string) => FunctionIdentity | undefined;
	readonly indexOf: (key: string) => number;
}

/**
 * Returns the cause of the natural difference `total`. V8 counts inlined functions for their callers
 * (nodejs/node#63816), so flat rounds name functions, if these show half of it.
 */
export function findCause(total: CostChange, flat: FlatRounds | null): ProfileCause {
	const direction = directionOf(total);
	if (direction === 0) return { kind: 'same-cost' };
	if (flat === null) return { kind: 'not-located', functions: 0 };
	const { change, low, high } = flat.self.total;
	if (change * direction >= MOST_OF_IT * Math.abs(total.change)) {
		const functions = nameFunctions(flat, direction);
		if (functions.length > 0) return { kind: 'located', functions };
	} else {
		const isLost = direction === 1 ? (high ?? Infinity) < total.change : (low ?? -Infinity) > total.change;
		if (isLost) return { kind: 'optimisation-lost' };
	}
	return { kind: 'not-located', functions: countSpread(flat.self, direction) };
}

function nameFunctions(flat: FlatRounds, direction: 1 | -1): readonly NamedFunction[] {
	const { self, charged, indexOf } = flat;
	const isCause = ({ cost, clear }: FunctionDifference) => clear && cost.change * direction > 0;
	const changed = charged.functions.filter((each) => each.key !== UNCHARGED && isCause(each));
	const carried = changed.reduce((sum, { cost }) => sum + cost.change, 0);
	if (carried * direction >= MOST_OF_IT * Math.abs(self.total.change)) {
		return changed.map(({ key, cost }) => {
			const alone = changeOf(self.seriesOf(key))?.cost.change ?? 0;
			const isItself = alone * direction >= ITSELF * cost.change * direction;
			return { function: indexOf(key), scope: isItself ? 'itself' : 'callees', cost };
		});
	}
	return mergeMoved(flat, direction).map(({ key, cost, movedFrom }) => ({
		function: indexOf(key),
		scope: 'itself',
		...(movedFrom !== undefined && { movedFrom: indexOf(movedFrom) }),
		cost,
	}));
}

interface Merged extends FunctionDifference {
	readonly movedFrom?: string;
}

/** Work that moved between callees of an unchanged caller is no cause. */
function mergeMoved({ self, callerOf, identityOf }: FlatRounds, direction: 1 | -1): Merged[] {
	const clear = self.functions.filter((each) => each.clear);
	const opposite = new Set(clear.filter(({ cost }) => cost.change * direction < 0));
	return clear
		.filter(({ cost }) => cost.change * direction > 0)
		.flatMap((each): Merged[] => {
			const caller = callerOf(each.key);
			const isUnchanged = caller !== undefined && (identityOf(caller)?.state ?? 'same') === 'same';
			const other = isUnchanged && [...opposite].find(({ key }) => callerOf(key) === caller);
			if (!other) return [each];
			opposite.delete(other);
			const cost = sumOf(self, each.key, other.key);
			const isLeft = cost !== null && directionOf(cost) === direction && Math.abs(cost.change) >= self.least;
			return isLeft ? [{ ...each, cost, movedFrom: other.key }] : [];
		})
		.toSorted((one, other) => Math.abs(other.cost.change) - Math.abs(one.cost.change));
}

function sumOf({ seriesOf }: Differences, key: string, other: string): CostChange | null {
	const [one, two] = [seriesOf(key), seriesOf(other)];
	const sum = (mine: readonly number[], theirs: readonly number[]) =>
		mine.map((value, at) => value + (theirs[at] ?? 0));
	return changeOf({ base: sum(one.base, two.base), head: sum(one.head, two.head) })?.cost ?? null;
}

function countSpread({ functions }: Differences, direction: 1 | -1): number {
	const changes = functions.map(({ cost }) => cost.change * direction).filter((change) => change > 0);
	let left = SPREAD * changes.reduce((sum, change) => sum + change, 0);
	for (const [at, change] of changes.entries()) {
		left -= change;
		if (left <= 0) return at + 1;
	}
	return changes.length;
}
