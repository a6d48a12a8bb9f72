import type { CostChange, NamedFunction, ProfileCause } from '../types/explain/profile.ts';
import {
	changeOf,
	type Differences,
	directionOf,
	type FunctionDifference,
	type Series,
} from './profile-differences.ts';
import type { FunctionIdentity } from './profile-identity.ts';
import { UNCHARGED } from './read-profiles.ts';

const MOST_OF_IT = 0.5;
const SPREAD = 0.9;
const LEAST_SHARE_OF_BASE = 0.05;

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
 * (nodejs/node#63816), so flat rounds name functions.
 */
export function findCause(total: CostChange, flat: FlatRounds | null): ProfileCause {
	const direction = directionOf(total);
	if (flat === null) return direction === 0 ? { kind: 'same-cost' } : { kind: 'not-located', functions: 0 };
	const changed = nameChanged(flat);
	const sign = direction || (sumChanges(changed) < 0 ? -1 : 1);
	const slower = changed.filter(({ cost }) => cost.change * sign > 0);
	// Beside other programs the whole varies more than one function.
	const least =
		direction === 0
			? LEAST_SHARE_OF_BASE * total.base
			: MOST_OF_IT * Math.min(...[total.low ?? 0, total.high ?? 0].map(Math.abs));
	if (slower.length > 0 && sign * sumChanges(slower) >= least) return { kind: 'located', functions: slower };
	if (direction === 0) return { kind: 'same-cost' };
	const { change, low, high } = flat.self.total;
	if (change * direction >= MOST_OF_IT * Math.abs(total.change)) {
		const functions = nameOthers(flat, direction);
		if (functions.length > 0) return { kind: 'located', functions };
	} else {
		const isLost = direction === 1 ? (high ?? Infinity) < total.change : (low ?? -Infinity) > total.change;
		if (isLost) return { kind: 'optimisation-lost' };
	}
	return { kind: 'not-located', functions: countSpread(flat.self, direction) };
}

function sumChanges(functions: readonly Pick<NamedFunction, 'cost'>[]): number {
	return functions.reduce((sum, { cost }) => sum + cost.change, 0);
}

/** With the code that a function calls if that differs too: it varies more. */
function nameChanged({ self, charged, indexOf }: FlatRounds): readonly NamedFunction[] {
	const clearIn = ({ functions }: Differences) =>
		new Map(functions.flatMap((each) => (each.clear ? [[each.key, each] as const] : [])));
	const alone = clearIn(self);
	const withCallees = clearIn(charged);
	const keys = charged.functions.flatMap(({ key }) => (key === UNCHARGED ? [] : [key]));
	return keys
		.flatMap((key): readonly NamedFunction[] => {
			const [own, all] = [alone.get(key), withCallees.get(key)];
			const callees = combine(charged.seriesOf(key), self.seriesOf(key), -1);
			if (own && !(all && callees && directionOf(callees) === Math.sign(own.cost.change)))
				return [{ function: indexOf(key), scope: 'itself', cost: own.cost }];
			return all ? [{ function: indexOf(key), scope: 'callees', cost: all.cost }] : [];
		})
		.toSorted((one, other) => Math.abs(other.cost.change) - Math.abs(one.cost.change));
}

function nameOthers(flat: FlatRounds, direction: 1 | -1): readonly NamedFunction[] {
	return mergeMoved(flat, direction).map(({ key, cost, movedFrom }) => ({
		function: flat.indexOf(key),
		scope: 'itself',
		...(movedFrom !== undefined && { movedFrom: flat.indexOf(movedFrom) }),
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
			const cost = combine(self.seriesOf(each.key), self.seriesOf(other.key), 1);
			const isLeft = cost !== null && directionOf(cost) === direction && Math.abs(cost.change) >= self.least;
			return isLeft ? [{ ...each, cost, movedFrom: other.key }] : [];
		})
		.toSorted((one, other) => Math.abs(other.cost.change) - Math.abs(one.cost.change));
}

/** The change of one + `times` the other. */
function combine(one: Series, other: Series, times: 1 | -1): CostChange | null {
	const sum = (mine: readonly number[], theirs: readonly number[]) =>
		mine.map((value, at) => value + times * (theirs[at] ?? 0));
	return changeOf({ base: sum(one.base, other.base), head: sum(one.head, other.head) })?.cost ?? null;
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
