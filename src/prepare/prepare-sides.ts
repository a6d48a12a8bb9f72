import { createHash } from 'node:crypto';
import { join, sep } from 'node:path';
import { isWithin } from '../config/file/check-harness.ts';
import { nameRuntime } from '../text/runtime-words.ts';
import type { Config, CustomServer } from '../types/config.ts';
import type { FileVersion } from '../types/difference.ts';
import { UserError } from '../types/errors.ts';
import type { Prepared, PreparedServer, PreparedSide, Variants } from '../types/prepared.ts';
import type { RevisionInfo } from '../types/result.ts';
import type { Side, Sides, Warning } from '../types/units.ts';
import { loadedSubject } from './build/build-servers.ts';
import { removeEntry } from './cache.ts';
import { readChanges } from './content/file-versions.ts';
import { isInert } from './content/reads.ts';
import { type Found, findAlone, findSides, installablesOf, originOf, packs } from './find-sides.ts';
import { prepareHarnessServer } from './harness/harness-workspace.ts';
import { folderOf, type MadeSide, makeSide, type Wanted } from './make-side.ts';
import {
	type ComparedServer,
	compareVersions,
	readInstalledVersions,
	type Versions,
} from './package/installed-versions.ts';
import { readManifest } from './package/manifest.ts';
import { refuseSubject } from './package/overrides.ts';
import { foldersUpTo } from './package/package-manager.ts';
import { checkSameSubject, type Placement, placeSubject, readSubjectName, subjectNames } from './place-subject.ts';
import { type PrepareContext, type Session, sessionOf } from './prepare-context.ts';
import { inSession } from './prepare-session.ts';
import type { Source } from './revision/source.ts';
import { giveWritable } from './revision/writable-folders.ts';
import { type BaseWatch, watchBase } from './watch-base.ts';
import { prepareWorkspace } from './workspace.ts';

export type { PrepareContext } from './prepare-context.ts';

/**
 * Builds and installs both revisions, base before any code of head runs. Leaves no process or worktree behind.
 *
 * @throws UserError (exit code 3 if a side cannot be fetched or built); the reason of an abort.
 */
export async function prepareSides(config: Config, specs: Sides<string>, context: PrepareContext): Promise<Prepared> {
	return inSession(config, context, async (session) => {
		session.progress.step('Resolving revisions');
		const inputs = await findSides(session, specs);
		const base = await finishBase(session, inputs);
		return finishBoth(session, inputs, base, await makeHead(session, inputs));
	});
}

export interface PreparedAlone {
	readonly server: PreparedServer;
	readonly warnings: readonly Warning[];
}

/** Prepares the config's only server, a custom one. Messages use its name. */
export async function prepareAlone(
	server: CustomServer,
	config: Omit<Config, 'servers'>,
	spec: string,
	context: PrepareContext,
): Promise<PreparedAlone> {
	return inSession({ ...config, servers: [server] }, context, async (session) => {
		const { finished, placement } = await finishBase(session, await findAlone(session, spec, server.name));
		const made = finished.side.servers[server.name];
		if (made === undefined) throw noFolder(server, `its cwd "${server.cwd}" does not exist`);
		return { server: made, warnings: [...placement.warnings, ...session.warnings] };
	});
}

/** Base as installed before any code of head runs. */
export interface FinishedBase {
	readonly made: MadeSide;
	readonly finished: FinishedSide;
	readonly placement: Placement;
	readonly watch: BaseWatch;
}

interface FinishedSide {
	readonly side: PreparedSide;
	readonly installs: number;
	/** Absolute folders where its servers run. */
	readonly folders: readonly string[];
	/** Checkout that only this side of this run uses. */
	readonly checkout: string | null;
}

