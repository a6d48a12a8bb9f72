/** Finds the bench servers of both sides. */
import { stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { isWithin, plainFolder } from '../../config/file/check-harness.ts';
import { fromLockfile } from '../../config/npm-lockfile.ts';
import type { ServerSpec } from '../../types/config.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import type { HarnessInfo } from '../../types/result.ts';
import type { Sides, Warning } from '../../types/units.ts';
import { type Manifest, parseManifest } from '../package/manifest.ts';
import type { Session } from '../prepare-context.ts';
import { askGit, findRepository } from '../revision/git.ts';
import { parseRevision } from '../revision/parse-revision.ts';
import { findCommit } from '../revision/resolve-ref.ts';
import type { Source } from '../revision/source.ts';
import {
	digestFolders,
	type Harness,
	type HarnessFile,
	type HarnessFolder,
	type HarnessPackage,
	type HarnessPlace,
	LOCKFILES,
} from './harness.ts';
import { readFolder } from './read-folders.ts';

/** Dependencies in these groups need a lockfile, so both sides get equal versions. */
const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * Returns the bench servers of `session.harnessFrom` or the working tree, read before any side's code runs; null
 * without a harness.
 *
 * @throws UserError for a folder that the revision lacks as plain files, or a server's missing `cwd`.
 */
export async function findHarness(session: Session): Promise<Harness | null> {
	const { harness: paths = [], servers } = session.config;
	if (paths.length === 0) return null;
	const place = await findPlace(session);
	const folders: HarnessFolder[] = [];
	for (const path of paths) {
		const files = await readFolder(session, place, path);
		folders.push({ path, files, package: readPackage(path, files) });
	}
	checkServers(servers, folders, place);
	return { info: { ...(await describePlace(session, place, folders)), folders: paths }, from: place, folders };
}

function checkServers(servers: readonly ServerSpec[], folders: readonly HarnessFolder[], place: HarnessPlace): void {
	for (const server of servers) {
		if (server.kind !== 'custom') continue;
		const cwd = plainFolder(server.cwd);
		const folder = folders.find(({ path }) => isWithin(cwd, path));
		if (folder === undefined || folder.files.some((file) => isWithin(file.path, cwd) && file.path !== cwd)) continue;
		throw new UserError({
			code: 'no-folder',
			where: `server ${server.name}`,
			message: `its cwd "${server.cwd}" is not in the bench servers of ${place.label}`,
			remedy: 'cwd is relative to the top of the repository; commit the folder, or correct its name',
		});
	}
}

async function findPlace(session: Session): Promise<HarnessPlace> {
	const { harnessFrom, cwd } = session;
	const repository = await findRepository(session, cwd);
	if (harnessFrom === undefined) return workingTree(repository ?? cwd);
	const { kind, value } = parseRevision(harnessFrom, 'harness');
	const folder = resolve(cwd, value);
	if (kind === 'dir' || (kind === null && (await isFolder(folder)))) return workingTree(folder);
	const commit =
		repository === null || kind === 'npm' || kind === 'file' ? null : await findCommit(session, repository, value);
	if (repository !== null && commit !== null) {
		return { kind: 'git', repository, sha: commit.sha, label: commit.label };
	}
	throw new UserError({
		code: 'bad-harness',
		where: 'harness',
		message: `the bench servers cannot come from "${harnessFrom}", which is no commit or folder here`,
		remedy:
			'take the config from a commit of the repository, or run benchgate without --config where the bench servers are',
	});
}

function workingTree(folder: string): HarnessPlace {
	return { kind: 'dir', folder, label: 'the working tree' };
}

/** If the files of a working tree equal those of its commit, names it by the commit. */
async function describePlace(
	session: Session,
	place: HarnessPlace,
	folders: readonly HarnessFolder[],
): Promise<Omit<HarnessInfo, 'folders'>> {
	if (place.kind === 'git') return { label: place.label, sha: place.sha };
	const { folder: repository, label } = place;
	const sha = await askGit(session, repository, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
	if (sha === null || (await findRepository(session, repository)) !== repository) return { label };
	const head: HarnessPlace = { kind: 'git', repository, sha, label: sha.slice(0, 7) };
	try {
		const committed: HarnessFolder[] = [];
		for (const folder of folders) committed.push({ ...folder, files: await readFolder(session, head, folder.path) });
		return digestFolders(committed) === digestFolders(folders) ? { label: head.label, sha } : { label };
	} catch (error) {
		if (!isUserError(error)) throw error;
		return { label };
	}
}

/** Null for a folder without dependencies, which is laid over the checkout. */
function readPackage(path: string, files: readonly HarnessFile[]): HarnessPackage | null {
	const textOf = (name: string) => files.find((file) => file.path === posix.join(path, name))?.content.toString('utf8');
	const text = textOf('package.json');
	if (text === undefined) return null;
	const where = posix.join(path, 'package.json');
	const manifest = parseManifest(text, where);
	const lockfile = LOCKFILES.map(textOf).find((candidate) => candidate !== undefined);
	if (lockfile !== undefined) return { manifest, installed: namesIn(lockfile, path) };
	if (!hasDependencies(manifest)) return null;
	throw new UserError({
		code: 'bad-harness',
		where,
		message: 'it names dependencies, but no package-lock.json beside it fixes the versions that both sides get',
		remedy: `in ${path}, run npm install --package-lock-only, and commit package-lock.json`,
	});
}

function namesIn(lockfile: string, path: string): ReadonlySet<string> {
	try {
		return new Set(fromLockfile(lockfile).map(([name]) => name));
	} catch (cause) {
		throw new UserError({
			code: 'bad-harness',
			where: posix.join(path, 'package-lock.json'),
			message: `the lockfile cannot be read: ${(cause as Error).message}`,
			remedy: `in ${path}, run npm install --package-lock-only again`,
			cause,
		});
	}
}

function hasDependencies(manifest: Manifest): boolean {
	return GROUPS.some((group) => Object.keys(manifest[group] ?? {}).length > 0);
}

function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}

/**
 * Returns the warning `harness-differs` if head itself changes bench servers, because the servers of another commit
 * ran. Ignores later changes on the harness's branch.
 */
export async function warnOfChange(
	session: Session,
	harness: Harness,
	{ base, head }: Sides<Source>,
): Promise<Warning[]> {
	const { from, info, folders } = harness;
	if (from.kind !== 'git' || base.kind !== 'git' || head.kind !== 'git' || head.sha === from.sha) return [];
	const changed: string[] = [];
	for (const { path } of folders) {
		const treeAt = (sha: string) =>
			askGit(session, from.repository, ['rev-parse', '--verify', '--quiet', `${sha}:${path}`]);
		const headTree = await treeAt(head.sha);
		if (headTree !== (await treeAt(from.sha)) && headTree !== (await treeAt(base.sha))) changed.push(path);
	}
	if (changed.length === 0) return [];
	const message = `Head changes bench servers (${changed.join(', ')}). Those of ${info.label} ran on both sides; the change takes effect once it is merged.`;
	return [{ code: 'harness-differs', message }];
}
