import { posix } from 'node:path';
import type { Manifest } from '../package/manifest.ts';

export interface NamedFile {
	/** Relative to the package, without `./`; `*` matches any text. */
	readonly path: string;
	/** Whether an import by name needs the file. */
	readonly entry: boolean;
	/**
	 * Whether Node loads the file on import. Node does not load `bin` programs or the fields that only bundlers read.
	 */
	readonly loaded: boolean;
}

/** Conditions of Node; those of other tools may name unpublished files. */
const IMPORT = new Set(['node', 'node-addons', 'import', 'module-sync', 'default']);
const REQUIRE = new Set(['node', 'node-addons', 'require', 'module-sync', 'default']);
/** Endings that Node tries for a `main`, https://nodejs.org/api/modules.html#all-together. */
const ENDINGS = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];
const DEFAULT_MAINS = ['index.js', 'index.json', 'index.node'];

/**
 * Returns the files that a package.json names (`exports` or `main`; `module`; `bin`) and `files` lacks, loaded ones
 * first. Ignores types and conditions that Node never matches.
 */
export function findMissing(manifest: Manifest, files: ReadonlySet<string>): NamedFile[] {
	const entryFiles = manifest.exports == null ? mainOf(manifest, files) : exportsOf(manifest.exports);
	const others = [manifest.module, ...binsOf(manifest)].flatMap((path) => named(path, { entry: false, loaded: false }));
	const missing = [...entryFiles, ...others].filter(({ path }) => !isThere(path, files));
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
	// Node falls back to the index, possibly not the intended file.
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

function isSubpaths(exports: unknown): exports is Record<string, unknown> {
	return isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
}

function resolve(target: unknown, conditions: ReadonlySet<string>): string | null {
	if (typeof target === 'string') return target;
	const choices = Array.isArray(target)
		? target
		: isRecord(target)
			? Object.entries(target).flatMap(([condition, inner]) => (conditions.has(condition) ? [inner] : []))
			: [];
	for (const choice of choices) {
		// `null` means that the subpath is not exported. It ends the search.
		if (choice === null) return null;
		const path = resolve(choice, conditions);
		if (path !== null) return path;
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

/** Null for a path outside the package. */
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