/** Packs and installs base, and shares its downloads with head, of which only the package name is read. */
export async function finishBase(session: Session, inputs: Found): Promise<FinishedBase> {
	const { known, harness, custom, elsewhere } = inputs;
	const origins = { base: originOf(inputs, 'base'), head: originOf(inputs, 'head') };
	if (packs(inputs)) {
		checkSameSubject({
			base: await readSubjectName(session, origins.base),
			head: await readSubjectName(session, origins.head),
		});
	}
	const made = await makeSide(sessionOf(session, 'base'), origins.base, {
		pack: packs(inputs),
		custom,
		harness,
		slot: 0,
		base: inputs.sources.base,
	});
	refuseSubject(session, made.packed);
	const { runtimes } = session;
	// A server without the subject is still worth measuring if runtimes are compared, or with only one side.
	const compares =
		inputs.name !== undefined || (runtimes !== undefined && nameRuntime(runtimes.base) !== nameRuntime(runtimes.head));
	const placed = placeSubject(made, installablesOf(inputs), known, compares || custom.length > 0, elsewhere);
	const placement = compares ? { ...placed, warnings: [] } : placed;
	const finished = await finishSide(sessionOf(session, 'base'), made, inputs, placement);
	// Before `watchBase`, which records modes.
	await allowFolders(session, finished);
	// Base's packed subject is watched too, because head's is compared with it.
	const watch = await watchBase([...finished.folders, ...(made.packed === null ? [] : [made.packed.folder])]);
	// Share caches only if something ran as base's user.
	if (session.ranApart.has('base')) await session.isolation?.shareCaches();
	return { made, finished, placement, watch };
}

export function makeHead(
	session: Session,
	inputs: Found,
	copying: Pick<Wanted, 'installedIn' | 'keep'> = {},
): Promise<MadeSide> {
	const { sources, harness, custom } = inputs;
	const slot = sources.base.content === sources.head.content ? 1 : 0;
	const wanted = { pack: packs(inputs), custom, harness, slot, base: sources.base, ...copying } as const;
	return makeSide(sessionOf(session, 'head'), originOf(inputs, 'head'), wanted);
}

/**
 * Installs head and returns both sides. With `samePacked`, head gets base's servers that contain the packed subject.
 */
export async function finishBoth(
	session: Session,
	inputs: Found,
	base: FinishedBase,
	head: MadeSide,
	samePacked = false,
): Promise<Prepared> {
	const { made, finished, placement, watch } = base;
	const same = samePacked ? installablesOf(inputs).map(({ name }) => name) : [];
	const headInputs = samePacked ? { ...inputs, selected: [], packaged: [] } : inputs;
	const shared = Object.entries(finished.side.servers).filter(([name]) => same.includes(name));
	const { sources } = inputs;
	const trees = isTree(sources.base) && isTree(sources.head) ? { base: sources.base, head: sources.head } : null;
	const both = { base: made, head };
	checkCustomServers(both, inputs.custom, session.newServers);
	// A build may rewrite package.json.
	checkSameSubject({ base: made.packed?.subject.name ?? null, head: head.packed?.subject.name ?? null });
	const ofHead = await finishSide(sessionOf(session, 'head'), head, headInputs, placement, Object.fromEntries(shared));
	await allowFolders(session, ofHead);
	session.isolation?.hide({ base: rivalsOf(finished.side, ofHead), head: rivalsOf(ofHead.side, finished) });
	await watch.checkUntouched();
	const differ = compareVersions(pairVersions(finished.side, ofHead.side), subjectNames(both));
	return {
		sides: { base: finished.side, head: ofHead.side },
		...(inputs.harness && { harness: inputs.harness.info }),
		warnings: [...placement.warnings, ...(differ === null ? [] : [differ]), ...session.warnings] satisfies Warning[],
		installs: made.installs + head.installs + finished.installs + ofHead.installs,
		checkBase: watch.checkProgram,
		...(same.length > 0 && { samePacked: same }),
		...(trees === null || samePacked ? {} : { variants: variantsOf(session, inputs, base, ofHead, trees) }),
	};
}

const INSTALLED_FROM = /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|\.npmrc)$/;
const QUIET: Session['progress'] = { step() {}, status() {} };

