/** Reads harness folders. */
import { lstat, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isWithin } from '../../config/file/check-harness.ts';
import { UserError } from '../../types/errors.ts';
import { listFiles } from '../content/list-files.ts';
import type { Session } from '../prepare-context.ts';
import { readBlobs, runGit } from '../revision/git.ts';
import { SUBMODULE } from '../revision/source.ts';
import { type HarnessFile, type HarnessPlace, waysTo } from './harness.ts';

/** Limit, because all files stay in memory. */
const MOST_BYTES = 100 * 1024 * 1024;

type Refusal = (path: string, why: string, remedy: string) => UserError;

const NO_LINKS =
	'commit the file itself: a link could lead out of the harness, to files that base and head do not share';

/** Returns a folder's files. Throws UserError `bad-harness` if it is missing or has anything but plain files. */
export async function readFolder(session: Session, place: HarnessPlace, path: string): Promise<HarnessFile[]> {
	const refuse: Refusal = (what, why, remedy) =>
		new UserError({
			code: 'bad-harness',
			where: session.config.file === undefined ? 'harness' : `${session.config.file}: harness`,
			message: `"${what}" ${why} in ${place.label}`,
			remedy,
		});
	const files =
		place.kind === 'git'
			? await readCommit(session, place, path, refuse)
			: await readDisk(session, place, path, refuse);
	const installed = files.find((file) => file.path.split('/').includes('node_modules'));
	if (installed !== undefined) {
		throw refuse(
			installed.path,
			'is an installed package',
			'leave out node_modules: a lockfile determines what is installed',
		);
	}
	if (files.length > 0) return files;
	throw refuse(path, 'has no files', 'name the folder of the bench servers; a file that git ignores is in no commit');
}

interface TreeEntry {
	readonly mode: string;
	readonly hash: string;
	readonly bytes: number;
	readonly path: string;
}

/** Reads from git's objects, which no checkout can change. */
async function readCommit(
	session: Session,
	{ repository, sha }: Extract<HarnessPlace, { kind: 'git' }>,
	path: string,
	refuse: Refusal,
): Promise<HarnessFile[]> {
	const list = async (options: readonly string[], paths: readonly string[]) => {
		const args = ['ls-tree', '-l', '-z', '--full-tree', ...options, sha, '--', ...paths];
		return parseTree((await runGit(session, repository, args)).stdout);
	};
	const entries = (await list(['-r'], [path])).filter((entry) => isWithin(entry.path, path));
	if (entries.length === 0) {
		const blocked = (await list([], waysTo(path))).find(({ mode }) => kindOf(mode) !== 'folder');
		if (blocked !== undefined) throw refuseKind(refuse, blocked.path, kindOf(blocked.mode), true);
		throw missing(refuse, path);
	}
	for (const entry of entries) {
		const kind = kindOf(entry.mode);
		if (kind !== 'file' || entry.path === path) throw refuseKind(refuse, entry.path, kind, entry.path === path);
	}
	const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
	checkSize(bytes, path, refuse);
	const hashes = entries.map(({ hash }) => hash);
	const contents = await readBlobs(session, repository, hashes);
	return entries.map((entry, index) => ({
		path: entry.path,
		executable: entry.mode === '100755',
		content: contents[index] as Buffer,
	}));
}

/** `MODE KIND HASH SIZE`, tab, path, NUL. */
function parseTree(text: string): TreeEntry[] {
	return text.split('\0').flatMap((line) => {
		const [, mode = '', hash = '', bytes = '', path = ''] = /^(\d+) \w+ (\w+) +(\S+)\t(.+)$/s.exec(line) ?? [];
		return path === '' ? [] : [{ mode, hash, bytes: Number(bytes) || 0, path }];
	});
}

type Kind = 'file' | 'folder' | 'link' | 'submodule' | 'something else';

function kindOf(mode: string): Kind {
	if (mode.startsWith('100')) return 'file';
	return ({ '040000': 'folder', '120000': 'link', [SUBMODULE]: 'submodule' } as const)[mode] ?? 'something else';
}

async function readDisk(
	session: Session,
	{ folder: top }: Extract<HarnessPlace, { kind: 'dir' }>,
	path: string,
	refuse: Refusal,
): Promise<HarnessFile[]> {
	for (const way of waysTo(path)) {
		const stats = await lstat(join(top, way)).catch(() => null);
		if (stats === null) throw missing(refuse, path);
		if (!stats.isDirectory()) throw refuseKind(refuse, way, stats.isSymbolicLink() ? 'link' : 'file', true);
		await refuseSubmodule(top, way, refuse);
	}
	const listed = await listFiles(session, join(top, path));
	const folders = new Set(listed.flatMap((file) => waysTo(posix.dirname(file.path))));
	for (const folder of folders) await refuseSubmodule(top, posix.join(path, folder), refuse);
	const absentFile = listed.find((file) => file.indexed !== undefined);
	if (absentFile?.indexed?.mode === SUBMODULE)
		throw refuseKind(refuse, `${path}/${absentFile.path}`, 'submodule', false);
	if (absentFile !== undefined) {
		throw refuse(`${path}/${absentFile.path}`, 'is left out by the sparse checkout', `git sparse-checkout add ${path}`);
	}
	const link = listed.find((file) => file.link !== undefined);
	if (link !== undefined) throw refuseKind(refuse, `${path}/${link.path}`, 'link', false);
	const files: HarnessFile[] = [];
	let bytes = 0;
	for (const file of listed) {
		const location = join(top, path, file.path);
		const { mode, size } = await lstat(location);
		bytes += size;
		checkSize(bytes, path, refuse);
		files.push({ path: `${path}/${file.path}`, executable: (mode & 0o100) !== 0, content: await readFile(location) });
	}
	return files;
}

async function refuseSubmodule(top: string, path: string, refuse: Refusal): Promise<void> {
	if (await lstat(join(top, path, '.git')).catch(() => null)) throw refuseKind(refuse, path, 'submodule', false);
}

function missing(refuse: Refusal, path: string): UserError {
	return refuse(
		path,
		'does not exist',
		'a harness is read from the revision whose config applies: commit the folder there, or correct its name',
	);
}

function refuseKind(refuse: Refusal, path: string, kind: Kind, isFolder: boolean): UserError {
	if (kind === 'link') return refuse(path, 'is a symbolic link', NO_LINKS);
	if (kind === 'submodule')
		return refuse(path, 'is a submodule', 'commit the files themselves: a submodule is another repository');
	return refuse(path, isFolder ? 'is no folder' : `is ${kind}`, 'name the folder of the bench servers');
}

function checkSize(bytes: number, path: string, refuse: Refusal): void {
	if (bytes <= MOST_BYTES) return;
	throw refuse(path, 'has more than 100 MB', 'keep only the bench servers in it');
}
