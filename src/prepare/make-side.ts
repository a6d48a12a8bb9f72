import { join, relative, resolve } from 'node:path';
import type { CustomServer } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { BuildNote } from '../types/result.ts';
import type { Warning } from '../types/units.ts';
import { buildServers, loadedSubject } from './build/build-servers.ts';
import { packBuilt } from './build/pack-built.ts';
import { keyOf, locateEntry, readEntry, useEntry } from './cache.ts';
import { digestFolders, type Harness, type HarnessFolder, laidFolders } from './harness/harness.ts';
import { describeLaying, layOver, restoreFiles } from './harness/lay-over.ts';
import { checkEngines, installCheckout, isFolder, packNeedsInstall } from './package/install.ts';
import { readManifest } from './package/manifest.ts';
import { checkSubject } from './package/pack.ts';
import type { PackedNote, PackedSubject } from './package/packed.ts';
import { fetchTarball } from './package/tarball.ts';
import { isIsolated, nameOrigin, type Origin, type Session } from './prepare-context.ts';
import { type Checkout, withCheckout } from './revision/checkout.ts';
import { isWhole } from './revision/lacks.ts';
import type { Source } from './revision/source.ts';

const NAMED = 5;

export interface MadeSide {
	readonly origin: Origin;
	/** For built-in servers. */
	readonly packed: PackedSubject | null;
	/** For custom servers, or kept. */
	readonly checkout: { readonly folder: string; readonly note: CheckoutNote } | null;
	readonly installs: number;
}

export interface CheckoutNote {
	/** Custom servers whose `cwd` exists. */
	readonly present: readonly string[];
	readonly packages: number;
	/** Whether build dependencies are installed. */
	readonly installed: boolean;
	readonly built?: BuildNote;
	readonly subject: { readonly name: string; readonly version: string } | null;
}

export interface Wanted {
	readonly pack: boolean;
	/** Servers that run in the checkout. */
	readonly custom: readonly CustomServer[];
	readonly harness: Harness | null;
	/** 1 for the second of two sides with equal code, so their servers never share a folder. */
	readonly slot: 0 | 1;
	/** The side whose `.gitmodules` is trusted for submodule addresses. */
	readonly base: Source;
	/** A checkout with the same dependencies. */
	readonly installedIn?: string;
	/** Whether the checkout of a packed subject stays, so that other checkouts can copy its dependencies. */
	readonly keep?: boolean;
}

/** Uses the cache if possible. Warns `files-missing` if the packed subject lacks files. */
export async function makeSide(session: Session, origin: Origin, wanted: Wanted): Promise<MadeSide> {
	const made = await makeParts(session, origin, wanted);
	const { incomplete } = made.packed ?? {};
	if (incomplete !== undefined) {
		const message = `${nameOrigin(origin)}: ${incomplete}.`;
		session.warnings.push({ code: 'files-missing', message, side: origin.side });
	}
	return made;
}

async function makeParts(session: Session, origin: Origin, wanted: Wanted): Promise<MadeSide> {
	const { source } = origin;
	const isTarball = source.kind === 'npm' || source.kind === 'file';
	const fetched = wanted.pack && isTarball ? await fetchTarball(session, { side: origin.side, source }) : null;
	const builds = wanted.pack && !isTarball;
	const { subject, prepare } = session.config;
	const laid = laidFolders(wanted.harness);
	const common = {
		content: source.content,
		kind: source.kind,
		prepare,
		platform: session.platform,
		...(laid.length > 0 && { harness: digestFolders(laid) }),
	};
	const packKey = keyOf({ ...common, pack: subject });
	const custom = wanted.custom.map(({ name, cwd }) => [name, cwd]);
	const ownRun = isIsolated(session) ? { run: session.janitor.marker.value } : {};
	const loaded = custom.length > 0 && loadedSubject(session.config);
	const checkoutKey = keyOf({ ...common, pack: builds && subject, loaded, custom, slot: wanted.slot, ...ownRun });

	const packed = fetched ?? (builds ? await readPacked(session, packKey) : null);
	const entry = await locateEntry(session.cacheFolder, 'checkouts', checkoutKey);
	const needsCheckout = wanted.custom.length > 0;
	const keep = needsCheckout || (wanted.keep ?? false);
	const note = needsCheckout ? await readEntry<CheckoutNote>(entry) : null;
	const ready = (packed !== null || !builds) && (note !== null || !needsCheckout);
	if (ready) {
		if (note !== null) await restoreHarness(entry.folder, laid);
		session.progress.step(`${nameOrigin(origin)}: ${fetched === null ? 'from the cache' : 'packed already'}`);
		return { origin, packed, checkout: note && { folder: entry.folder, note }, installs: 0 };
	}
	let installs = 0;
	const build = async (checkout: Checkout) => {
		const made = await buildCheckout(session, checkout, { ...wanted, pack: builds });
		installs = made.packages;
		return made;
	};
	return withCheckout(session, origin, entry, { keep, base: wanted.base, build }, async (checkout, made) => {
		const { lacks } = checkout;
		const key = isWhole(lacks) ? packKey : keyOf({ ...common, pack: subject, lacks });
		const subjectPacked = packed ?? (builds ? await pack(session, checkout, key, made.installed) : null);
		// A build must not change the files that measure the side.
		const restored = needsCheckout ? await restoreHarness(entry.folder, laid) : [];
		if (restored.length > 0) session.warnings.push(restoredWarning(origin, restored));
		return {
			origin,
			packed: subjectPacked,
			checkout: keep ? { folder: entry.folder, note: made } : null,
			installs,
		};
	});
}

