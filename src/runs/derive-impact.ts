/** Derives affected rows from main's coverage and the files of two commits, without running them (decision 0072). */
import { posix } from 'node:path';
import { plainFolder } from '../config/file/check-harness.ts';
import { unpackCoverage } from '../formats/baseline/kept-coverage.ts';
import { hashOf } from '../formats/order-keys.ts';
import { MODULES } from '../impact/exercised.ts';
import { findImpact } from '../impact/find-impact.ts';
import { listChanges } from '../impact/list-changes.ts';
import { compareResolution } from '../impact/resolution.ts';
import { readPackage, type Tree } from '../impact/trees.ts';
import { withSpare } from '../plan/hold-spare.ts';
import { planCells } from '../plan/plan-cells.ts';
import { timingFor } from '../plan/timing.ts';
import { decidesInstall, isInert } from '../prepare/content/reads.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { Config } from '../types/config.ts';
import type { CellCoverage } from '../types/coverage.ts';
import type { ChangedCode, CodeChange, ImpactReason } from '../types/impact.ts';
import type { Cell } from '../types/plan.ts';
import type { Environment } from '../types/result.ts';
import type { Sides } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import { whyAlways } from './always-measured.ts';

export interface CommitFiles {
	/** Path → mode and hash, separated by a space. */
	readonly entries: ReadonlyMap<string, string>;
	/** Returns null for a file that cannot be read. */
	readonly read: (path: string) => Promise<string | null>;
}

export interface DerivedImpact {
	/** By cell; null if unaffected. Lacks cells that texts do not decide. */
	readonly rows: ReadonlyMap<string, ImpactReason | null>;
	readonly changes: readonly CodeChange[];
	/** For a run in which nothing else finds rows. */
	readonly changed: ChangedCode;
	/** Of the subject alone. */
	readonly coverage: ReadonlyMap<string, CellCoverage>;
}

/** Scripts that a change of other files could make write the packed code. */
const BUILDING = /^(?:(?:pre|post)?(?:build|pack|install|prepare)|prepublish|dependencies)$/;
/** They decide what a package contains. */
const STEERING = /(?:^|\/)(?:\.(?:npm|git|yarn|pnp)[^/]*|binding\.gyp)$/;
const BESIDE_CODE = /^(?:tests?|__tests__|examples?|benchmarks?|docs?)\//;
const PLAIN_FILE = /^100(?:644|755) /;
const USER = 'user.js';
/** Each is a request to GitHub. */
const MOST_READ = 200;

export type Machine = Pick<Environment, 'node' | 'cpus'>;

/** Returns the cells of a config if both sides have all servers. */
export function allCells(config: Config): readonly Cell[] {
	const names = config.servers.map(({ name }) => name);
	return planCells(config, { servers: { base: names, head: names } }).cells;
}

/** Returns the cells that texts can decide. Bench servers are the newest, not base's. */
export function derivableCells(config: Config): readonly Cell[] {
	const { runtime, baseRuntime, headRuntime } = config;
	const runtimes = runtime ?? baseRuntime ?? headRuntime;
	return allCells(config).filter((cell) => {
		const isBuiltin = config.servers.find(({ name }) => name === cell.server)?.kind === 'built-in';
		// The seed decides what a mix sends.
		const isMix = config.scenarios.find(({ name }) => name === cell.scenario)?.mix !== undefined;
		return isBuiltin && !isMix && whyAlways(cell, { config, runtimes }) === null;
	});
}

/** Other programs, requests and loads have other keys. */
export function coverageKey(config: Config, { id, server, scenario }: Cell): string {
	const asked = config.scenarios.find(({ name }) => name === scenario);
	const timing = timingFor({ ...config, design: 'duet' });
	return `${id} ${hashOf([toolVersion(), server, asked, timing]).slice(0, 16)}`;
}

/**
 * Returns what `records`, baselines of base's commit, and the texts of both commits decide; otherwise, why they decide
 * nothing, as a clause.
 */
