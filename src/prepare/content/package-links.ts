/** Dependencies between the packages of a repository. */
import { join, posix } from 'node:path';
import { parseJson } from '../../text/json.ts';
import type { Manifest } from '../package/manifest.ts';
import type { Session } from '../prepare-context.ts';
import { readBlobs } from '../revision/git.ts';
import type { DirSource, GitSource } from '../revision/source.ts';
import type { CodeTree } from './code-tree.ts';
import { readPlainText } from './plain-file.ts';

const NAME = 'package.json';
/** Packages of any group may be loaded at run, build or test time. */
const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
const BY_PATH = /^(?:file|link|portal|workspace):(\.{1,2}(?:\/.*)?)$/;

/** Maps the folder of each package (`.` for the top) to the folders of its dependencies. */
export type PackageLinks = ReadonlyMap<string, readonly string[]>;

/** Ignores invalid JSON. */
export async function readPackageLinks(
	session: Session,
	source: GitSource | DirSource,
	tree: CodeTree,
): Promise<PackageLinks> {
	const paths = [...tree.keys()].filter(isManifest);
	const texts = source.kind === 'git' ? await fromGit(session, source, tree, paths) : await fromFolder(source, paths);
	const manifests = paths.flatMap((path, index): [string, Manifest][] => {
		const manifest = parse(texts[index] ?? '');
		return manifest === null ? [] : [[posix.dirname(path), manifest]];
	});
	return linkPackages(new Map(manifests));
}

/** Returns links between packages, by name or by path. */
export function linkPackages(manifests: ReadonlyMap<string, Manifest>): PackageLinks {
	const byName = new Map([...manifests].flatMap(([folder, { name }]) => (name === undefined ? [] : [[name, folder]])));
	const links = [...manifests].map(([folder, manifest]): [string, readonly string[]] => {
		const named = GROUPS.flatMap((group) => Object.entries(manifest[group] ?? {}));
		const linkedFolders = named.flatMap(([name, spec]) => {
			const path = BY_PATH.exec(`${spec}`)?.[1];
			const linked = path === undefined ? byName.get(name) : posix.join(folder, path).replace(/\/$/, '');
			return linked !== undefined && linked !== folder && manifests.has(linked) ? [linked] : [];
		});
		return [folder, [...new Set(linkedFolders)]];
	});
	return new Map(links);
}

function isManifest(path: string): boolean {
	return posix.basename(path) === NAME && !path.split('/').includes('node_modules');
}

async function fromGit(session: Session, source: GitSource, tree: CodeTree, paths: readonly string[]) {
	const hashes = paths.map((path) => (tree.get(path) ?? '').split(' ')[1] ?? '');
	const blobs = await readBlobs(session, source.repository, hashes);
	return blobs.map((blob) => blob.toString('utf8'));
}

function fromFolder({ folder }: DirSource, paths: readonly string[]): Promise<string[]> {
	return Promise.all(paths.map((path) => readPlainText(join(folder, path)).catch(() => '')));
}

function parse(text: string): Manifest | null {
	try {
		const value = parseJson(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Manifest) : null;
	} catch {
		return null;
	}
}
