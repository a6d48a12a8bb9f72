import type { SourceKind } from './syntax.ts';

/** Relative path → text of JavaScript and JSON, a hash of any other file. */
export type Tree = ReadonlyMap<string, string>;

const SCRIPT = /\.[cm]?js$/;

export function isScript(path: string): boolean {
	return SCRIPT.test(path);
}

export function folderOf(path: string): string {
	return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function within(folder: string, path: string): string {
	return folder === '' ? path : `${folder}/${path}`;
}

export function foldersAround(folder: string): readonly string[] {
	const folders = [folder];
	for (let at = folder; at !== ''; ) {
		at = folderOf(at);
		folders.push(at);
	}
	return folders;
}

/** As Node finds it. */
export function packageFileOf(tree: Tree, path: string): string | null {
	for (const folder of foldersAround(folderOf(path))) {
		if (/(?:^|\/)node_modules$/.test(folder)) return null;
		const file = within(folder, 'package.json');
		if (tree.has(file)) return file;
	}
	return null;
}

export type PackageFile = Readonly<Record<string, unknown>>;

export function readPackage(tree: Tree, file: string | null): PackageFile | null {
	const text = file === null ? undefined : tree.get(file)?.replace(/^\uFEFF/, '');
	if (text === undefined) return null;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? (value as PackageFile) : null;
	} catch {
		return null;
	}
}

/** A `.js` file without a `type` is CommonJS, or else a module. */
export function kindsOfScript(tree: Tree, path: string): readonly SourceKind[] {
	if (path.endsWith('.mjs')) return ['module'];
	if (path.endsWith('.cjs')) return ['script'];
	const type = readPackage(tree, packageFileOf(tree, path))?.type;
	if (type === 'module') return ['module'];
	return type === 'commonjs' ? ['script'] : ['script', 'module'];
}

export function versionOf(tree: Tree, path: string): string | null {
	const version = readPackage(tree, packageFileOf(tree, path))?.version;
	// A literal such as '2' may be a number in use.
	return typeof version === 'string' && /^\d+\.\d+\.\d/.test(version) ? version : null;
}