function restoreHarness(checkout: string, laid: readonly HarnessFolder[]): Promise<string[]> {
	return restoreFiles(
		checkout,
		laid.flatMap(({ files }) => files),
	);
}

function restoredWarning(origin: Origin, paths: readonly string[]): Warning {
	const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
	const listed = `${paths.slice(0, NAMED).join(', ')}${more}`;
	return {
		code: 'harness-restored',
		message: `${nameOrigin(origin)}: the build changed files of the bench servers (${listed}); they were put back`,
		side: origin.side,
	};
}

async function readPacked(session: Session, key: string): Promise<PackedSubject | null> {
	const entry = await locateEntry(session.cacheFolder, 'tarballs', key);
	const note = await readEntry<PackedNote>(entry);
	return note && { folder: entry.folder, ...note };
}

async function pack(session: Session, checkout: Checkout, key: string, installed: boolean): Promise<PackedSubject> {
	const { entry, note } = await useEntry(session, 'tarballs', key, ({ folder }) =>
		packBuilt(session, checkout, folder, installed),
	);
	return { folder: entry.folder, ...note };
}

async function buildCheckout(session: Session, checkout: Checkout, wanted: Wanted): Promise<CheckoutNote> {
	const { subject, prepare } = session.config;
	await layHarness(checkout, wanted.harness);
	if (wanted.pack) await checkSubject(session, checkout);
	const needed =
		wanted.pack &&
		(prepare !== undefined || (await packNeedsInstall(session, checkout, join(checkout.folder, subject))));
	const present: CustomServer[] = [];
	for (const server of wanted.custom) {
		if (await isFolder(folderOf(checkout.folder, server))) present.push(server);
	}
	await checkEngines(session, checkout, [...(wanted.pack ? [subject] : []), ...present.map(({ cwd }) => cwd)]);
	const loaded = present.length > 0 ? loadedSubject(session.config) : null;
	const packs = wanted.pack && present.length === 0;
	const installsSubject = needed || (loaded !== null && (await isFolder(join(checkout.folder, loaded))));
	const folders = [...(installsSubject ? [subject] : []), ...present.map(({ cwd }) => cwd)];
	// Without servers, files that `prepare` expects may also be missing, so nothing is installed.
	const installed = wanted.installedIn === undefined ? undefined : { folder: wanted.installedIn, packs };
	const packages = folders.length === 0 ? 0 : await installCheckout(session, checkout, folders, installed);
	const built = await buildServers(session, checkout, present);
	const manifest = await readManifest(join(checkout.folder, subject), subject).catch(() => null);
	const { name, version } = manifest ?? {};
	return {
		present: present.map((server) => server.name),
		packages,
		installed: installsSubject,
		...(built === null ? {} : { built }),
		subject: name !== undefined && version !== undefined ? { name, version } : null,
	};
}

async function layHarness(checkout: Checkout, harness: Harness | null): Promise<void> {
	const laid = laidFolders(harness);
	if (harness === null || laid.length === 0) return;
	const paths = laid.map(({ path }) => path);
	await layOver(checkout.folder, laid, nameOrigin(checkout.origin));
	checkout.steps.push(describeLaying(harness.from, paths));
}

/** Throws UserError if the folder lies outside the checkout. */
export function folderOf(checkout: string, server: CustomServer): string {
	const folder = resolve(checkout, server.cwd);
	if (relative(checkout, folder).startsWith('..')) {
		throw new UserError({
			code: 'cwd-outside',
			where: `server ${server.name}`,
			message: `its cwd "${server.cwd}" lies outside of the checkout`,
			remedy: 'give a folder inside of the repository, relative to its top',
		});
	}
	return folder;
}
