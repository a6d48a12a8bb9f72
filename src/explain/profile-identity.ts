import { readInstalledScript, type Script } from '../impact/canonical.ts';
import { packageOf } from '../impact/exercised.ts';
import type { Unit } from '../impact/scopes.ts';
import { isScript, type Tree, versionOf } from '../impact/trees.ts';
import type { CallFrame, ProfiledFunction } from '../types/explain/profile.ts';
import { SIDES, type Side, type Sides } from '../types/units.ts';
import { matchFunctions } from './match-functions.ts';

/** `native` counts for its caller. */
export type FunctionKind = 'script' | 'native' | 'whole' | 'idle';

export interface FunctionIdentity
	extends Pick<ProfiledFunction, 'path' | 'line' | 'name' | 'package' | 'state' | 'versions'> {
	/** Equal on both sides. */
	readonly key: string;
	readonly kind: FunctionKind;
}

export interface InstalledSide {
	readonly root: string;
	readonly tree: Tree;
}

export type Identify = (side: Side, frame: CallFrame) => FunctionIdentity;

const IDLE = new Set(['(root)', '(idle)']);
const WHOLE = new Set(['(program)', '(garbage collector)']);
const MODULES = 'node_modules/';

/** Returns a function that identifies functions although lines moved. */
export function createIdentify(sides: Sides<InstalledSide>): Identify {
	const known: Sides<Map<string, FunctionIdentity>> = { base: new Map(), head: new Map() };
	const files = new FilePairs({ base: sides.base.tree, head: sides.head.tree });
	return (side, frame) => {
		const { functionName, url, lineNumber, columnNumber } = frame;
		const id = `${url} ${lineNumber} ${columnNumber} ${functionName}`;
		const found = known[side].get(id) ?? identify(side, frame, sides[side].root, files);
		known[side].set(id, found);
		return found;
	};
}

function identify(side: Side, frame: CallFrame, root: string, files: FilePairs): FunctionIdentity {
	const { functionName: name, url, lineNumber, columnNumber } = frame;
	const bare = { path: '', line: 0, name, package: null, state: 'same' } as const;
	if (url === '') {
		const kind = IDLE.has(name) ? 'idle' : WHOLE.has(name) ? 'whole' : 'native';
		return { ...bare, key: `native ${name}`, kind };
	}
	const path = relativePath(url, root);
	const place = { name: name === '' ? 'anonymous' : name, path, line: lineNumber + 1, package: packageOf(path) };
	const pair = files.pairOf(side, path);
	const versions = pair?.versions && { versions: pair.versions };
	const described = { ...place, ...versions, kind: 'script' } as const;
	const asItIs = { ...described, key: `${pair?.path ?? path}:${lineNumber}:${columnNumber} ${name}` };
	if (pair === null || pair.isSame) return { ...asItIs, state: 'same' };
	const { scripts } = pair;
	const script = scripts[side];
	if (script === null || scripts[side === 'base' ? 'head' : 'base'] === null) {
		return { ...asItIs, key: `${pair.path} ${name}`, state: pair.isPaired ? 'changed' : onlyOn(side) };
	}
	const unit = unitAt(script, lineNumber, columnNumber);
	const head = side === 'head' ? unit : pair.headOf.get(unit);
	const base = side === 'base' ? unit : pair.baseOf.get(unit);
	if (head === undefined || base === undefined || !scripts.head || !scripts.base) {
		return { ...described, key: `${side} ${pair.path}#${unit.start}`, state: onlyOn(side) };
	}
	const isSame = scripts.base.codeOf(base) === scripts.head.codeOf(head);
	const line = scripts.head.lineAt(head.start);
	return { ...described, line, key: `${pair.path}#${head.start}`, state: isSame ? 'same' : 'changed' };
}

function onlyOn(side: Side): 'new' | 'gone' {
	return side === 'head' ? 'new' : 'gone';
}

