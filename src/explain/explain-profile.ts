import { median } from 'simple-statistics';
import type { CostChange, Profile, ProfiledFunction, ProfiledRound, ProfileMode } from '../types/explain/profile.ts';
import { SIDES, type Side } from '../types/units.ts';
import { type ComparedRounds, findCause } from './profile-cause.ts';
import { changeOf, type Differences, differencesOf } from './profile-differences.ts';
import type { FunctionIdentity, Identify } from './profile-identity.ts';
import { add, countHits, type Hits, mergeFrames, type ProfileHits } from './read-profiles.ts';

const LEAST_PART_OF_LARGER_SIDE = 0.001;

export type ExplainedProfile = Pick<Profile, 'cost' | 'flat' | 'cause' | 'functions' | 'frames'>;

/** Returns the difference, by function in flat rounds; null below 2 natural rounds. */
export function explainProfile(rounds: readonly ProfiledRound[], identify: Identify): ExplainedProfile | null {
	const identities = new Map<string, FunctionIdentity>();
	const roundsOf = (mode: ProfileMode) => atOneSpeed(rounds.filter((round) => round.mode === mode));
	const cost = costOf(roundsOf('natural'));
	if (cost === null) return null;
	const flat = compareRounds(roundsOf('flat'), identify, identities);
	if (flat === null) return { cost: rounded(cost), cause: findCause(cost, null), functions: [], frames: [] };
	const list = new FunctionList(identities, flat.self);
	list.addLargest();
	const indexOf = (key: string) => list.indexOf(key);
	const cause = findCause(cost, { ...flat, indexOf, identityOf: (key) => identities.get(key) });
	const frames = mergeFrames(roundsOf('flat'), identify);
	return {
		cost: rounded(cost),
		flat: rounded(flat.self.total),
		cause: roundedCause(cause),
		frames: frames.map(({ parent, key, cost }) => [parent, indexOf(key), round(cost.base), round(cost.head)] as const),
		functions: list.functions,
	};
}

/** The machine's speed differs between rounds, and is common to both sides of one. */
function atOneSpeed(rounds: readonly ProfiledRound[]): readonly ProfiledRound[] {
	if (rounds.length === 0) return [];
	const sums = rounds.map(({ sides }) => sides.base.cost + sides.head.cost);
	const typical = median(sums);
	return rounds.map(({ mode, sides }, at) => {
		const scaled = (side: Side) => ({ ...sides[side], cost: (sides[side].cost * typical) / (sums[at] ?? typical) });
		return { mode, sides: { base: scaled('base'), head: scaled('head') } };
	});
}

function costOf(rounds: readonly ProfiledRound[]): CostChange | null {
	const [base, head] = SIDES.map((side) => rounds.map(({ sides }) => sides[side].cost)) as [number[], number[]];
	return changeOf({ base, head })?.cost ?? null;
}

function compareRounds(
	rounds: readonly ProfiledRound[],
	identify: Identify,
	identities: Map<string, FunctionIdentity>,
): ComparedRounds | null {
	const callers = new Map<string, Map<string, number>>();
	const counted = rounds.map(({ sides }) => {
		const [base, head] = SIDES.map((side) => {
			const hits = countHits(sides[side].profiles, side, identify);
			for (const [key, identity] of hits.functions) identities.set(key, identity);
			addCallers(callers, hits.callers);
			return hits;
		}) as [ProfileHits, ProfileHits];
		const by = (part: 'self' | 'charged') => ({
			base: { cost: sides.base.cost, total: base.total, hits: base[part] },
			head: { cost: sides.head.cost, total: head.total, hits: head[part] },
		});
		return { self: by('self'), charged: by('charged') };
	});
	const self = differencesOf(counted.map((each) => each.self));
	const charged = differencesOf(counted.map((each) => each.charged));
	if (self === null || charged === null) return null;
	const callerOf = (key: string) => {
		const [most] = [...(callers.get(key) ?? [])].toSorted(([, one], [, other]) => other - one);
		return most?.[0];
	};
	return { self, charged, callerOf };
}

function addCallers(sums: Map<string, Map<string, number>>, callers: ReadonlyMap<string, Hits>): void {
	for (const [key, hits] of callers) {
		const sum = sums.get(key) ?? new Map<string, number>();
		for (const [caller, count] of hits) add(sum, caller, count);
		sums.set(key, sum);
	}
}

const ROOT: Omit<FunctionIdentity, 'key' | 'kind'> = { path: '', line: 0, name: 'all', package: null, state: 'same' };

class FunctionList {
	readonly functions: ProfiledFunction[] = [];
	readonly #indices = new Map<string, number>();
	readonly #identities: ReadonlyMap<string, FunctionIdentity>;
	readonly #differences: Differences;
	readonly #clear: ReadonlySet<string>;

	constructor(identities: ReadonlyMap<string, FunctionIdentity>, differences: Differences) {
		this.#identities = identities;
		this.#differences = differences;
		this.#clear = new Set(differences.functions.flatMap(({ key, clear }) => (clear ? [key] : [])));
	}

	addLargest(): void {
		const { total, functions } = this.#differences;
		const least = LEAST_PART_OF_LARGER_SIDE * Math.max(total.base, total.head);
		for (const { key, cost } of functions) if (Math.max(cost.base, cost.head) >= least) this.indexOf(key);
	}

	indexOf(key: string): number {
		const known = this.#indices.get(key);
		if (known !== undefined) return known;
		const identity = this.#identities.get(key);
		const { path, line, name, package: home, state, versions } = identity ?? ROOT;
		const cost = identity === undefined ? undefined : changeOf(this.#differences.seriesOf(key))?.cost;
		const index = this.functions.push({
			...{ path, line, name, package: home, state, ...(versions && { versions }) },
			...{ cost: rounded(cost ?? this.#differences.total), clear: this.#clear.has(key) },
		});
		this.#indices.set(key, index - 1);
		return index - 1;
	}
}

function roundedCause(cause: Profile['cause']): Profile['cause'] {
	if (cause.kind !== 'located') return cause;
	return { ...cause, functions: cause.functions.map((each) => ({ ...each, cost: rounded(each.cost) })) };
}

function rounded({ base, head, change, low, high }: CostChange): CostChange {
	const end = (value: number | null) => (value === null ? null : round(value));
	return { base: round(base), head: round(head), change: round(change), low: end(low), high: end(high) };
}

function round(microseconds: number): number {
	return Math.round(microseconds * 1000) / 1000 + 0;
}
