import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { parseJson } from '../text/json.ts';
import { followImports, readSource, type SourcePart } from './follow-imports.ts';
import { findWritten, type WrittenCommand } from './written-commands.ts';

/** Not validated, because users write it. */
export interface PackageJson {
	readonly name?: unknown;
	readonly description?: unknown;
	readonly keywords?: unknown;
	readonly type?: unknown;
	readonly main?: unknown;
	readonly bin?: unknown;
	readonly scripts?: unknown;
	readonly prisma?: unknown;
	readonly dependencies?: unknown;
	readonly devDependencies?: unknown;
	readonly peerDependencies?: unknown;
	readonly workspaces?: unknown;
	readonly packageManager?: unknown;
	readonly private?: unknown;
	readonly files?: unknown;
	readonly exports?: unknown;
	readonly types?: unknown;
}

export interface FoundPackage {
	/** Relative to the folder of the config, with `/`; `.` for that folder itself. */
	readonly folder: string;
	readonly json: PackageJson;
	/** Possible programs: relative path → beginning of the text without comments. */
	readonly programs: ReadonlyMap<string, string>;
	readonly read: (program: string) => Promise<readonly SourcePart[]>;
	readonly written: readonly WrittenCommand[];
	readonly readText: (file: string) => string | null;
}

const FOLDERS = ['', 'src', 'lib', 'bin'];
const PROGRAM = /^(?:server|main|app|index|www|start)\.(?:[cm]?js|[cm]?ts)$/;
const MANAGERS = new Map([
	['bun', ['bun.lock', 'bun.lockb']],
	['pnpm', ['pnpm-lock.yaml', 'pnpm-workspace.yaml']],
	['yarn', ['yarn.lock']],
	['npm', ['package-lock.json']],
]);
const DEPTH = 4;
const SKIPPED = /^(?:\.|node_modules$)/;

/** Finds the manager by lockfile or `packageManager`; npm by default. */
export async function findManager(folder: string, { packageManager }: PackageJson): Promise<string> {
	const pinned = typeof packageManager === 'string' ? packageManager.split('@')[0] : undefined;
	if (pinned !== undefined && MANAGERS.has(pinned)) return pinned;
	const files = new Set(await readdir(folder).catch(() => []));
	const [name] = [...MANAGERS].find(([, lockfiles]) => lockfiles.some((file) => files.has(file))) ?? [
		files.has('bunfig.toml') ? 'bun' : 'npm',
	];
	return name;
}

const APART = ['*', 'services/*', 'apps/*', 'packages/*'];

/**
 * Returns the packages of a workspace without its root. `root` is null if the top has no package.json; then packages in
 * its folders count.
 */
export async function findWorkspaces(folder: string, root: PackageJson | null): Promise<FoundPackage[]> {
	const workspaceGlobs = await readGlobs(folder, root ?? {});
	const globs = root === null && workspaceGlobs.length === 0 ? APART : workspaceGlobs;
	if (globs.length === 0) return [];
	const packages: FoundPackage[] = [];
	for (const inside of await findManifests(folder, '', DEPTH)) {
		if (!matches(inside, globs)) continue;
		const json = await readJson(path.join(folder, inside, 'package.json'));
		if (json !== null) packages.push(await describePackage(folder, inside, json));
	}
	return packages;
}

export async function describePackage(top: string, folder: string, json: PackageJson): Promise<FoundPackage> {
	const programs = new Map<string, string>();
	const named = [json.main, ...wordsOf(json.scripts)].filter((name) => typeof name === 'string');
	const names = named.map((name) => path.posix.normalize(name)).filter((name) => !name.startsWith('..'));
	for (const at of FOLDERS) {
		const entries = await readdir(path.join(top, folder, at)).catch(() => []);
		names.push(...entries.filter((name) => PROGRAM.test(name)).map((name) => path.posix.join(at, name)));
	}
	for (const name of names) {
		for (const file of [name, `${name}.js`]) {
			const text = programs.has(file) ? null : await readSource(path.join(top, folder, file));
			if (text !== null) programs.set(file, text);
		}
	}
	const inside = path.join(top, folder);
	return {
		...{ folder, json, programs },
		written: await findWritten(inside),
		read: (program) => followImports(inside, program),
		readText: (file) => readIfThere(path.join(inside, file)),
	};
}

function readIfThere(file: string): string | null {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return null;
	}
}

function wordsOf(scripts: unknown): readonly string[] {
	const texts = Object.values(typeof scripts === 'object' && scripts !== null ? scripts : {});
	const words = texts.flatMap((text) => (typeof text === 'string' ? text.split(/[\s"']+/) : []));
	return words.filter((word) => /^[\w./-]*[./][\w./-]*$/.test(word) && !word.startsWith('-'));
}

async function readGlobs(folder: string, { workspaces }: PackageJson): Promise<string[]> {
	const yaml = await readFile(path.join(folder, 'pnpm-workspace.yaml'), 'utf8').catch(() => null);
	const lerna = await readJson(path.join(folder, 'lerna.json'));
	const listed = [
		workspaces,
		(workspaces as { packages?: unknown } | undefined)?.packages,
		yaml === null ? null : (readYaml(yaml) as { packages?: unknown } | null)?.packages,
		(lerna as { packages?: unknown } | null)?.packages,
	].filter((list) => Array.isArray(list));
	return listed.flat().filter((glob) => typeof glob === 'string');
}

function readYaml(text: string): unknown {
	try {
		return parse(text);
	} catch {
		return null;
	}
}

async function readJson(file: string): Promise<PackageJson | null> {
	try {
		const value = parseJson(await readFile(file, 'utf8'));
		return typeof value === 'object' ? value : null;
	} catch {
		return null;
	}
}

async function findManifests(top: string, inside: string, depth: number): Promise<string[]> {
	const entries = await readdir(path.join(top, inside), { withFileTypes: true }).catch(() => []);
	const here = inside !== '' && entries.some(({ name }) => name === 'package.json') ? [inside] : [];
	if (depth === 0) return here;
	const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name));
	const below = folders.map(({ name }) => findManifests(top, path.posix.join(inside, name), depth - 1));
	return [...here, ...(await Promise.all(below)).flat()].sort();
}

function matches(folder: string, globs: readonly string[]): boolean {
	const isMatch = (glob: string) => {
		const plain = glob.replace(/^\.\//, '').replace(/\/$/, '');
		const pattern = plain.replace(/[.+^$()|[\]\\?]/g, '\\$&').replace(/\*\*?\/?/g, (star) => {
			if (!star.startsWith('**')) return star.endsWith('/') ? '[^/]*/' : '[^/]*';
			return star.endsWith('/') ? '(?:.*/)?' : '.*';
		});
		const choices = pattern.replace(/\{([^{}]*)\}/g, (_, list: string) => `(?:${list.split(',').join('|')})`);
		return new RegExp(`^${choices.replace(/[{}]/g, '\\$&')}$`).test(folder);
	};
	const taken = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
	return globs.some((glob) => !glob.startsWith('!') && isMatch(glob)) && !taken.some(isMatch);
}