export async function deriveImpact(
	asked: Config,
	records: readonly BaselineRecord[],
	machines: readonly Machine[],
	sides: Sides<CommitFiles>,
): Promise<DerivedImpact | string> {
	const config = withSpare(asked);
	const kept = records.flatMap(({ coverage, environment }) => (coverage ? [{ coverage, environment }] : []));
	const isKnown = ({ node, cpus }: Machine) =>
		kept.some(({ environment }) => environment.node === node && environment.cpus === cpus);
	if (kept.length === 0 || machines.length === 0 || !machines.every(isKnown))
		return 'main keeps no coverage of base from a machine with the same Node and number of CPUs';
	const folder = plainFolder(config.subject);
	const [name] = new Set(kept.map(({ coverage }) => coverage.subject));
	if (name === undefined || kept.some(({ coverage }) => coverage.folder !== folder || coverage.subject !== name))
		return 'the coverage that main keeps is of another package';
	const unpacked = kept.map(({ coverage }) => unpackCoverage(coverage));
	if (unpacked.some((cells) => cells === null)) return 'the coverage that main keeps is damaged';
	const why = (await whyBuilt(config, folder, sides.base)) ?? whyElsewhere(folder, sides);
	if (why !== null) return why;
	const cells = derivableCells(config).map((cell) => ({ id: cell.id, key: coverageKey(config, cell) }));
	const covered = unpacked.map((one) => {
		const byKey = new Map(Object.entries(one ?? {}));
		return new Map(
			cells.flatMap(({ id, key }) => (byKey.has(key) ? [[id, byKey.get(key) as CellCoverage] as const] : [])),
		);
	});
	const home = `${MODULES}${name}/`;
	const seen = covered.flatMap((one) => [...one.values()]);
	const loaded = new Set(seen.flatMap(({ scripts }) => scripts.map(({ path }) => path.slice(home.length))));
	const read = [...loaded, ...seen.flatMap(({ reads }) => reads.map((path) => path.slice(home.length)))];
	if (read.some((path) => path === '' || BESIDE_CODE.test(path))) return 'base reads its tests, examples or documents';
	if (loaded.size > MOST_READ) return `base loads more than ${MOST_READ} files`;
	const trees = await readTrees(sides, { folder, home, loaded });
	const entry = changedEntry(trees, name, loaded);
	if (entry !== null) return `${entry} may lead to another file`;
	const impacts = covered.map((one) => findImpact({ ...trees, cells: one, ofSubject: true }));
	const rows = cells.flatMap(({ id }): (readonly [string, ImpactReason | null])[] => {
		const reasons = impacts.flatMap((impact) => (impact.cells.has(id) ? [impact.cells.get(id) ?? null] : []));
		const code = reasons.find((reason) => reason?.kind === 'code');
		if (code) return [[id, code]];
		return reasons.length > 0 && reasons.every((reason) => reason === null) ? [[id, null]] : [];
	});
	const changes = impacts[0]?.changes ?? [];
	const isWhole = rows.length === allCells(config).length;
	return {
		rows: new Map(rows),
		changes,
		changed: { ...listChanges(changes, isWhole), ...(config.gate.uncovered && { uncovered: config.gate.uncovered }) },
		coverage: new Map(covered.toReversed().flatMap((one) => [...one])),
	};
}

/** Returns why installed files may be others than the commit's, or null. */
async function whyBuilt({ prepare }: Config, folder: string, base: CommitFiles): Promise<string | null> {
	if (prepare !== undefined) return mayWrite('prepare of the config');
	for (const around of foldersAround(folder)) {
		const path = posix.join(around, 'package.json');
		if (!base.entries.has(path)) continue;
		const manifest = readManifest(await base.read(path));
		const { scripts = {}, bundleDependencies, bundledDependencies } = manifest ?? {};
		const building = Object.keys(scripts ?? {}).find((script) => BUILDING.test(script));
		if (manifest === null) return `${path} of base cannot be read`;
		if (building !== undefined) return mayWrite(`the script ${building} of ${path}`);
		if (bundleDependencies || bundledDependencies) return `${path} bundles dependencies`;
	}
	return null;
}

/** Its output is code of head that only a job which head could change has seen. */
function mayWrite(script: string): string {
	return `${script} may write the code that runs, and the reporting job runs no script`;
}

