import type { CpuProfile, ProfileNode } from '../types/explain/profile.ts';
import type { Side } from '../types/units.ts';
import type { FunctionIdentity, Identify } from './profile-identity.ts';

export type Hits = ReadonlyMap<string, number>;

export interface ProfileHits {
	/** Without idle time. */
	readonly total: number;
	/** With native code that the function calls. */
	readonly self: Hits;
	/** By the innermost changed function on the stack. */
	readonly charged: Hits;
	readonly callers: ReadonlyMap<string, Hits>;
	readonly functions: ReadonlyMap<string, FunctionIdentity>;
}

export const UNCHARGED = '';

interface Stack {
	readonly owner: FunctionIdentity | null;
	readonly changed: string;
	readonly caller: string;
}

/** Returns samples by function. */
export function countHits(profiles: readonly CpuProfile[], side: Side, identify: Identify): ProfileHits {
	const [self, charged] = [new Map<string, number>(), new Map<string, number>()];
	const callers = new Map<string, Map<string, number>>();
	const functions = new Map<string, FunctionIdentity>();
	let total = 0;
	const visit = ({ callFrame, hitCount }: ProfileNode, stack: Stack): Stack => {
		const { owner, changed } = stack;
		const identity = identify(side, callFrame);
		if (identity.kind === 'idle') return stack;
		const mine = identity.kind === 'native' && owner !== null ? owner : identity;
		const blamed = identity.state === 'same' ? changed : identity.key;
		const caller = mine === owner ? stack.caller : (owner?.key ?? '');
		functions.set(mine.key, mine);
		if (hitCount > 0) {
			total += hitCount;
			add(self, mine.key, hitCount);
			add(charged, blamed, hitCount);
			const above = callers.get(mine.key) ?? new Map<string, number>();
			add(above, caller, hitCount);
			callers.set(mine.key, above);
		}
		return { owner: mine, changed: blamed, caller };
	};
	for (const profile of profiles) walk(profile, { owner: null, changed: UNCHARGED, caller: '' }, visit);
	return { total, self, charged, callers, functions };
}

/** Visits each node once: a forged tree can have cycles. */
export function walk<V>(profile: CpuProfile, start: V, visit: (node: ProfileNode, above: V) => V): void {
	const left = new Map(profile.map((node) => [node.id, node]));
	const open: { readonly id: number | undefined; readonly above: V }[] = [{ id: profile[0]?.id, above: start }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const node = left.get(next.id ?? -1);
		if (node === undefined) continue;
		left.delete(node.id);
		const value = visit(node, next.above);
		for (const id of node.children ?? []) open.push({ id, above: value });
	}
}

export function add(counts: Map<string, number>, key: string, count: number): void {
	counts.set(key, (counts.get(key) ?? 0) + count);
}
