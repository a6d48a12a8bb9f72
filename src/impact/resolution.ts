/** Modules that may resolve to another file in head. */
import { LINK } from '../types/impact.ts';
import { folderOf, foldersAround, type PackageFile, packageFileOf, readPackage, type Tree, within } from './trees.ts';

export interface Trees {
	readonly base: Tree;
	readonly head: Tree;
}

export interface Resolution {
	/** Returns a specifier of a script, or null. */
	readonly changedIn: (path: string) => string | null;
	/** Matters to code that computes names. */
	readonly filesMoved: boolean;
}

/** CommonJS needs no extension. */
const LOADABLE = /(?:\.(?:[cm]?js|json|node|wasm)|(?:^|\/)[^./]+)$/;
const SPECIFIER = /(['"])(\.{1,2}(?:\/[^'"\n]*)?|#?[@\w][^'"\s:]*)\1/g;
const FIELDS = ['name', 'main', 'type', 'imports'] as const;

/** Compares names of files and fields of package.json. */
export function compareResolution({ base, head }: Trees): Resolution {
	const moved = [...base.keys(), ...head.keys()].filter((path) => base.has(path) !== head.has(path));
	const packages = changedPackages(base, head);
	const link = changedLink(base, head);
	if (link !== undefined) return { changedIn: () => link, filesMoved: true };
	if (moved.length === 0 && packages.size === 0) return { changedIn: () => null, filesMoved: false };
	const sides = [new Resolver(base, base, packages), new Resolver(head, base, packages)] as const;
	const known = new Map<string, string | null>();
	const changedIn = (path: string): string | null => {
		const found = known.has(path) ? known.get(path) : changedSpecifier(sides, base.get(path) ?? '', path);
		known.set(path, found ?? null);
		return found ?? null;
	};
	return { changedIn, filesMoved: packages.size > 0 || moved.some((path) => LOADABLE.test(path)) };
}

/** Coverage has the paths behind links. */
function changedLink(base: Tree, head: Tree): string | undefined {
	const isLink = (path: string) => [base, head].some((tree) => tree.get(path)?.startsWith(LINK));
	return [...new Set([...base.keys(), ...head.keys()])].find(
		(path) => base.get(path) !== head.get(path) && isLink(path),
	);
}

function changedSpecifier([base, head]: readonly [Resolver, Resolver], text: string, path: string): string | null {
	const own = base.packageOf(path);
	if (own !== head.packageOf(path)) return 'package.json';
	for (const [, , specifier = ''] of text.matchAll(SPECIFIER)) {
		if (base.trail(specifier, path) !== head.trail(specifier, path)) return specifier;
	}
	return null;
}

function changedPackages(base: Tree, head: Tree): ReadonlySet<string> {
	const changed = new Set<string>();
	for (const path of new Set([...base.keys(), ...head.keys()])) {
		if (path !== 'package.json' && !path.endsWith('/package.json')) continue;
		if (base.get(path) === head.get(path)) continue;
		if (!sameFields(readPackage(base, path), readPackage(head, path))) changed.add(path);
	}
	return changed;
}

function sameFields(base: PackageFile | null, head: PackageFile | null): boolean {
	if (!base || !head) return false;
	const same = FIELDS.every((field) => JSON.stringify(base[field]) === JSON.stringify(head[field]));
	return same && sameExports(base.exports, head.exports);
}

/** A new subpath is harmless if no pattern matched it. */
function sameExports(base: unknown, head: unknown): boolean {
	if (JSON.stringify(base) === JSON.stringify(head)) return true;
	if (!isSubpaths(base) || !isSubpaths(head)) return false;
	const kept = Object.fromEntries(Object.entries(head).filter(([key]) => key in base));
	if (JSON.stringify(kept) !== JSON.stringify(base)) return false;
	const patterns = Object.keys(base).filter((key) => key.includes('*') || key.endsWith('/'));
	return Object.keys(head)
		.filter((key) => !(key in base))
		.every((key) => !key.includes('*') && !key.endsWith('/') && !patterns.some((pattern) => matches(pattern, key)));
}

function isSubpaths(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && Object.keys(value).every((key) => key.startsWith('.'));
}

function matches(pattern: string, key: string): boolean {
	const [start = '', end = ''] = pattern.split('*');
	return key.startsWith(start) && key.endsWith(end);
}