function variantsOf(
	session: Session,
	inputs: Found,
	base: FinishedBase,
	head: FinishedSide,
	sources: Sides<TreeSource>,
): Variants {
	const { config } = session;
	const laid = (inputs.harness?.folders ?? []).map(({ path }) => path);
	const folders = [config.subject, ...inputs.custom.map(({ cwd }) => cwd)];
	const kept = new Set([...foldersOf(base.made, base.finished), ...head.folders]);
	const made = new Set<string>();
	/** Checkouts by their manifests. */
	const installed = new Map(head.checkout === null ? [] : [[digestVersions('', []), head.checkout]]);
	return {
		changes: () =>
			readChanges(session, sources, (path) => !isInert(path, folders) && !laid.some((one) => isWithin(path, one))),
		async prepare(server, files) {
			const source = { ...sources.head, replaced: files, content: digestVersions(sources.head.content, files) };
			const own = {
				...inputs,
				sources: { ...sources, head: source },
				selected: inputs.selected.filter(({ name }) => name === server),
				packaged: inputs.packaged.filter((each) => each.server.name === server),
				custom: inputs.custom.filter(({ name }) => name === server),
			};
			const quiet = { ...session, progress: QUIET, warnings: [] };
			const manifests = digestVersions(
				'',
				files.filter(({ path }) => INSTALLED_FROM.test(path)),
			);
			const installedIn = installed.get(manifests);
			const side = await makeHead(quiet, own, installedIn === undefined ? { keep: true } : { installedIn });
			for (const folder of foldersOf(side, null)) made.add(folder);
			if (installedIn === undefined && side.checkout !== null) installed.set(manifests, side.checkout.folder);
			const prepared = await finishBoth(quiet, own, base, side);
			const roots = Object.values(prepared.sides.head.servers).map(({ root, cwd }) => root ?? cwd);
			const foreign = roots.filter((root) => !base.finished.folders.includes(root));
			// Head runs beside its variants.
			session.isolation?.hide({
				base: [...new Set([...rivalsOf(base.finished.side, head), ...foreign])],
				head: rivalsOf(head.side, base.finished),
			});
			for (const root of roots) made.add(root);
			return prepared;
		},
		async remove() {
			for (const folder of made) {
				if (kept.has(folder)) continue;
				await removeEntry(session, { folder, marker: `${folder}.json`, lock: `${folder}.lock`, log: '' });
			}
			made.clear();
		},
	};
}

function foldersOf({ packed, checkout }: MadeSide, finished: FinishedSide | null): readonly string[] {
	return [...(packed ? [packed.folder] : []), ...(checkout ? [checkout.folder] : []), ...(finished?.folders ?? [])];
}

function digestVersions(content: string, files: readonly FileVersion[]): string {
	const hash = createHash('sha256').update(content);
	for (const { path, state } of files) {
		hash.update(JSON.stringify([path, state?.mode ?? null, state?.content.length ?? 0])).update(state?.content ?? '');
	}
	return hash.digest('hex');
}

type TreeSource = Exclude<Source, { kind: 'npm' | 'file' }>;

function isTree(source: Source): source is TreeSource {
	return source.kind === 'git' || source.kind === 'dir';
}

function rivalsOf({ servers }: PreparedSide, other: FinishedSide): readonly string[] {
	const used = Object.values(servers).map(({ cwd }) => cwd);
	return [...new Set(other.folders)].filter((folder) =>
		used.every((cwd) => cwd !== folder && !cwd.startsWith(`${folder}${sep}`)),
	);
}

/** Other users may read cached installations: another run may be using them. */
async function allowFolders({ isolation }: Session, { side, folders, checkout }: FinishedSide): Promise<void> {
	const user = isolation?.sides[side.side];
	for (const folder of new Set(folders)) await user?.allow(folder, folder !== checkout);
}

