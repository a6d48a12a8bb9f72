/** Finds servers with the same code on both sides. */
import { join, posix } from 'node:path';
import { isWithin } from '../../config/file/check-harness.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { parseJson } from '../../text/json.ts';
import type { Config } from '../../types/config.ts';
import { asksForOne } from '../../types/runtime.ts';
import type { Sides, Warning } from '../../types/units.ts';
import { findSides } from '../find-sides.ts';
import { laidFolders } from '../harness/harness.ts';
import type { Manifest } from '../package/manifest.ts';
import type { PrepareContext, Session } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { readBlobs } from '../revision/git.ts';
import type { DirSource, GitSource, Source } from '../revision/source.ts';
import { type CodeTree, readCodeTree } from './code-tree.ts';
import { isSameCode, isSameRevision } from './compare-content.ts';
import { readPlainText } from './plain-file.ts';
import { describeUnchanged, type Unchanged } from './prepare-changed.ts';
import { readsOf, saysReads, untouchedServers } from './reads.ts';

/** Mode of a symlink, which may lead anywhere. */
const LINK = '120000';

interface Untouched {
	readonly servers: readonly string[];
	/** Why other servers are measured although their `reads` do not differ. */
	readonly warnings: readonly Warning[];
}

const NONE: Untouched = { servers: [], warnings: [] };

export interface ComparedSources {
	/** Null if files that a server may read differ, or if both sides are one revision. */
	readonly unchanged: Unchanged | null;
	/** Servers whose files do not differ, if others' do. */
	readonly sameCode: readonly string[];
	readonly warnings: readonly Warning[];
	/** Whether packing may still show equal code, because no server runs in the checkout. */
	readonly mayBeUnchanged: boolean;
}

const NOTHING = { servers: [], warnings: [] } as const;
const DIFFERENT: ComparedSources = { unchanged: null, sameCode: [], warnings: [], mayBeUnchanged: false };

/**
 * Compares the sources of two revisions, as `prepareChanged` does before it builds. Takes a second and needs no
 * isolation.
 */
export async function compareSources(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
): Promise<ComparedSources> {
	return inSession(config, context, async (session) => {
		const inputs = await findSides(session, specs);
		const { sources, harness, custom } = inputs;
		if (isSameRevision(sources) || !asksForOne(config)) return DIFFERENT;
		const laid = laidFolders(harness).map(({ path }) => path);
		const same = sources.base.content === sources.head.content || (await isSameCode(session, sources, custom, laid));
		const { servers, warnings } = same ? NOTHING : await findUntouched(session, sources);
		const all = servers.length === config.servers.length;
		return {
			unchanged: same || all ? describeUnchanged(session, inputs) : null,
			sameCode: all ? [] : servers,
			warnings,
			mayBeUnchanged: custom.length === 0,
		};
	});
}

/**
 * The servers whose `reads` do not differ; empty if files cannot be listed. Leaves out doubtful servers and
 * warns `reads-incomplete` about them.
 */
async function findUntouched(session: Session, { base, head }: Sides<Source>): Promise<Untouched> {
	const { config } = session;
	if (!saysReads(config) || !isListed(base) || !isListed(head)) return NONE;
	const ofBase = await readCodeTree(session, base);
	const ofHead = await readCodeTree(session, head);
	if (!ofBase || !ofHead) return NONE;
	const paths = new Set([...ofBase.keys(), ...ofHead.keys()]);
	const changed = [...paths].filter((path) => ofBase.get(path) !== ofHead.get(path));
	const untouched = untouchedServers(config, changed);
	if (untouched.length === 0) return NONE;
	// A changed package.json affects every server, so here head's files equal base's.
	const links = await readPackageLinks(session, head, ofHead);
	const servers: string[] = [];
	const warnings: Warning[] = [];
	const submodule = changed.find((path) => path.endsWith('/'));
	const foreign =
		submodule === undefined ? null : `which packages lie in ${submodule}, a submodule that differs, is unknown`;
	for (const server of config.servers.filter(({ name }) => untouched.includes(name))) {
		const reads = readsOf(server, config) ?? [];
		const doubt = findDoubt(reads, [ofBase, ofHead]) ?? findUnnamed(reads, links) ?? foreign;
		if (doubt === null) servers.push(server.name);
		else warnings.push(warnOf(server.name, doubt));
	}
	return { servers, warnings };
}

function warnOf(server: string, doubt: string): Warning {
	const message = `Server ${server} is measured, although nothing differs that reads names for it: ${plainText(doubt, MESSAGE_LIMIT)}.`;
	return { code: 'reads-incomplete', message };
}

function isListed(source: Source): source is Extract<Source, { kind: 'git' | 'dir' }> {
	return source.kind === 'git' || source.kind === 'dir';
}

function findDoubt(reads: readonly string[], trees: readonly CodeTree[]): string | null {
	for (const read of reads) {
		const inside = trees.map((tree) => [...tree].filter(([path]) => isWithin(path, read)));
		if (inside.some((entries) => entries.length === 0)) return `there is no ${read} on both sides`;
		const link = inside.flat().find(([, entry]) => entry.startsWith(LINK));
		if (link !== undefined) return `${link[0]} is a link`;
	}
	return null;
}

/** Attributes each path to the nearest enclosing package. */
function findUnnamed(reads: readonly string[], links: PackageLinks): string | null {
	const isRead = (folder: string) => reads.some((read) => isWithin(folder, read));
	const owners = reads.map((read) => ownerOf(read, links));
	for (const [folder, linked] of links) {
		if (!isRead(folder) && !owners.includes(folder)) continue;
		const unnamed = linked.find((other) => !isRead(other) && !owners.includes(other));
		if (unnamed !== undefined) return `${folder} depends on ${unnamed}, which reads does not name`;
	}
	return null;
}

function ownerOf(path: string, links: PackageLinks): string {
	const parts = path.split('/');
	const around = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
	return around.find((folder) => links.has(folder)) ?? '.';
}

const NAME = 'package.json';
/** Packages of any group may be loaded at run, build or test time. */
const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
const BY_PATH = /^(?:file|link|portal|workspace):(\.{1,2}(?:\/.*)?)$/;

/** Maps the folder of each package (`.` for the top) to the folders of its dependencies. */
type PackageLinks = ReadonlyMap<string, readonly string[]>;

/** Ignores invalid JSON. */
async function readPackageLinks(
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
