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

export interface CauseInput {
	readonly natural: ComparedRounds;
	readonly flat: ComparedRounds | null;
	readonly identityOf: (key: string) => FunctionIdentity | undefined;
	readonly indexOf: (key: string) => number;
}

/**
 * Returns the cause. V8 counts inlined functions for their callers (nodejs/node#63816), so functions are named from
 * flat rounds if these show half of the difference. One that disappears there is a lost optimisation.
 */
export function findCause(input: CauseInput): ProfileCause {
	const { natural, flat } = input;
	const { total } = natural.self;
	const direction = directionOf(total);
	if (direction === 0) return { kind: 'same-cost' };
	const notLocated = { kind: 'not-located', functions: countSpread(natural.self, direction) } as const;
	if (flat === null) return notLocated;
	const { change, low, high } = flat.self.total;
	if (change * direction >= MOST_OF_IT * Math.abs(total.change)) {
		const functions = nameFunctions(input, flat, direction);
		return functions.length === 0 ? notLocated : { kind: 'located', functions };
	}
	const isLost = direction === 1 ? (high ?? Infinity) < total.change : (low ?? -Infinity) > total.change;
	return isLost ? { kind: 'optimisation-lost', functions: nameFunctions(input, natural, direction) } : notLocated;
}

/** Names the changed functions if they carry half of the difference, else those that are slower themselves. */
function nameFunctions(input: CauseInput, rounds: ComparedRounds, direction: 1 | -1): readonly NamedFunction[] {
	const { self, charged } = rounds;
	const isCause = ({ cost, clear }: FunctionDifference) => clear && cost.change * direction > 0;
	const changed = charged.functions.filter((each) => each.key !== UNCHARGED && isCause(each));
	const carried = changed.reduce((sum, { cost }) => sum + cost.change, 0);
	if (carried * direction >= MOST_OF_IT * Math.abs(self.total.change)) {
		return changed.map(({ key, cost }) => {
			const alone = changeOf(self.seriesOf(key))?.cost.change ?? 0;
			const isItself = alone * direction >= ITSELF * cost.change * direction;
			return { function: input.indexOf(key), scope: isItself ? 'itself' : 'callees', cost };
		});
	}
	return mergeMoved(input, rounds, direction).map(({ key, cost, movedFrom }) => ({
		function: input.indexOf(key),
		scope: 'itself',
		...(movedFrom !== undefined && { movedFrom: input.indexOf(movedFrom) }),
		cost,
	}));
}

interface Merged extends FunctionDifference {
	readonly movedFrom?: string;
}

/** Work that moved between callees of an unchanged caller is no cause. */
function mergeMoved({ identityOf }: CauseInput, { self, callerOf }: ComparedRounds, direction: 1 | -1): Merged[] {
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

/** Returns how many functions carry nine tenths of the changes. */
function countSpread({ functions }: Differences, direction: 1 | -1): number {
	const changes = functions.map(({ cost }) => cost.change * direction).filter((change) => change > 0);
	let left = SPREAD * changes.reduce((sum, change) => sum + change, 0);
	for (const [at, change] of changes.entries()) {
		left -= change;
		if (left <= 0) return at + 1;
	}
	return changes.length;
}