function foldersAround(folder: string): string[] {
	const parts = folder === '.' ? [] : folder.split('/');
	return ['.', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

function readManifest(text: string | null): Readonly<Record<string, object | undefined>> | null {
	try {
		const value: unknown = JSON.parse(text ?? '');
		return typeof value === 'object' ? (value as Record<string, object>) : null;
	} catch {
		return null;
	}
}

function whyElsewhere(folder: string, { base, head }: Sides<CommitFiles>): string | null {
	const paths = new Set([...base.entries.keys(), ...head.entries.keys()]);
	for (const path of paths) {
		const [before, after] = [base.entries.get(path), head.entries.get(path)];
		if (before === after || isInert(path, [folder])) continue;
		if (insideOf(path, folder) === null) return `${path} changed, which is outside of the package`;
		if (packageAround(path, folder, paths) !== null) return `${path} changed, which is in a package of its own`;
		if (decidesInstall(path) || STEERING.test(path)) return `${path} changed, which decides what is installed`;
		if (![before, after].every((entry) => entry === undefined || PLAIN_FILE.test(entry)))
			return `${path} changed, which is no plain file`;
	}
	return null;
}

/** A package within the subject may be installed beside it. */
function packageAround(path: string, folder: string, paths: ReadonlySet<string>): string | null {
	for (let at = posix.dirname(path); at !== folder && at !== '.'; at = posix.dirname(at))
		if (paths.has(`${at}/package.json`)) return at;
	return null;
}

/** A specifier of unknown users that a new file may redirect, or null. */
function changedEntry({ base, head }: Sides<Tree>, name: string, loaded: ReadonlySet<string>): string | null {
	if (readPackage(base, `${MODULES}${name}/package.json`)?.exports !== undefined) return null;
	const kept = [...loaded].filter((path) => head.has(`${MODULES}${name}/${path}`));
	const places = kept.flatMap((path) => [path, path.replace(/\.\w+$/, ''), ...foldersAround(posix.dirname(path))]);
	const specifiers = ['.', ...places].map((place) => posix.join(name, place));
	const text = specifiers.map((specifier) => JSON.stringify(specifier)).join('\n');
	const used = (tree: Tree) => new Map([...tree, [USER, text]]);
	return compareResolution({ base: used(base), head: used(head) }).changedIn(USER);
}

/** Whether commits differ only in files that no row runs. */
export function isSameCode({ subject }: Pick<Config, 'subject'>, one: CommitFiles, other: CommitFiles): boolean {
	const folder = plainFolder(subject);
	const differing = [...new Set([...one.entries.keys(), ...other.entries.keys()])].filter(
		(path) => one.entries.get(path) !== other.entries.get(path),
	);
	return differing.every((path) => isInert(path, [folder]) || BESIDE_CODE.test(insideOf(path, folder) ?? ''));
}

/** Null for a path outside. */
function insideOf(path: string, folder: string): string | null {
	if (folder === '.') return path;
	return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

interface Place {
	readonly folder: string;
	/** Where it is installed. */
	readonly home: string;
	/** Relative paths. */
	readonly loaded: ReadonlySet<string>;
}

/** Other files have their hash as text. */
async function readTrees(sides: Sides<CommitFiles>, place: Place): Promise<Sides<Tree>> {
	const base = await readTree(sides.base, place, () => undefined);
	const isSame = (path: string) => sides.base.entries.get(path) === sides.head.entries.get(path);
	const head = await readTree(sides.head, place, (path, at) => (isSame(path) ? base.get(at) : undefined));
	return { base, head };
}

async function readTree(
	{ entries, read }: CommitFiles,
	{ folder, home, loaded }: Place,
	known: (path: string, at: string) => string | undefined,
): Promise<ReadonlyMap<string, string>> {
	const tree = new Map<string, string>();
	for (const [path, entry] of entries) {
		const inside = insideOf(path, folder);
		if (inside === null) continue;
		const at = `${home}${inside}`;
		const isRead = loaded.has(inside);
		if (!isRead && BESIDE_CODE.test(inside)) continue;
		const text = known(path, at) ?? (isRead || posix.basename(path) === 'package.json' ? await read(path) : null);
		tree.set(at, text ?? entry);
	}
	return tree;
}