async function finishSide(
	session: Session,
	made: MadeSide,
	{ selected, overrides, packaged, custom }: Found,
	{ users }: Placement,
	shared: Readonly<Record<string, PreparedServer>> = {},
): Promise<FinishedSide> {
	const servers: Record<string, PreparedServer> = { ...shared };
	const folders: string[] = [];
	let installs = 0;
	for (const server of selected) {
		const packed = users.has(server.name) ? made.packed : null;
		const workspace = await prepareWorkspace(session, made.origin, server, packed, overrides);
		servers[server.name] = workspace.prepared;
		installs += workspace.installs;
		folders.push(workspace.folder);
	}
	for (const { server, harness, folder } of packaged) {
		const packed = users.has(server.name) ? made.packed : null;
		const workspace = await prepareHarnessServer(session, made.origin, server, { harness, folder, packed });
		servers[server.name] = workspace.prepared;
		installs += workspace.installs;
		folders.push(workspace.folder);
	}
	for (const server of custom) {
		const prepared = await prepareCustomServer(made, server, loadedSubject(session.config));
		if (prepared !== null) servers[server.name] = prepared;
	}
	if (custom.length > 0 && made.checkout !== null) {
		const { folder, note } = made.checkout;
		const present = custom.filter(({ name }) => note.present.includes(name));
		await giveWritable(session, made.origin, folder, present);
		folders.push(folder);
	}
	const info = describeRevision(session, made, servers);
	const checkout = custom.length > 0 ? (made.checkout?.folder ?? null) : null;
	return { side: { side: made.origin.side, info, servers }, installs, folders, checkout };
}

export function labelOf({ labels }: Session, side: Side, source: Source): string {
	return labels?.[side] ?? source.label;
}

function describeRevision(
	session: Session,
	made: MadeSide,
	servers: Readonly<Record<string, PreparedServer>>,
): RevisionInfo {
	const { source, side } = made.origin;
	const subject = made.packed?.subject ?? made.checkout?.note.subject ?? null;
	const built = made.packed?.built ?? made.checkout?.note.built;
	return {
		revision: source.revision,
		kind: source.kind,
		label: labelOf(session, side, source),
		...(source.kind === 'git' ? { sha: source.sha } : {}),
		...(subject === null ? {} : { subject: { name: subject.name, version: subject.version } }),
		...(built === undefined ? {} : { built }),
		versions: Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, server.versions])),
	};
}

function pairVersions(base: PreparedSide, head: PreparedSide): ComparedServer[] {
	return Object.values(base.servers).flatMap((server) => {
		const other = head.servers[server.name];
		return other === undefined
			? []
			: [{ base: server.versions, head: other.versions, ...(server.direct && { direct: server.direct }) }];
	});
}

/** Throws UserError `no-folder` if a `cwd` exists on neither side, unless `newServers` has the server. */
function checkCustomServers(
	made: Sides<MadeSide>,
	custom: readonly CustomServer[],
	newServers: readonly string[] = [],
): void {
	for (const server of custom) {
		const { name, cwd } = server;
		if (has(made.base, name) || has(made.head, name) || newServers.includes(name)) continue;
		throw noFolder(server, `its cwd "${cwd}" exists neither in base nor in head`);
	}
}

function noFolder({ name }: CustomServer, message: string): UserError {
	const remedy = 'cwd is relative to the top of the checkout; a folder that git ignores is in no checkout';
	return new UserError({ code: 'no-folder', where: `server ${name}`, message, remedy });
}

/** Null if the folder is missing. `subject` is the result of `loadedSubject`. */
async function prepareCustomServer(
	made: MadeSide,
	server: CustomServer,
	subject: string | null,
): Promise<PreparedServer | null> {
	if (made.checkout === null || !has(made, server.name)) return null;
	const cwd = folderOf(made.checkout.folder, server);
	let versions: Versions = {};
	const direct: string[] = [];
	const root = made.checkout.folder;
	const loaded = subject === null ? [] : foldersUpTo(join(root, subject), root);
	for (const folder of new Set([...foldersUpTo(cwd, root), ...loaded])) {
		versions = { ...(await readInstalledVersions(folder)), ...versions };
		direct.push(...Object.keys((await readManifest(folder, folder).catch(() => null))?.dependencies ?? {}));
	}
	return { name: server.name, cwd, root, run: { shell: server.command }, env: server.env, versions, direct };
}

function has(made: MadeSide, name: string): boolean {
	return made.checkout?.note.present.includes(name) ?? false;
}
