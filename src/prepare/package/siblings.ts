/** Which packages of the same repository a package needs. */
import { access, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { walkFolder } from '../content/list-files.ts';
import { readManifest } from './manifest.ts';
import { foldersUpTo } from './package-manager.ts';

/** What a package needs to run. */
const RUN = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const;
/** What it needs to be built, too. */
const BUILD = [...RUN, 'devDependencies'] as const;

/** Returns the folders of packages a package runs with, directly or through each other, that are part of the checkout. */
export async function findSiblings(root: string, subject: string): Promise<string[]> {
	const found = new Set([subject]);
	const checkout = await readCheckout(root, subject);
	for (const folder of found) for (const linked of await findLinks(checkout, folder, RUN)) found.add(linked);
	found.delete(subject);
	return [...found];
}

/** Returns the given folders and those of the checkout's packages they are built with, each after what it needs itself. */
export async function orderForBuild(root: string, folders: readonly string[]): Promise<string[]> {
	const seen = new Set<string>();
	const ordered: string[] = [];
	const checkout = await readCheckout(root, folders[0] ?? root);
	const visit = async (folder: string): Promise<void> => {
		if (seen.has(folder)) return;
		seen.add(folder);
		for (const linked of await findLinks(checkout, folder, BUILD)) await visit(linked);
		ordered.push(folder);
	};
	for (const folder of folders) await visit(folder);
	return ordered;
}

/** A checkout, and its packages by name where no links lead to them. */
interface Packages {
	readonly root: string;
	readonly byName: ReadonlyMap<string, string>;
}

async function findLinks(
	{ root, byName }: Packages,
	folder: string,
	kinds: readonly (typeof BUILD)[number][],
): Promise<string[]> {
	const manifest = await readManifest(folder, folder);
	const found: string[] = [];
	for (const [name, spec] of kinds.flatMap((kind) => Object.entries(manifest?.[kind] ?? {}))) {
		const linked = await findLinked(root, folder, name);
		const named = linked ?? (await findNamed(root, folder, spec)) ?? byName.get(name);
		if (named !== undefined) found.push(named);
	}
	return found;
}

/** Every package manager links workspace packages into node_modules, so the link tells without knowing which one it was. */
async function findLinked(root: string, folder: string, name: string): Promise<string | null> {
	for (const at of foldersUpTo(folder, root)) {
		const target = await realpath(join(at, 'node_modules', name)).catch(() => null);
		if (target === null) continue;
		const inside = relative(root, target);
		return inside.startsWith('..') || inside.split(sep).includes('node_modules') ? null : target;
	}
	return null;
}

/** npm does not link what a linked package depends on by path. */
async function findNamed(root: string, folder: string, spec: string): Promise<string | null> {
	const path = /^(?:file|link|portal):(.+)$/.exec(spec)?.[1];
	if (path === undefined) return null;
	const target = await realpath(join(folder, path)).catch(() => null);
	if (target === null || relative(root, target).startsWith('..')) return null;
	return (await readManifest(target, target)) === null ? null : target;
}

/** Yarn with Plug'n'Play links nothing: there the names of the packages tell. */
async function readCheckout(root: string, folder: string): Promise<Packages> {
	const byName = new Map<string, string>();
	for (const at of foldersUpTo(folder, root)) {
		if (!(await exists(join(at, '.pnp.cjs')))) continue;
		for (const file of await walkFolder(at)) {
			if (!/(?:^|\/)package\.json$/.test(file)) continue;
			const inside = join(at, dirname(file));
			const manifest = await readManifest(inside, inside).catch(() => null);
			if (manifest?.name !== undefined) byName.set(manifest.name, inside);
		}
		break;
	}
	return { root, byName };
}

function exists(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}