function relativePath(url: string, root: string): string {
	const plain = url.startsWith('file://') ? decoded(url.slice('file://'.length).replace(/[?#].*$/, '')) : url;
	return plain.startsWith(root) ? plain.slice(root.length) : plain;
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

interface FilePair {
	readonly path: string;
	readonly isSame: boolean;
	readonly isPaired: boolean;
	readonly versions: Sides<string> | undefined;
	readonly scripts: Sides<Script | null>;
	readonly headOf: ReadonlyMap<Unit, Unit>;
	readonly baseOf: ReadonlyMap<Unit, Unit>;
}

class FilePairs {
	readonly #trees: Sides<Tree>;
	readonly #pairs = new Map<string, FilePair | null>();
	readonly #moved: Sides<ReadonlyMap<string, string>>;

	constructor(trees: Sides<Tree>) {
		this.#trees = trees;
		this.#moved = { base: byModule(trees.base), head: byModule(trees.head) };
	}

	pairOf(side: Side, path: string): FilePair | null {
		if (!this.#trees[side].has(path)) return null;
		const other = side === 'base' ? 'head' : 'base';
		const counterpart = this.#trees[other].has(path) ? path : (this.#moved[other].get(moduleOf(path)) ?? null);
		const paths = side === 'base' ? { base: path, head: counterpart } : { base: counterpart, head: path };
		const id = `${paths.base}\n${paths.head}`;
		const known = this.#pairs.get(id);
		if (known !== undefined) return known;
		const pair = this.#compare(paths);
		this.#pairs.set(id, pair);
		return pair;
	}

	#compare(paths: Sides<string | null>): FilePair {
		const { base, head } = this.#trees;
		const text = paths.base === null ? undefined : base.get(paths.base);
		const other = paths.head === null ? undefined : head.get(paths.head);
		const path = paths.head ?? paths.base ?? '';
		const both = paths.base !== null && paths.head !== null ? { base: paths.base, head: paths.head } : null;
		const isPaired = both !== null;
		const versions = both === null ? undefined : versionsOf(this.#trees, both);
		const nothing = { path, isPaired, versions, headOf: new Map(), baseOf: new Map() };
		if (isPaired && text === other) return { ...nothing, isSame: true, scripts: { base: null, head: null } };
		const [mine, theirs] = SIDES.map((side) => readIn(this.#trees[side], paths[side]));
		if (!mine || !theirs) return { ...nothing, isSame: false, scripts: { base: mine ?? null, head: theirs ?? null } };
		const headOf = matchFunctions(mine, theirs);
		const baseOf = new Map([...headOf].map(([one, unit]) => [unit, one]));
		return { ...nothing, isSame: false, scripts: { base: mine, head: theirs }, headOf, baseOf };
	}
}

function moduleOf(path: string): string {
	return path.slice(path.lastIndexOf(MODULES) + MODULES.length);
}

function byModule(tree: Tree): ReadonlyMap<string, string> {
	const paths = [...tree.keys()].filter((path) => path.includes(MODULES) && isScript(path));
	return new Map(
		[...Map.groupBy(paths, moduleOf)].flatMap(([name, [only, ...others]]) =>
			only === undefined || others.length > 0 ? [] : [[name, only] as const],
		),
	);
}

function versionsOf(trees: Sides<Tree>, paths: Sides<string>): Sides<string> | undefined {
	if (packageOf(paths.head) === null) return undefined;
	const [base, head] = SIDES.map((side) => versionOf(trees[side], paths[side]));
	return base && head && base !== head ? { base, head } : undefined;
}

function readIn(tree: Tree, path: string | null): Script | null {
	return path === null ? null : readInstalledScript(tree, path);
}

function unitAt(script: Script, line: number, column: number): Unit {
	const offset = offsetOf(script.text, line) + column;
	const inner = (unit: Unit): Unit => {
		const child = unit.children.find(({ start, end }) => start <= offset && offset < end);
		return child ? inner(child) : unit;
	};
	return inner(script.top);
}

function offsetOf(text: string, line: number): number {
	let at = 0;
	for (let left = line; left > 0; left -= 1) {
		const end = text.indexOf('\n', at);
		if (end < 0) return at;
		at = end + 1;
	}
	return at;
}
