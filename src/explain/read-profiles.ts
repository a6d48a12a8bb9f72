/** Samples of profiles, by function and as one call tree. */
import type { CpuProfile, ProfiledRound, ProfileNode } from '../types/explain/profile.ts';
import { SIDES, type Side, type Sides } from '../types/units.ts';
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

const LEAST_PART_OF_LARGER_SIDE = 0.001;
const MOST_FRAMES = 5_000;
const MOST_DEPTH = 200;

/** Cost with callees. */
interface MergedFrame {
	readonly parent: number;
	readonly key: string;
	readonly cost: Sides<number>;
}

interface Node extends Pick<MergedFrame, 'key' | 'cost'> {
	readonly children: Map<string, Node>;
}

/** Returns both call trees as one, averaged over rounds, parents first. */
export function mergeFrames(rounds: readonly ProfiledRound[], identify: Identify): readonly MergedFrame[] {
	const root = newNode('');
	for (const { sides } of rounds) {
		for (const side of SIDES) {
			const { cost, profiles } = sides[side];
			const isIdle = ({ callFrame }: (typeof profiles)[number][number]) => identify(side, callFrame).kind === 'idle';
			const total = profiles.flat().reduce((sum, node) => sum + (isIdle(node) ? 0 : node.hitCount), 0);
			if (total > 0) addProfiles(root, profiles, side, cost / total / rounds.length, identify);
		}
	}
	return listFrames(root);
}

function newNode(key: string): Node {
	return { key, cost: { base: 0, head: 0 }, children: new Map() };
}

function addProfiles(
	root: Node,
	profiles: ProfiledRound['sides']['base']['profiles'],
	side: Side,
	weight: number,
	identify: Identify,
): void {
	for (const profile of profiles) {
		walk<readonly Node[]>(profile, [root], ({ callFrame, hitCount }, above) => {
			const { kind, key } = identify(side, callFrame);
			if (kind === 'idle') return above;
			const parent = above.at(-1) ?? root;
			const isFolded = (kind === 'native' && parent !== root) || above.length > MOST_DEPTH;
			const path = isFolded ? above : [...above, childOf(parent, key)];
			if (hitCount > 0) for (const each of path) each.cost[side] += weight * hitCount;
			return path;
		});
	}
}

function childOf(parent: Node, key: string): Node {
	const child = parent.children.get(key) ?? newNode(key);
	parent.children.set(key, child);
	return child;
}

function listFrames(root: Node): readonly MergedFrame[] {
	const sizeOf = ({ cost }: Node) => Math.max(cost.base, cost.head);
	const least = LEAST_PART_OF_LARGER_SIDE * sizeOf(root);
	const frames: MergedFrame[] = [];
	let level: { readonly parent: number; readonly node: Node }[] = [{ parent: -1, node: root }];
	while (level.length > 0 && frames.length < MOST_FRAMES) {
		const next: typeof level = [];
		for (const { parent, node } of level.slice(0, MOST_FRAMES - frames.length)) {
			const index = frames.push({ parent, key: node.key, cost: node.cost }) - 1;
			for (const child of node.children.values()) if (sizeOf(child) >= least) next.push({ parent: index, node: child });
		}
		level = next.toSorted((one, other) => sizeOf(other.node) - sizeOf(one.node));
	}
	return frames;
}
