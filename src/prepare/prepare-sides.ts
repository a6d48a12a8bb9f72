import { mkdir, realpath } from 'node:fs/promises';
import type { Config, CustomServer } from '../types/config.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../types/prepared.ts';
import type { RevisionInfo } from '../types/result.ts';
import type { Sides, Warning } from '../types/units.ts';
import { type BuiltinFolder, readBuiltinServers, selectServers } from './builtin-servers.ts';
import { pruneCache } from './cache.ts';
import type { PrepareContext, Session } from './context.ts';
import { checkCustomServers, prepareCustomServer } from './custom-servers.ts';
import { explainSystemError } from './failure.ts';
import { type MadeSide, makeSide } from './make-side.ts';
import { placeSubject } from './place-subject.ts';
import { resolveRevision } from './resolve-revision.ts';
import { openSession } from './session.ts';
import { compareVersions, type Versions } from './versions.ts';
import { prepareWorkspace } from './workspace.ts';

export type { PrepareContext } from './context.ts';

/**
 * Returns both revisions as servers that are installed and ready to start, base first, one after the other. What the
 * cache holds is not made again. Leaves no process and no worktree behind, whatever happens.
 *
 * @throws UserError for what the user can mend; a side that cannot be fetched or built has exit code 3. When
 * `context.signal` aborts, its reason.
 */
export async function prepareSides(config: Config, specs: Sides<string>, context: PrepareContext): Promise<Prepared> {
	try {
		await mkdir(context.cacheDir, { recursive: true });
		const cacheDir = await realpath(context.cacheDir);
		await pruneCache(cacheDir);
		return await prepareBoth(await openSession(config, { ...context, cacheDir }), specs);
	} catch (error) {
		context.signal.throwIfAborted();
		throw explainSystemError(error, context.cacheDir);
	}
}

async function prepareBoth(session: Session, specs: Sides<string>): Promise<Prepared> {
	const { servers } = session.config;
	const known = await readBuiltinServers(session.toolRoot);
	const selected = selectServers(
		known,
		servers.filter((server) => server.kind === 'built-in').map(({ name }) => name),
	);
	const custom = servers.filter((server) => server.kind === 'custom');

	session.progress.step('Resolving revisions');
	const source = {
		base: await resolveRevision(session, 'base', specs.base),
		head: await resolveRevision(session, 'head', specs.head),
	};
	const same = source.base.content === source.head.content;
	const pack = selected.length > 0;
	const made = {
		base: await makeSide(session, { side: 'base', source: source.base }, { pack, custom, slot: 0 }),
		head: await makeSide(session, { side: 'head', source: source.head }, { pack, custom, slot: same ? 1 : 0 }),
	};
	checkCustomServers(made, custom);
	const placement = placeSubject(made, selected, known, custom.length > 0);
	const base = await finishSide(session, made.base, selected, placement.users, custom);
	const head = await finishSide(session, made.head, selected, placement.users, custom);
	const differ = compareVersions(pairVersions(base.side, head.side), placement.names);
	return {
		sides: { base: base.side, head: head.side },
		warnings: [...placement.warnings, ...(differ === null ? [] : [differ])] satisfies Warning[],
		installs: made.base.installs + made.head.installs + base.installs + head.installs,
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
	return { side: { side: made.origin.side, info: describeRevision(made, servers), servers }, installs };
}

function describeRevision(made: MadeSide, servers: Readonly<Record<string, PreparedServer>>): RevisionInfo {
	const { source } = made.origin;
	const subject = made.packed?.subject ?? made.checkout?.note.subject ?? null;
	return {
		revision: source.revision,
		kind: source.kind,
		label: source.label,
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
