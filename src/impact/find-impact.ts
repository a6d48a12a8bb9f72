/** A cell that runs no changed function behaves as in base (decision 0071). */
import { createHash } from 'node:crypto';
import type { CellCoverage, FunctionRun, ScriptCoverage } from '../types/coverage.ts';
import type { CodeChange, Impact, ImpactReason } from '../types/impact.ts';
import { readInstalledScript, type Script } from './canonical.ts';
import { type ComparedScript, compareScripts, type ScriptChange, wholeChange } from './compare-scripts.ts';
import { type Calls, functionsRun } from './functions-run.ts';
import { compareResolution, plainModule, type Resolution, type Trees } from './resolution.ts';
import type { Unit } from './scopes.ts';
import { textsRead } from './texts-read.ts';
import { folderOf, isScript, type Tree, versionOf } from './trees.ts';

export interface ImpactInput extends Trees {
	readonly cells: ReadonlyMap<string, CellCoverage>;
	/** By `ofSubject`: a cell may run no script. */
	readonly ofSubject?: true;
}

interface Found {
	readonly reason: ImpactReason;
	readonly calls: Calls;
}

/** Returns which cells head can affect, and what changed. */
export function findImpact({ base, head, cells, ofSubject }: ImpactInput): Impact {
	const trees = { base, head };
	const loaded = new Set([...cells.values()].flatMap(({ scripts }) => scripts.map(({ path }) => path)));
	const side = new SideOfBase(base);
	const changed = changedScripts(trees, side, loaded);
	const resolution = compareResolution(trees);
	const affects = new Map<ScriptChange, string[]>();
	const reasons = [...cells].map(([id, coverage]): [string, ImpactReason | null] => {
		const cell = new CellView(coverage, side);
		const found: Found[] = [];
		for (const [path, compared] of changed) {
			for (const [change, hit] of cell.hits(path, compared)) {
				affects.set(change, [...(affects.get(change) ?? []), id]);
				found.push({ reason: codeReason(path, change, hit, coverage.requests), calls: hit.calls });
			}
		}
		const [hottest] = found.toSorted(byWeight);
		return [
			id,
			unseenReason(cell, ofSubject) ?? hottest?.reason ?? dataReason(trees, cell) ?? resolutionReason(resolution, cell),
		];
	});
	const changes = [...changed].flatMap(([path, compared]) =>
		compared.changes.map((change) => ({ ...codeOf(path, change), cells: affects.get(change) ?? [] })),
	);
	return { cells: new Map(reasons), changes: changes.toSorted(byPlace) };
}

/** Scripts of a package that its users do not run. */
const BESIDE_CODE = /(?:^|\/)(?:tests?|__tests__|examples?|benchmarks?|docs?|types?)\//;

/** Scripts that no cell loads are not parsed. */
function changedScripts(
	trees: Trees,
	side: SideOfBase,
	loaded: ReadonlySet<string>,
): ReadonlyMap<string, ComparedScript> {
	const { base, head } = trees;
	const changed = new Map<string, ComparedScript>();
	for (const path of new Set([...base.keys(), ...head.keys()])) {
		if (base.get(path) === head.get(path)) continue;
		if (loaded.has(path)) changed.set(path, compareTexts(trees, side, path));
		else if (isScript(path) && !BESIDE_CODE.test(path)) changed.set(path, wholeChange());
	}
	return changed;
}

/** Characters that head may add to a file before it is compared as a whole, to bound the time. */
const MOST_MORE = 200_000;

function compareTexts(trees: Trees, side: SideOfBase, path: string): ComparedScript {
	const base = side.script(path);
	const isBloated = (trees.head.get(path)?.length ?? 0) > 2 * (base?.text.length ?? 0) + MOST_MORE;
	const head = isBloated ? null : readInstalledScript(trees.head, path);
	if (!base || !head) return wholeChange();
	try {
		return compareScripts({ base, head, moduleOf: (specifier) => plainModule(trees, specifier, path) });
	} catch (error) {
		// Deeply nested code.
		if (error instanceof RangeError) return wholeChange();
		throw error;
	}
}

