/** Finds servers with the same code on both sides. */
import { isWithin } from '../../config/file/check-harness.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import type { Config } from '../../types/config.ts';
import { asksForOne } from '../../types/runtime.ts';
import type { Sides, Warning } from '../../types/units.ts';
import { findSides } from '../find-sides.ts';
import { laidFolders } from '../harness/harness.ts';
import type { PrepareContext, Session } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import type { Source } from '../revision/source.ts';
import { type CodeTree, readCodeTree } from './code-tree.ts';
import { isSameCode, isSameRevision } from './compare-content.ts';
import { type PackageLinks, readPackageLinks } from './package-links.ts';
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
 * Returns the servers whose `reads` do not differ; empty if files cannot be listed. Leaves out doubtful servers and
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
