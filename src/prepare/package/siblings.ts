/** Dependencies of a package inside its repository. */
import { access, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { walkFolder } from '../content/list-files.ts';
import { readManifest } from './manifest.ts';
import { foldersUpTo } from './package-manager.ts';

const RUN = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const;
const BUILD = [...RUN, 'devDependencies'] as const;

/** Returns folders of the checkout's packages that a package needs to run, directly or not. */
export async function findSiblings(root: string, subject: string): Promise<string[]> {
	const siblings = new Set([subject]);
	const checkout = await readCheckout(root, subject);
	for (const folder of siblings) for (const linked of await findLinks(checkout, folder, RUN)) siblings.add(linked);
	siblings.delete(subject);
	return [...siblings];
}

/** Returns the folders, and the packages of the checkout that they need to be built, dependencies first. */
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

/** `byName` is empty unless Plug'n'Play replaces links. */
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
	const links: string[] = [];
	for (const [name, spec] of kinds.flatMap((kind) => Object.entries(manifest?.[kind] ?? {}))) {
		const linked = await findLinked(root, folder, name);
		const named = linked ?? (await findNamed(root, folder, spec)) ?? byName.get(name);
		if (named !== undefined) links.push(named);
	}
	return links;
}

/** Every package manager links workspace packages into node_modules. */
async function findLinked(root: string, folder: string, name: string): Promise<string | null> {
	for (const at of foldersUpTo(folder, root)) {
		const target = await realpath(join(at, 'node_modules', name)).catch(() => null);
		if (target === null) continue;
		const inside = relative(root, target);
		return inside.startsWith('..') || inside.split(sep).includes('node_modules') ? null : target;
	}
	return null;
}

/** npm does not link the path dependencies of a linked package. */
async function findNamed(root: string, folder: string, spec: string): Promise<string | null> {
	const path = /^(?:file|link|portal):(.+)$/.exec(spec)?.[1];
	if (path === undefined) return null;
	const target = await realpath(join(folder, path)).catch(() => null);
	if (target === null || relative(root, target).startsWith('..')) return null;
	return (await readManifest(target, target)) === null ? null : target;
}

/** Finds packages by name, because Yarn with Plug'n'Play creates no links. */
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
