import { posix } from 'node:path';
import type { Manifest } from '../package/manifest.ts';

/** A file that a package.json says the package has. */
export interface NamedFile {
	/** Relative to the package, without a leading `./`; `*` stands for any text. */
	readonly path: string;
	/** Without it `import` of the package by its bare name fails. */
	readonly entry: boolean;
	/** Whether Node loads it when somebody imports the package or a path of it; programs and fields of bundlers are not. */
	readonly loaded: boolean;
}

/** What Node matches for `import` and for `require`; conditions of other tools may name files that are not published. */
const IMPORT = new Set(['node', 'node-addons', 'import', 'module-sync', 'default']);
const REQUIRE = new Set(['node', 'node-addons', 'require', 'module-sync', 'default']);
/** What Node tries for a `main` that is no file, https://nodejs.org/api/modules.html#all-together. */
const ENDINGS = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];
const DEFAULT_MAINS = ['index.js', 'index.json', 'index.node'];

/**
 * Returns the files that a package.json names (`exports` as Node reads it, else `main`; `module`; `bin`) and that are not among
 * `files` (paths relative to the package), those that are loaded first. Types and conditions that Node never matches do not
 * count. A package that names nothing and has no index.js is not meant to be loaded: then nothing is missing.
 */
export function findMissing(manifest: Manifest, files: ReadonlySet<string>): NamedFile[] {
	const found = manifest.exports == null ? mainOf(manifest, files) : exportsOf(manifest.exports);
	const others = [manifest.module, ...binsOf(manifest)].flatMap((path) => named(path, { entry: false, loaded: false }));
	const missing = [...found, ...others].filter(({ path }) => !isThere(path, files));
	const rank = ({ entry, loaded }: NamedFile) => (entry ? 0 : loaded ? 1 : 2);
	const sorted = missing.toSorted((a, b) => rank(a) - rank(b));
	return sorted.filter(({ path }, at) => sorted.findIndex((file) => file.path === path) === at);
}

function mainOf({ main }: Manifest, files: ReadonlySet<string>): NamedFile[] {
	if (typeof main !== 'string' || main === '') return [];
	const path = normalise(main.replace(/\/+$/, '') || '.');
	if (path === null) return [];
	const tried = path === '.' ? DEFAULT_MAINS : ENDINGS.map((ending) => path + ending);
	if (tried.some((file) => files.has(file))) return [];
	// Node falls back to the index of the package, which may be another file than the one that is meant.
	const fallback = DEFAULT_MAINS.some((file) => files.has(file));
	return [{ path: path === '.' ? 'index.js' : path, entry: !fallback, loaded: true }];
}

function exportsOf(exports: unknown): NamedFile[] {
	const map = isSubpaths(exports) ? exports : { '.': exports };
	return Object.entries(map).flatMap(([subpath, target]) => {
		const imported = resolve(target, IMPORT);
		const required = resolve(target, REQUIRE);
		const isRoot = subpath === '.';
		return [
			...named(imported, { entry: isRoot, loaded: true }),
			...named(required, { entry: isRoot && imported === null, loaded: true }),
		];
	});
}

/** Keys that begin with a dot are paths of the package, all others are conditions. */
function isSubpaths(exports: unknown): exports is Record<string, unknown> {
	return isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
}

/** Returns what Node takes of a target under some conditions: the first that matches; null when none does. */
function resolve(target: unknown, conditions: ReadonlySet<string>): string | null {
	if (typeof target === 'string') return target;
	const choices = Array.isArray(target)
		? target
		: isRecord(target)
			? Object.entries(target).flatMap(([condition, inner]) => (conditions.has(condition) ? [inner] : []))
			: [];
	for (const choice of choices) {
		// A null says that the path is not exported, and ends the search.
		if (choice === null) return null;
		const found = resolve(choice, conditions);
		if (found !== null) return found;
	}
	return null;
}

function binsOf({ bin }: Manifest): unknown[] {
	return isRecord(bin) ? Object.values(bin) : [bin];
}

function named(path: unknown, kind: Omit<NamedFile, 'path'>): NamedFile[] {
	const normal = typeof path === 'string' ? normalise(path) : null;
	return normal === null || normal === '.' ? [] : [{ path: normal, ...kind }];
}

/** Returns null for a path that leads out of the package. */
function normalise(path: string): string | null {
	const normal = posix.normalize(path).replace(/^\/+/, '').replace(/\/$/, '/*');
	return normal.startsWith('..') ? null : normal === './*' ? '.' : normal;
}

function isThere(path: string, files: ReadonlySet<string>): boolean {
	const star = path.indexOf('*');
	if (star < 0) return files.has(path);
	const [before, after] = [path.slice(0, star), path.slice(path.lastIndexOf('*') + 1)];
	for (const file of files) {
		if (file.length >= before.length + after.length && file.startsWith(before) && file.endsWith(after)) return true;
	}
	return false;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
