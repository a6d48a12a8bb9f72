import { mkdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { UserError } from '../../types/errors.ts';
import { findMissing, type NamedFile } from '../build/named-files.ts';
import { nameOrigin, type Session } from '../prepare-context.ts';
import { type Checkout, runStep } from '../revision/checkout.ts';
import { readManifest } from './manifest.ts';
import { findPackageManager, type PackageManager } from './package-manager.ts';
import type { PackedPackage } from './packed.ts';
import { findSiblings } from './siblings.ts';
import { describeTarball, findTarball, inspectTarball } from './tarball.ts';

export interface PackedFolder {
	/** Absolute. */
	readonly folder: string;
	readonly packed: PackedPackage;
	/** Files that package.json names and the tarball lacks. */
	readonly missing: readonly NamedFile[];
}

/**
 * Packs the subject into `destination` as it would be published. Then packs the packages of the checkout that it
 * depends on, because their published versions may differ. Replaces earlier tarballs.
 */
export async function packSubject(session: Session, checkout: Checkout, destination: string): Promise<PackedFolder[]> {
	const subject = join(checkout.folder, session.config.subject);
	const manager = await findPackageManager(session, checkout.folder, subject);
	const all: PackedFolder[] = [];
	for (const folder of [subject, ...(await findSiblings(checkout.folder, subject))]) {
		const file = join(destination, all.length === 0 ? 'subject.tgz' : `sibling-${all.length}.tgz`);
		all.push(await packFolder(session, checkout, manager, folder, file, destination));
	}
	return all;
}

async function packFolder(
	session: Session,
	checkout: Checkout,
	manager: PackageManager,
	folder: string,
	file: string,
	destination: string,
): Promise<PackedFolder> {
	const scratch = join(destination, 'packing');
	await mkdir(scratch);
	const step = (args: readonly string[]) =>
		runStep(session, checkout, {
			argv: [...manager.argv, ...args],
			spoken: [manager.spoken, ...args.filter((arg) => !arg.includes(scratch) && !arg.startsWith('--'))].join(' '),
			folder,
			writes: [scratch],
		});
	// Yarn packs without `prepare`. npm, which publishes most packages, runs it.
	if (manager.name === 'yarn' && (await hasScript(folder, 'prepare'))) await step(['run', 'prepare']);
	await step(packArgs(manager, scratch));
	await rename(join(scratch, await findTarball(scratch)), file);
	await rm(scratch, { recursive: true });
	const where = nameOrigin(checkout.origin);
	const packed = await describeTarball(session, where, destination, relative(destination, file));
	const { manifest, files } = await inspectTarball(session, where, file);
	return { folder, packed, missing: findMissing(manifest, files) };
}

function packArgs(manager: PackageManager, scratch: string): string[] {
	if (manager.name === 'bun') return ['pm', 'pack', '--destination', scratch];
	if (manager.name !== 'yarn') return ['pack', '--pack-destination', scratch];
	return ['pack', manager.berry ? '--out' : '--filename', join(scratch, 'packed.tgz')];
}

async function hasScript(folder: string, name: string): Promise<boolean> {
	return (await readManifest(folder, folder))?.scripts?.[name] !== undefined;
}

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