class Resolver {
	readonly #tree: Tree;
	readonly #base: Tree;
	readonly #changed: ReadonlySet<string>;
	readonly #folders = new Set<string>();

	constructor(tree: Tree, base: Tree, changed: ReadonlySet<string>) {
		this.#tree = tree;
		this.#base = base;
		this.#changed = changed;
		for (const path of tree.keys()) {
			for (let at = folderOf(path); at !== '' && !this.#folders.has(at); at = folderOf(at)) this.#folders.add(at);
		}
	}

	packageOf(path: string): string {
		return this.#marked(packageFileOf(this.#tree, path));
	}

	/** Equal trails mean equal results. */
	trail(specifier: string, from: string): string {
		if (specifier.startsWith('#')) return this.packageOf(from);
		if (specifier.startsWith('.')) return this.#fileTrail(resolve(folderOf(from), specifier));
		const [scope = '', name] = specifier.split('/');
		const packageName = scope.startsWith('@') && name !== undefined ? `${scope}/${name}` : scope;
		const folder = foldersAround(folderOf(from))
			.map((around) => within(around, `node_modules/${packageName}`))
			.find((each) => this.#folders.has(each) || this.#tree.has(each));
		if (folder === undefined) return '';
		const subpath = specifier.slice(packageName.length + 1);
		const link = this.#tree.get(folder) ?? '';
		return `${folder} ${link} ${this.#exportsTrail(folder, subpath)} ${this.#fileTrail(resolve(folder, subpath))}`;
	}

	#fileTrail(path: string): string {
		const files = [path, ...['.js', '.json', '.node'].map((extension) => path + extension)];
		const found = files.find((file) => this.#tree.has(file));
		if (found !== undefined || !this.#folders.has(path)) return found ?? '';
		const file = within(path, 'package.json');
		const { main } = readPackage(this.#tree, file) ?? {};
		const target = typeof main === 'string' ? resolve(path, main) : path;
		const entries = target === path ? '' : this.#fileTrail(target);
		const index = ['index.js', 'index.json', 'index.node'].map((name) => within(path, name));
		const marked = this.#tree.has(file) ? this.#marked(file) : '';
		return `${marked} ${entries} ${index.find((each) => this.#tree.has(each)) ?? ''}`;
	}

	/** Existing targets of base; for a pattern, all files. */
	#exportsTrail(folder: string, subpath: string): string {
		const file = within(folder, 'package.json');
		const targets = targetsOf(readPackage(this.#base, file)?.exports);
		const { exports } = readPackage(this.#tree, file) ?? {};
		const listed = isSubpaths(exports) && `./${subpath}` in exports;
		const all = subpath !== '' && targets.some((target) => target.includes('*'));
		const files = all
			? [...this.#tree.keys()].filter((path) => path.startsWith(`${folder}/`))
			: targets.map((target) => resolve(folder, target)).filter((path) => this.#tree.has(path));
		return `${this.#marked(file)} ${listed} ${files.toSorted().join(' ')}`;
	}

	#marked(file: string | null): string {
		return file !== null && this.#changed.has(file) ? `${file} ${this.#tree.get(file)}` : `${file}`;
	}
}

function targetsOf(value: unknown): readonly string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(targetsOf) : [];
}

/** Joins a relative path to a folder. */
export function resolve(folder: string, relative: string): string {
	const parts = folder === '' ? [] : folder.split('/');
	for (const part of relative.split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return parts.join('/');
}

/** Returns the script that `./x` loads on both sides if its exports are plain values, else null. */
export function plainModule({ base, head }: Trees, specifier: string, from: string): string | null {
	if (!/^\.{1,2}\//.test(specifier)) return null;
	const target = resolve(folderOf(from), specifier);
	const find = (tree: Tree) => [target, `${target}.js`, `${target}/index.js`].find((path) => tree.has(path));
	const path = find(base);
	if (path === undefined || path !== find(head) || !path.endsWith('.js')) return null;
	const texts = [base.get(path) ?? '', head.get(path) ?? ''];
	return texts.every((text) => !UNUSUAL_EXPORTS.test(text)) ? path : null;
}

const UNUSUAL_EXPORTS =
	/\bget\b|\bdefine(?:Property|Properties|Getter)\b|__defineGetter__|\bProxy\b|exports\s*=\s*require\b/;
