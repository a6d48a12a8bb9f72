import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { UserError } from '../../types/errors.ts';
import { nameOrigin, type Session } from '../prepare-context.ts';
import { type Checkout, runStep } from '../revision/checkout.ts';
import { readManifest } from './manifest.ts';
import { findPackageManager, foldersUpTo, type PackageManager } from './package-manager.ts';
import type { PackedNote, PackedPackage } from './packed.ts';
import { describeTarball, findTarball } from './tarball.ts';

/**
 * Packs the subject of a prepared checkout into `destination` the way it is published, and with it every package of the
 * same checkout it depends on: published versions of those are not what the revision holds.
 */
export async function packSubject(session: Session, checkout: Checkout, destination: string): Promise<PackedNote> {
	const folder = join(checkout.folder, session.config.subject);
	const manager = await findPackageManager(session, checkout.folder, folder);
	const subject = await packFolder(session, checkout, manager, folder, join(destination, 'subject.tgz'), destination);
	const siblings: PackedPackage[] = [];
	for (const sibling of await findSiblings(checkout.folder, folder)) {
		const file = join(destination, `sibling-${siblings.length + 1}.tgz`);
		siblings.push(await packFolder(session, checkout, manager, sibling, file, destination));
	}
	return { subject, siblings };
}

async function packFolder(
	session: Session,
	checkout: Checkout,
	manager: PackageManager,
	folder: string,
	file: string,
	destination: string,
): Promise<PackedPackage> {
	const scratch = join(destination, 'packing');
	await mkdir(scratch);
	const step = (args: readonly string[]) =>
		runStep(session, checkout, {
			argv: [...manager.argv, ...args],
			spoken: [manager.spoken, ...args.filter((arg) => !arg.includes(scratch) && !arg.startsWith('--'))].join(' '),
			folder,
			writes: [scratch],
		});
	// Yarn packs without it, yet npm, which most publish with, runs it.
	if (manager.name === 'yarn' && (await hasScript(folder, 'prepare'))) await step(['run', 'prepare']);
	await step(packArgs(manager, scratch));
	await rename(join(scratch, await findTarball(scratch)), file);
	await rm(scratch, { recursive: true });
	return describeTarball(session, nameOrigin(checkout.origin), destination, relative(destination, file));
}

function packArgs(manager: PackageManager, scratch: string): string[] {
	if (manager.name !== 'yarn') return ['pack', '--pack-destination', scratch];
	return ['pack', manager.berry ? '--out' : '--filename', join(scratch, 'packed.tgz')];
}

async function hasScript(folder: string, name: string): Promise<boolean> {
	return (await readManifest(folder, folder))?.scripts?.[name] !== undefined;
}

/** Folders of packages the subject depends on, directly or through each other, that are part of the checkout itself. */
async function findSiblings(root: string, subject: string): Promise<string[]> {
	const found = new Set([subject]);
	for (const folder of found) {
		const manifest = await readManifest(folder, folder);
		const kinds = [manifest?.dependencies, manifest?.optionalDependencies, manifest?.peerDependencies];
		for (const [name, spec] of kinds.flatMap((kind) => Object.entries(kind ?? {}))) {
			const linked = (await findLinked(root, folder, name)) ?? (await findNamed(root, folder, spec));
			if (linked !== null) found.add(linked);
		}
	}
	found.delete(subject);
	return [...found];
}

/** Every package manager links workspace packages into node_modules, so the link tells without knowing which one it was. */
async function findLinked(root: string, folder: string, name: string): Promise<string | null> {
	for (const at of foldersUpTo(folder, root)) {
		const target = await realpath(join(at, 'node_modules', name)).catch(() => null);
		if (target === null) continue;
		const inside = relative(root, target);
		return inside.startsWith('..') || inside.split(sep).includes('node_modules') ? null : target;
	}
	return null;
}

/** npm does not link what a linked package depends on by path. */
async function findNamed(root: string, folder: string, spec: string): Promise<string | null> {
	const path = /^(?:file|link|portal):(.+)$/.exec(spec)?.[1];
	if (path === undefined) return null;
	const target = await realpath(join(folder, path)).catch(() => null);
	if (target === null || relative(root, target).startsWith('..')) return null;
	return (await readManifest(target, target)) === null ? null : target;
}

/** Throws UserError `no-package` when the subject folder of a checkout has no package.json with a name. */
export async function checkSubject(session: Session, checkout: Checkout): Promise<void> {
	const { subject } = session.config;
	const where = nameOrigin(checkout.origin);
	const manifest = await readManifest(join(checkout.folder, subject), where);
	if (manifest?.name !== undefined) return;
	const folder = subject === '.' ? 'the top folder' : `the folder "${subject}"`;
	throw new UserError({
		code: 'no-package',
		where,
		message: manifest === null ? `${folder} has no package.json` : `the package.json in ${folder} has no name`,
		remedy:
			manifest === null
				? 'set "subject:" in benchgate.yml to the folder of the package under test; built-in servers need one'
				: 'give the package the name it is published under',
	});
}