class SideOfBase {
	readonly tree: Tree;
	readonly #scripts = new Map<string, Script | null>();
	readonly #hashes = new Map<string, string>();

	constructor(tree: Tree) {
		this.tree = tree;
	}

	script(path: string): Script | null {
		const script = this.#scripts.has(path) ? (this.#scripts.get(path) ?? null) : readInstalledScript(this.tree, path);
		this.#scripts.set(path, script);
		return script;
	}

	hash(path: string): string | undefined {
		const source = this.tree.get(path);
		if (source === undefined) return undefined;
		const hash = this.#hashes.get(path) ?? createHash('sha256').update(source).digest('hex');
		this.#hashes.set(path, hash);
		return hash;
	}
}

interface Hit {
	readonly calls: Calls;
	readonly user: string | null;
}

const AT_LOAD: Hit = { calls: { before: 1, during: 0 }, user: null };

class CellView {
	readonly coverage: CellCoverage;
	readonly base: SideOfBase;
	readonly #scripts: ReadonlyMap<string, readonly ScriptCoverage[]>;
	readonly #order: readonly string[];

	constructor(coverage: CellCoverage, base: SideOfBase) {
		this.coverage = coverage;
		this.base = base;
		this.#scripts = Map.groupBy(coverage.scripts, ({ path }) => path);
		this.#order = coverage.scripts.map(({ path }) => path);
	}

	get paths(): Iterable<string> {
		return this.#scripts.keys();
	}

