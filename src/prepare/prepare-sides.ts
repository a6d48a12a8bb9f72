import type { Config, CustomServer } from '../types/config.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../types/prepared.ts';
import type { RevisionInfo } from '../types/result.ts';
import type { Side, Sides, Warning } from '../types/units.ts';
import { type BuiltinFolder, builtinsOf, readBuiltinServers } from './builtin-servers.ts';
import { isSameCode, isSamePacked, isSameRevision } from './content/compare-content.ts';
import { checkCustomServers, prepareCustomServer } from './custom-servers.ts';
import { type MadeSide, makeSide } from './make-side.ts';
import { compareVersions, type Versions } from './package/installed-versions.ts';
import { type Placement, placeSubject } from './place-subject.ts';
import type { PrepareContext, Session } from './prepare-context.ts';
import { inSession } from './prepare-session.ts';
import { resolveRevision } from './revision/resolve-revision.ts';
import type { Source } from './revision/source.ts';
import { prepareWorkspace } from './workspace.ts';

export type { PrepareContext } from './prepare-context.ts';

/** Both sides are the same code where it matters: there is nothing to measure. */
export interface Unchanged {
	readonly unchanged: true;
	readonly base: Pick<RevisionInfo, 'label'>;
	readonly head: Pick<RevisionInfo, 'label'>;
}

/**
 * Returns both revisions as servers that are installed and ready to start, base first, one after the other. What the
 * cache holds is not made again. Leaves no process and no worktree behind, whatever happens.
 *
 * @throws UserError for what the user can fix; a side that cannot be fetched or built has exit code 3. When
 * `context.signal` aborts, its reason.
 */
export async function prepareSides(config: Config, specs: Sides<string>, context: PrepareContext): Promise<Prepared> {
	return inSession(config, context, async (session) => {
		const found = await findSides(session, specs);
		return installSides(session, found, await makeSides(session, found));
	});
}

/**
 * As `prepareSides`, but returns `unchanged` instead, as soon as that is known and before any server is installed, when two
 * different revisions hold the same code: the subject packs to the same files, and what servers of the user's own run is
 * the same (see `isSamePacked` and `isSameCode`). One revision given for both sides is somebody's A/A run and is prepared.
 */
export async function prepareChanged(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
): Promise<Prepared | Unchanged> {
	return inSession(config, context, async (session) => {
		const found = await findSides(session, specs);
		const { sources, selected, custom } = found;
		const asked = isSameRevision(sources);
		if (!asked && (sources.base.content === sources.head.content || (await isSameBySource(session, found)))) {
			return describeUnchanged(session, found);
		}
		const made = await makeSides(session, found);
		const packed = { base: made.sides.base.packed, head: made.sides.head.packed };
		if (!asked && selected.length > 0 && packed.base !== null && packed.head !== null) {
			const sameCode = custom.length === 0 || (await isSameCode(session, sources, custom));
			if (sameCode && (await isSamePacked(session, { base: packed.base, head: packed.head }))) {
				return describeUnchanged(session, found);
			}
		}
		return installSides(session, found, made);
	});
}

/** What is to be prepared. */
interface Found {
	readonly sources: Sides<Source>;
	readonly known: ReadonlyMap<string, BuiltinFolder>;
	readonly selected: readonly BuiltinFolder[];
	readonly custom: readonly CustomServer[];
}

/** Both sides packed and checked out, and which servers the subject goes into. */
interface Made {
	readonly sides: Sides<MadeSide>;
	readonly placement: Placement;
}

async function findSides(session: Session, specs: Sides<string>): Promise<Found> {
	const { servers } = session.config;
	const known = await readBuiltinServers(session.toolRoot);
	const selected = builtinsOf(servers, known);
	const custom = servers.filter((server) => server.kind === 'custom');
	session.progress.step('Resolving revisions');
	const base = await resolveRevision(session, 'base', specs.base);
	const head = await resolveRevision(session, 'head', specs.head);
	return { sources: { base, head }, known, selected, custom };
}

/** Without built-in servers nothing has to be packed to tell. */
function isSameBySource(session: Session, { sources, selected, custom }: Found): Promise<boolean> {
	return selected.length > 0 || custom.length === 0 ? Promise.resolve(false) : isSameCode(session, sources, custom);
}

function describeUnchanged(session: Session, { sources }: Found): Unchanged {
	session.progress.step('Both sides are the same code: nothing to measure');
	return {
		unchanged: true,
		base: { label: labelOf(session, 'base', sources.base) },
		head: { label: labelOf(session, 'head', sources.head) },
	};
}

async function makeSides(session: Session, { sources, known, selected, custom }: Found): Promise<Made> {
	const { base, head } = sources;
	const pack = selected.length > 0;
	const slot = base.content === head.content ? 1 : 0;
	const sides = {
		base: await makeSide(session, { side: 'base', source: base }, { pack, custom, slot: 0 }),
		head: await makeSide(session, { side: 'head', source: head }, { pack, custom, slot }),
	};
	checkCustomServers(sides, custom);
	return { sides, placement: placeSubject(sides, selected, known, custom.length > 0) };
}

async function installSides(session: Session, found: Found, { sides, placement }: Made): Promise<Prepared> {
	const base = await finishSide(session, sides.base, found.selected, placement.users, found.custom);
	const head = await finishSide(session, sides.head, found.selected, placement.users, found.custom);
	const differ = compareVersions(pairVersions(base.side, head.side), placement.names);
	return {
		sides: { base: base.side, head: head.side },
		warnings: [...placement.warnings, ...(differ === null ? [] : [differ])] satisfies Warning[],
		installs: sides.base.installs + sides.head.installs + base.installs + head.installs,
	};
}

async function finishSide(
	session: Session,
	made: MadeSide,
	selected: readonly BuiltinFolder[],
	users: ReadonlySet<string>,
	custom: readonly CustomServer[],
): Promise<{ readonly side: PreparedSide; readonly installs: number }> {
	const servers: Record<string, PreparedServer> = {};
	let installs = 0;
	for (const server of selected) {
		const packed = users.has(server.name) ? made.packed : null;
		const workspace = await prepareWorkspace(session, made.origin, server, packed);
		servers[server.name] = workspace.prepared;
		installs += workspace.installs;
	}
	for (const server of custom) {
		const prepared = await prepareCustomServer(made, server);
		if (prepared !== null) servers[server.name] = prepared;
	}
	return { side: { side: made.origin.side, info: describeRevision(session, made, servers), servers }, installs };
}

function labelOf({ labels }: Session, side: Side, source: Source): string {
	return labels?.[side] ?? source.label;
}

function describeRevision(
	session: Session,
	made: MadeSide,
	servers: Readonly<Record<string, PreparedServer>>,
): RevisionInfo {
	const { source, side } = made.origin;
	const subject = made.packed?.subject ?? made.checkout?.note.subject ?? null;
	return {
		revision: source.revision,
		kind: source.kind,
		label: labelOf(session, side, source),
		...(source.kind === 'git' ? { sha: source.sha } : {}),
		...(subject === null ? {} : { subject: { name: subject.name, version: subject.version } }),
		versions: Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, server.versions])),
	};
}

function pairVersions(base: PreparedSide, head: PreparedSide): { base: Versions; head: Versions }[] {
	return Object.values(base.servers).flatMap((server) => {
		const other = head.servers[server.name];
		return other === undefined ? [] : [{ base: server.versions, head: other.versions }];
	});
}
