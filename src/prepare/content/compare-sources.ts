/** Finds the servers whose code is the same on both sides, from the files of both revisions. */
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

/** Mode of a link in git, which may lead to anywhere. */
const LINK = '120000';

/** Servers that need not be measured. */
interface Untouched {
	/** Names. */
	readonly servers: readonly string[];
	/** Why others are measured although nothing that they are said to read differs. */
	readonly warnings: readonly Warning[];
}

const NONE: Untouched = { servers: [], warnings: [] };

/** What two revisions come to before anything of them has run. */
export interface ComparedSources {
	/** Null where the sources differ in something that a server may read, and for one revision that somebody wants to see against itself. */
	readonly unchanged: Unchanged | null;
	/** Names of servers that read nothing that differs, while others do. */
	readonly sameCode: readonly string[];
	/** Why others are not among them, although nothing that they are said to read differs. */
	readonly warnings: readonly Warning[];
	/** Whether packing both may still show that everything that is measured is the same: no server runs in the checkout. */
	readonly mayBeUnchanged: boolean;
}

const NOTHING = { servers: [], warnings: [] } as const;
/** Of what somebody wants to see compared whatever it is. */
const DIFFERENT: ComparedSources = { unchanged: null, sameCode: [], warnings: [], mayBeUnchanged: false };

/**
 * Compares two revisions by their sources alone, so that it takes a second and needs nobody to run as: what `prepareChanged` finds
 * before it builds, and no more. Throws a UserError for revisions that cannot be found.
 */
export async function compareSources(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
): Promise<ComparedSources> {
	return inSession(config, context, async (session) => {
		const found = await findSides(session, specs);
		const { sources, harness, custom } = found;
		if (isSameRevision(sources) || !asksForOne(config)) return DIFFERENT;
		const laid = laidFolders(harness).map(({ path }) => path);
		const same = sources.base.content === sources.head.content || (await isSameCode(session, sources, custom, laid));
		const { servers, warnings } = same ? NOTHING : await findUntouched(session, sources);
		const all = servers.length === config.servers.length;
		return {
			unchanged: same || all ? describeUnchanged(session, found) : null,
			sameCode: all ? [] : servers,
			warnings,
			mayBeUnchanged: custom.length === 0,
		};
	});
}

// Finds the servers that read nothing that differs between base and head.

/**
 * Returns the servers that, by their `reads` in the config and by their sources, read nothing that differs between two commits or folders;
 * empty if the files cannot be listed. Leaves out doubtful servers, with a warning `reads-incomplete`: if a side lacks an entry of `reads`
 * or has a link there, if a package that they read depends on one of the same repository outside `reads`, and if a submodule differs.
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
	// Were any package.json changed, no server would be untouched: those of head are those of base.
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

/** What lies in no package of its own belongs to the nearest one around it. */
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