	functions(path: string): readonly FunctionRun[] {
		return (this.#scripts.get(path) ?? []).flatMap(({ functions }) => functions);
	}

	otherSource(): string | undefined {
		return this.coverage.scripts.find(({ path, hash }) => this.base.hash(path) !== hash)?.path;
	}

	units(path: string): ReadonlyMap<Unit, Calls> | null {
		const script = this.base.script(path);
		return script && functionsRun(script, this.functions(path));
	}

	hits(path: string, { changes, topNames }: ComparedScript): readonly (readonly [ScriptChange, Hit])[] {
		if (!this.#scripts.has(path)) return [];
		const script = changes.every(({ trigger }) => trigger.when === 'load') ? null : this.base.script(path);
		const run = script && functionsRun(script, this.functions(path));
		return changes.flatMap((change) => {
			const hit = this.#hitOf(change, path, run, topNames);
			return hit ? [[change, hit] as const] : [];
		});
	}

	#hitOf(
		{ trigger }: ScriptChange,
		path: string,
		run: ReadonlyMap<Unit, Calls> | null,
		topNames: ReadonlySet<string>,
	): Hit | null {
		if (trigger.when === 'load' || !run) return AT_LOAD;
		if (trigger.when === 'run') {
			const calls = run.get(trigger.unit);
			return calls ? { calls, user: null } : null;
		}
		if (trigger.names.some((name) => topNames.has(name))) return AT_LOAD;
		if (!trigger.modules.every((module) => this.#loadsBefore(module, path))) return AT_LOAD;
		let hottest: Hit | null = null;
		for (const [unit, calls] of run) {
			const uses = unit.parent && trigger.names.some((name) => unit.names.has(name));
			if (!uses && !trigger.units.includes(unit)) continue;
			if (!hottest || calls.during > hottest.calls.during) hottest = { calls, user: unit.name };
		}
		return hottest;
	}

	/** In one process, so the order is known. */
	#loadsBefore(module: string, path: string): boolean {
		const [at, later] = [this.#order.indexOf(module), this.#order.indexOf(path)];
		const once = this.#order.lastIndexOf(module) === at && this.#order.lastIndexOf(path) === later;
		return at >= 0 && at < later && once;
	}
}

function codeOf(path: string, { kind, name, side, line }: ScriptChange): Omit<CodeChange, 'cells'> {
	return { kind, name: name || path, path, line, side };
}

function codeReason(path: string, change: ScriptChange, { calls, user }: Hit, requests: number): ImpactReason {
	const callsPerRequest = requests > 0 ? calls.during / requests : 0;
	return { kind: 'code', change: codeOf(path, change), user, callsPerRequest };
}

function unseenReason(cell: CellView, ofSubject = false): ImpactReason | null {
	const [first] = cell.coverage.unseen;
	if (first) return { kind: 'unseen', unseen: first.kind, detail: first.detail };
	const other = cell.otherSource();
	if (other !== undefined) return { kind: 'unseen', unseen: 'source', detail: other };
	return cell.coverage.scripts.length === 0 && !ofSubject ? { kind: 'unseen', unseen: 'failed', detail: '' } : null;
}

function dataReason(trees: Trees, { coverage }: CellView): ImpactReason | null {
	const seen = coverage.reads.find((each) => isChangedData(trees, each));
	const path = seen ?? unseenRead(trees, coverage) ?? textsRead(trees, coverage);
	return path === undefined ? null : { kind: 'data', path };
}

const DATABASE = /\.(?:db|sqlite3?)$/;
const IMPORTS_DATA = /\bwith\s*:?\s*\{\s*['"]?type\b/;

/** Node imports JSON, and opens databases, past the functions that the probe watches. */
function unseenRead(trees: Trees, { scripts }: CellCoverage): string | undefined {
	const importsData = scripts.some(({ path }) => IMPORTS_DATA.test(trees.base.get(path) ?? ''));
	return [...new Set([...trees.base.keys(), ...trees.head.keys()])].find(
		(path) => (DATABASE.test(path) || (importsData && path.endsWith('.json'))) && isChangedData(trees, path),
	);
}

function isChangedData({ base, head }: Trees, path: string): boolean {
	if (path.endsWith('/')) return namesIn(base, path) !== namesIn(head, path);
	const [one, other] = [base.get(path), head.get(path)];
	if (one === other) return false;
	return !path.endsWith('.json') || withoutVersion(base, path) !== withoutVersion(head, path);
}

function withoutVersion(tree: Tree, path: string): string | undefined {
	const version = versionOf(tree, path);
	const text = tree.get(path);
	return version === null ? text : text?.replaceAll(`"version": ${JSON.stringify(version)}`, '"version"');
}

function namesIn(tree: Tree, folder: string): string {
	const names = new Set<string>();
	const start = folder === './' ? '' : folder;
	for (const path of tree.keys())
		if (path.startsWith(start)) names.add(path.slice(start.length).split('/', 1)[0] ?? '');
	return [...names].toSorted().join('\n');
}

function resolutionReason(resolution: Resolution, cell: CellView): ImpactReason | null {
	for (const path of cell.paths) {
		const specifier = resolution.changedIn(path) ?? (resolution.filesMoved && computedBy(cell, path));
		if (specifier) return { kind: 'resolution', specifier, path };
	}
	return null;
}

const MAY_COMPUTE = /\brequire\b(?!\(['"][^'"\n]*['"]\))|\bimport\s*\(|\b(?:createRequire|_load|_resolveFilename)\b/;

/** No syntax tree has them: `new Function('s', 'return import(s)')`. */
const HIDES_LOADS =
	/(['"`])(?:(?!\1)[^\n])*\bimport\s*\(\s*[^)\s]|\bimport\.meta\.resolve\b(?!\(['"][^'"\n]*['"]\))|\bfindPackageJSON\b/;

function computedBy(cell: CellView, path: string): string | null {
	const text = cell.base.tree.get(path) ?? '';
	if (HIDES_LOADS.test(text)) return 'import';
	if (!MAY_COMPUTE.test(text)) return null;
	const units = cell.units(path);
	if (!units) return 'import';
	for (const unit of units.keys()) if (unit.loadsComputed) return unit.name;
	return null;
}

/** Most calls first; files compared as a whole last. */
function byWeight(a: Found, b: Found): number {
	const isFile = ({ reason }: Found) => Number(reason.kind === 'code' && reason.change.kind === 'file');
	const [one, other] = [a.calls, b.calls];
	return other.during - one.during || isFile(a) - isFile(b) || other.before - one.before;
}

function byPlace(a: CodeChange, b: CodeChange): number {
	const file = (change: CodeChange) => `${change.kind === 'file' ? 1 : 0} ${folderOf(change.path)} ${change.path}`;
	return file(a) < file(b) ? -1 : file(a) > file(b) ? 1 : a.line - b.line;
}
