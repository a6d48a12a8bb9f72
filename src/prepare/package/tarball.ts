/** Reads and unpacks package tarballs. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EXIT, UserError } from '../../types/errors.ts';
import { keyOf, locateEntry, readEntry, useEntry } from '../cache.ts';
import { runChild } from '../child.ts';
import { nameOrigin, type Origin, type Session } from '../prepare-context.ts';
import { classifyRefusal, refusalError, runNpm } from '../revision/registry.ts';
import type { FileSource, NpmSource } from '../revision/source.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import type { PackedNote, PackedPackage, PackedSubject } from './packed.ts';

const FILE = 'subject.tgz';
/** Limited: a small archive can unpack to more than any disk holds. */
const TAR_MS = 120_000;

export async function isFetched(session: Session, name: string, version: string): Promise<boolean> {
	const entry = await locateEntry(session.cacheFolder, 'tarballs', keyOf({ npm: `${name}@${version}` }));
	return (await readEntry(entry)) !== null;
}

/** Returns the tarball of an npm or file revision. */
export async function fetchTarball(
	session: Session,
	origin: Origin & { readonly source: NpmSource | FileSource },
): Promise<PackedSubject> {
	const { source } = origin;
	const key = keyOf(source.kind === 'npm' ? { npm: source.label } : { file: source.content });
	const { entry, note } = await useEntry<PackedNote>(session, 'tarballs', key, async ({ folder }) => {
		const file = join(folder, FILE);
		if (source.kind === 'file') await copyFile(source.path, file);
		else await download(session, origin, source, folder);
		return { subject: await describeTarball(session, nameOrigin(origin), folder, FILE), siblings: [] };
	});
	return { folder: entry.folder, ...note };
}

async function download(session: Session, origin: Origin, source: NpmSource, folder: string): Promise<void> {
	const outcome = await runNpm(session, ['pack', source.label, '--pack-destination', folder]);
	if (!outcome.succeeded) {
		const spec = { name: source.name, range: source.version, exact: true };
		throw await refusalError(session, origin.side, spec, { refusal: classifyRefusal(outcome.stderr), outcome });
	}
	await rename(join(folder, await findTarball(folder)), join(folder, FILE));
}

/** Throws unless the folder has exactly one. */
export async function findTarball(folder: string): Promise<string> {
	const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz') || name.endsWith('.tar.gz'));
	const [name] = tarballs;
	if (name === undefined || tarballs.length > 1)
		throw new Error(`expected one tarball in ${folder}, found ${tarballs.length}`);
	return name;
}

/** Throws UserError `bad-tarball` if the tarball has no package. */
export async function describeTarball(
	session: Session,
	where: string,
	folder: string,
	file: string,
): Promise<PackedPackage> {
	const path = join(folder, file);
	// Packing may have put an endless file there.
	if (!(await lstat(path)).isFile()) throw badTarball(where, 'it is not a regular file');
	const { name, version } = (await inspectTarball(session, where, path)).manifest;
	if (name === undefined || version === undefined) {
		throw new UserError({
			code: 'bad-manifest',
			where,
			message: `the package.json in the tarball has no ${name === undefined ? 'name' : 'version'}`,
			remedy: 'add name and version to package.json: without them a package cannot be installed',
		});
	}
	const hash = createHash('sha256');
	await pipeline(createReadStream(path), hash);
	return { name, version, file, digest: hash.digest('hex') };
}

/** Strips the top folder. */
export async function extractTarball(session: Session, file: string, to: string): Promise<void> {
	await runTar(session, file, ['-xzf', file, '-C', to, '--strip-components=1']);
}

/** Paths are relative to the package. Throws UserError `bad-tarball` without a package. */
export async function inspectTarball(
	session: Session,
	where: string,
	file: string,
): Promise<{ readonly manifest: Manifest; readonly files: ReadonlySet<string> }> {
	const names = (await runTar(session, where, ['-tzf', file])).split('\n');
	const manifest = names.find((name) => /^(\.\/)?[^/]+\/package\.json$/.test(name));
	if (manifest === undefined) throw badTarball(where, 'it holds no package.json');
	const text = await runTar(session, where, ['-xzOf', file, manifest]);
	const files = names.map((name) => name.replace(/^(\.\/)?[^/]+\//, '')).filter((name) => name !== '');
	return { manifest: parseManifest(text, where), files: new Set(files) };
}

async function runTar(session: Session, where: string, args: readonly string[]): Promise<string> {
	const outcome = await runChild(session, ['tar', ...args], { cwd: session.cacheFolder, timeoutMs: TAR_MS });
	if (outcome.timedOut) throw badTarball(where, `tar did not end within ${TAR_MS / 1000} s`);
	if (outcome.missing) throw new UserError({ code: 'no-tar', message: 'tar is not installed', remedy: 'install tar' });
	if (!outcome.succeeded) throw badTarball(where, outcome.stderr.trim().split('\n')[0] ?? outcome.ending);
	return outcome.stdout;
}

function badTarball(where: string, reason: string): UserError {
	return new UserError({
		code: 'bad-tarball',
		where,
		message: `that is not a package tarball: ${reason}`,
		remedy: 'give a gzipped tarball as npm pack writes it',
		exitCode: EXIT.usage,
	});
}
