/** Finds the servers that read nothing that differs between base and head. */
import { isWithin } from '../../config/file/check-harness.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import type { Sides, Warning } from '../../types/units.ts';
import type { Session } from '../prepare-context.ts';
import type { Source } from '../revision/source.ts';
import { type CodeTree, readCodeTree } from './code-tree.ts';
import { type PackageLinks, readPackageLinks } from './package-links.ts';
import { readsOf, saysReads, untouchedServers } from './reads.ts';

/** Mode of a link in git, which may lead to anywhere. */
const LINK = '120000';

/** Servers that need not be measured. */
export interface Untouched {
	/** Names. */
	readonly servers: readonly string[];
	/** Why others are measured although nothing that they are said to read differs. */
	readonly warnings: readonly Warning[];
}

const NONE: Untouched = { servers: [], warnings: [] };

/**
 * Returns the servers that, by their `reads` in the config and by their sources, read nothing that differs between two commits or folders;
 * empty if the files cannot be listed. Leaves out doubtful servers, with a warning `reads-incomplete`: if a side lacks an entry of `reads`
 * or has a link there, if a package that they read depends on one of the same repository outside `reads`, and if a submodule differs.
 */
export async function findUntouched(session: Session, { base, head }: Sides<Source>): Promise<Untouched> {
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
