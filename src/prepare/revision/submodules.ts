/** Fills submodules before any code of a side runs. Avoids `git submodule`, which obeys settings in `.gitmodules`. */
import { copyFile, lstat, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { GIT_SETTING } from '../../process/environment.ts';
import { keyOf, useEntry } from '../cache.ts';
import type { ChildContext, ChildOutcome } from '../child.ts';
import { waysTo } from '../harness/harness.ts';
import { firstBlocked } from '../harness/lay-over.ts';
import type { Origin, Session } from '../prepare-context.ts';
import { askGit, type GitLimit, runGit } from './git.ts';
import { type Source, SUBMODULE } from './source.ts';

export interface Unfilled {
	/** Relative to the top of the checkout. */
	readonly path: string;
	readonly commit: string;
	/** A clause. */
	readonly why: string;
}

export interface Submodules {
	readonly filled: readonly string[];
	readonly unfilled: readonly Unfilled[];
}

interface Place {
	/** Git directory with the objects. */
	readonly store: string;
	/** Git directories with submodule repositories in `modules`. */
	readonly homes: readonly string[];
	/** Folder in the user's checkout. */
	readonly workTree: string | null;
	/** https address; null if unknown. */
	readonly address: string | null;
}

interface Link {
	/** Relative to the top of the enclosing repository. */
	readonly path: string;
	readonly commit: string;
	/** Relative to the top of the checkout, which may be only a part of the repository. */
	readonly at?: string;
}

interface Named {
	readonly name: string;
	readonly url: string;
}

/** Maps paths from the top to trusted addresses. */
type Addresses = ReadonlyMap<string, string>;

interface Filling {
	readonly session: Session;
	readonly checkout: string;
	/** The user's repository, whose https settings are used. */
	readonly top: Place;
	/** Null if the revision's own addresses are followed. */
	readonly trusted: (() => Promise<Addresses>) | null;
	readonly filled: string[];
	readonly unfilled: Unfilled[];
}

const FETCH_LIMIT: GitLimit = { ms: 10 * 60_000, mayPass: true };
/** A commit can name any number of submodules, each slow to fetch. */
const MOST = 200;
const LIST = ['ls-tree', '-r', '-z', '--full-tree'];
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const HOW_TO_REACH = ['http.proxy', 'http.sslcainfo', 'http.sslcapath', 'http.sslbackend', 'http.sslversion'];
const ASKED = ['GIT_ASKPASS', 'SSH_ASKPASS'];

/**
 * Fills the submodules of a commit or folder recursively: from repositories inside the user's repository, else over
 * https. Head's are fetched only from addresses in base's `.gitmodules`. Unavailable ones stay empty.
 */
export async function fillSubmodules(
	session: Session,
	{ side, source }: Origin,
	checkout: string,
	base: Source,
): Promise<Submodules> {
	const roots = await findRoots(session, source);
	const filled: string[] = [];
	const unfilled: Unfilled[] = [];
	let baseAddresses: Promise<Addresses> | undefined;
	for (const { top, links, treeish } of roots) {
		const trusted = () => {
			baseAddresses ??= readAddresses(session, base);
			return baseAddresses;
		};
		const filling: Filling = { session, checkout, top, trusted: side === 'base' ? null : trusted, filled, unfilled };
		await fillAll(filling, top, '', links, await readNames(session, top.store, treeish));
	}
	return { filled, unfilled };
}

/** Removes `.git` folders of filled submodules. Checks paths again: the build may have replaced them. */
export async function detachSubmodules(checkout: string, filled: readonly string[]): Promise<void> {
	for (const path of filled) {
		if ((await firstBlocked(checkout, waysTo(path))) !== null) continue;
		await rm(join(checkout, path, '.git'), { recursive: true, force: true, maxRetries: 3 });
	}
}

/** Whether a submodule's folder is empty, or blocked by a file or symlink. */
export async function isUnfilled(checkout: string, path: string): Promise<boolean> {
	if ((await firstBlocked(checkout, waysTo(path))) !== null) return true;
	return (await readdir(join(checkout, path)).catch(() => [])).length === 0;
}

interface Root {
	readonly top: Place;
	readonly links: readonly Link[];
	/** Tree with the `.gitmodules`; empty for the index. */
	readonly treeish: string;
}

/** For a commit, returns its repository; for a folder, the repositories around its unfilled submodules. */
async function findRoots(session: Session, source: Source): Promise<Root[]> {
	if (source.kind === 'git') {
		const { repository, sha } = source;
		const links = readLinks(await runGit(session, repository, [...LIST, sha]));
		const top = links.length === 0 ? null : await placeAt(session, repository);
		return top === null ? [] : [{ top, links, treeish: sha }];
	}
	if (source.kind !== 'dir') return [];
	const roots: Root[] = [];
	for (const { path, indexed } of source.files) {
		if (indexed?.mode !== SUBMODULE) continue;
		const top = await placeAt(session, indexed.folder);
		if (top === null) continue;
		const prefix = (await askGit(session, indexed.folder, ['rev-parse', '--show-prefix'])) ?? '';
		const link = { path: posix.join(prefix, indexed.path), commit: indexed.hash, at: path };
		roots.push({ top, links: [link], treeish: '' });
	}
	return roots;
}

async function placeAt(session: Session, folder: string): Promise<Place | null> {
	const args = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir'];
	const [store, common] = (await askGit(session, folder, args))?.split('\n') ?? [];
	if (!store || !common) return null;
	const origin = await askGit(session, folder, ['config', '--get', 'remote.origin.url']);
	const workTree = await askGit(session, folder, ['rev-parse', '--show-toplevel']);
	const address = origin === null ? null : submoduleAddress(origin, null);
	return { store, homes: [...new Set([store, common])], workTree, address };
}

async function fillAll(
	filling: Filling,
	place: Place,
	prefix: string,
	links: readonly Link[],
	names: ReadonlyMap<string, Named>,
): Promise<void> {
	for (const link of links) {
		const path = link.at ?? posix.join(prefix, link.path);
		const result = await fillOne(filling, place, link, path, names.get(link.path));
		if (typeof result === 'string') {
			filling.unfilled.push({ path, commit: link.commit, why: result });
			continue;
		}
		filling.filled.push(path);
		const { session } = filling;
		const inner = await listLinks(session, result.store, link.commit);
		if (inner.length === 0) continue;
		await fillAll(filling, result, path, inner, await readNames(session, result.store, link.commit));
	}
}

/** The source repository or the reason for failure. */
async function fillOne(
	filling: Filling,
	place: Place,
	link: Link,
	path: string,
	named: Named | undefined,
): Promise<Place | string> {
	const { session, checkout, filled, unfilled } = filling;
	if (!COMMIT.test(link.commit)) return 'its commit has no hash';
	if (filled.length + unfilled.length >= MOST) return `there are more than ${MOST}`;
	// Never write through a symlink or over existing files, whatever the tree contains.
	if ((await firstBlocked(checkout, waysTo(path))) !== null) return 'a file or link is in its way';
	if (!(await isUnfilled(checkout, path))) return 'its folder is not empty';
	const submodulePlace =
		(await findHere(session, place, link, named)) ?? (await findThere(filling, place, link, path, named));
	if (typeof submodulePlace === 'string') return submodulePlace;
	const failure = await checkOut(session, submodulePlace.store, link.commit, join(checkout, path));
	return failure ?? submodulePlace;
}

/** Looks in the enclosing repository and in the user's checkout. */
async function findHere(session: Session, place: Place, link: Link, named: Named | undefined): Promise<Place | null> {
	const workTree = place.workTree === null ? null : join(place.workTree, link.path);
	const stores =
		named === undefined || !isPlainName(named.name) ? [] : place.homes.map((home) => join(home, 'modules', named.name));
	// If the folder has no `.git`, git may take it for a bare repository. A bare repository can be committed, with
	// settings that run programs.
	if (workTree !== null && (await lstat(join(workTree, '.git')).catch(() => null)) !== null) {
		const store = await askGit(session, workTree, ['rev-parse', '--absolute-git-dir']);
		if (store !== null) stores.push(store);
	}
	const address = named === undefined ? null : submoduleAddress(named.url, place.address);
	for (const store of stores) {
		if (await hasCommit(session, store, link.commit)) return { store, homes: [store], workTree, address };
	}
	return null;
}

/** A submodule's name is a path below git's `modules`, which it must not leave. */
function isPlainName(name: string): boolean {
	return name !== '' && !name.split(/[\\/]/).includes('..');
}

async function findThere(
	{ session, top, trusted }: Filling,
	place: Place,
	link: Link,
	path: string,
	named: Named | undefined,
): Promise<Place | string> {
	if (named === undefined) return 'no .gitmodules of this revision names it';
	const namedAddress = submoduleAddress(named.url, place.address);
	const shown = showAddress(named.url);
	const addresses = trusted === null ? null : await trusted();
	const isTrusted = namedAddress !== null && (addresses === null || [...addresses.values()].includes(namedAddress));
	const address = isTrusted ? namedAddress : addresses?.get(path);
	const refused =
		namedAddress === null
			? `its address ${shown} is not followed, because it is no https`
			: `its address ${shown} is not followed, because only head has it in .gitmodules`;
	if (address === undefined) return refused;
	const fetched = await fetchCommit(session, top, address, link.commit);
	if ('store' in fetched) return { ...fetched, homes: [fetched.store], workTree: null, address };
	return `${isTrusted ? '' : `${refused}, and `}${showAddress(address)} does not give the commit: ${fetched.why}`;
}

/** Recursive, as far as commits are available. */
async function readAddresses(session: Session, source: Source): Promise<Addresses> {
	const addresses = new Map<string, string>();
	if (source.kind !== 'git') return addresses;
	const top = await placeAt(session, source.repository);
	const visit = async (place: Place, commit: string, prefix: string): Promise<void> => {
		const names = await readNames(session, place.store, commit);
		for (const link of await listLinks(session, place.store, commit)) {
			const named = names.get(link.path);
			const address = named && submoduleAddress(named.url, place.address);
			if (!address || addresses.size >= MOST) continue;
			const path = posix.join(prefix, link.path);
			addresses.set(path, address);
			const here = await findHere(session, place, link, named);
			const fetched = here ?? (await fetchCommit(session, top ?? place, address, link.commit));
			if (!('store' in fetched)) continue;
			await visit(here ?? { ...fetched, homes: [], workTree: null, address }, link.commit, path);
		}
	};
	if (top !== null) await visit(top, source.sha, '');
	return addresses;
}

async function listLinks(session: Session, store: string, commit: string): Promise<Link[]> {
	return readLinks(await runIn(session, store, [...LIST, commit]));
}

function readLinks({ stdout }: Pick<ChildOutcome, 'stdout'>): Link[] {
	return stdout.split('\0').flatMap((entry) => {
		const [, commit = '', path = ''] = /^160000 commit (\w+)\t(.+)$/s.exec(entry) ?? [];
		return path === '' ? [] : [{ path, commit }];
	});
}

/** Reads `.gitmodules` from git's objects, never from a file, and takes only name, path and URL. */
async function readNames(session: Session, store: string, treeish: string): Promise<ReadonlyMap<string, Named>> {
	const args = ['config', '--no-includes', '--blob', `${treeish}:.gitmodules`, '--list', '-z'];
	const { stdout } = await runIn(session, store, args);
	const byName = new Map<string, { path?: string; url?: string }>();
	for (const entry of stdout.split('\0')) {
		const [, name = '', key, value] = /^submodule\.(.*)\.(path|url)\n(.*)$/s.exec(entry) ?? [];
		if (key !== undefined) byName.set(name, { ...byName.get(name), [key]: value });
	}
	return new Map(
		[...byName].flatMap(([name, { path, url }]): [string, Named][] =>
			path === undefined || url === undefined ? [] : [[path, { name, url }]],
		),
	);
}

async function hasCommit(session: Session, store: string, commit: string): Promise<boolean> {
	const isThere = await stat(store).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
	if (!isThere || (await runIn(session, store, ['cat-file', '-t', commit])).stdout.trim() !== 'commit') return false;
	// In a partial clone, this fetches missing objects.
	return (await runIn(session, store, ['cat-file', '-e', `${commit}^{tree}`])).succeeded;
}

function runIn(session: Session, store: string, args: readonly string[], variables: Record<string, string> = {}) {
	return runGit(withVariables(session, { GIT_DIR: store, ...variables }), variables.GIT_WORK_TREE ?? store, args);
}

function withVariables(session: Session, variables: Record<string, string>): ChildContext {
	return { ...session, environment: { ...session.environment, ...variables } };
}

/**
 * Checks out into an empty folder. It becomes a repository that borrows objects through `alternates`, so `git
 * submodule` in a `prepare` finds the usual layout. Returns the error, if any.
 */
async function checkOut(session: Session, store: string, commit: string, folder: string): Promise<string | null> {
	const inside = join(folder, '.git');
	const format = commit.length === 64 ? ['--object-format=sha256'] : [];
	// An empty template: no hooks, no `info`.
	await runGit(session, folder, ['init', '--quiet', '--template=', ...format]);
	const args = ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'shallow'];
	const [objects = '', shallow = ''] = (await runIn(session, store, args)).stdout.trimEnd().split('\n');
	await writeFile(join(inside, 'objects', 'info', 'alternates'), `${objects}\n`);
	await copyFile(shallow, join(inside, 'shallow')).catch(() => {});
	await writeFile(join(inside, 'HEAD'), `${commit}\n`);
	// Runs in the original repository, for its filters and lazy fetches.
	const variables = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(inside, 'index') };
	const outcome = await runIn(session, store, ['read-tree', '--reset', '-u', commit], variables);
	if (outcome.succeeded) return null;
	for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
	return `git could not check it out: ${lastLine(outcome.stderr) || outcome.ending}`;
}

class FetchFailure extends Error {}

async function fetchCommit(
	session: Session,
	top: Place,
	address: string,
	commit: string,
): Promise<{ readonly store: string } | { readonly why: string }> {
	try {
		// The hash authenticates the content whatever the address.
		const { entry } = await useEntry(session, 'submodules', keyOf({ commit }), async ({ folder }) => {
			session.progress.step(`Fetching ${showAddress(address)} at ${commit.slice(0, 7)}`);
			await fetchInto(session, top, folder, address, commit);
			return {};
		});
		return { store: entry.folder };
	} catch (error) {
		if (error instanceof FetchFailure) return { why: error.message };
		throw error;
	}
}

async function fetchInto(session: Session, top: Place, store: string, address: string, commit: string): Promise<void> {
	const context = await fetchContext(session, top, store, address);
	const format = commit.length === 64 ? ['--object-format=sha256'] : [];
	await runGit(context, store, ['init', '--quiet', '--bare', '--template=', ...format]);
	// Git LFS needs the remote's address.
	await runGit(context, store, ['config', 'remote.origin.url', address]);
	const plain = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no'];
	const alone = await runGit(context, store, [...plain, '--depth=1', '--', address, commit], FETCH_LIMIT);
	if (await hasCommit(session, store, commit)) return;
	// Some servers refuse to serve a commit by hash: fetch all branches and tags.
	const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
	const all = await runGit(context, store, [...plain, '--', address, ...refs], FETCH_LIMIT);
	if (await hasCommit(session, store, commit)) return;
	throw new FetchFailure(lastLine(all.stderr) || lastLine(alone.stderr) || 'no branch has it');
}

/**
 * Allows only https, without the user's settings, password files and credential helpers. Credentials of
 * actions/checkout (`http.extraheader`) go only to the host and owner of the user's repository.
 */
async function fetchContext(session: Session, top: Place, store: string, address: string): Promise<ChildContext> {
	const inherited = Object.entries(session.environment).filter(
		([name]) => !GIT_SETTING.test(name) && !ASKED.includes(name),
	);
	const isSameOwner = hasSameOwner(address, top.address);
	const { stdout } = await runIn(session, top.store, ['config', '--get-urlmatch', 'http', address]);
	const settings = stdout.split('\n').flatMap((line): [string, string][] => {
		const [, key = '', value = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
		return HOW_TO_REACH.includes(key) || (isSameOwner && key === 'http.extraheader') ? [[key, value]] : [];
	});
	const letsIn = settings.some(([key]) => key === 'http.extraheader');
	// With credentials, redirects are off, because they may lead to another owner.
	const all = [...settings, ...(letsIn ? [['http.followRedirects', 'false']] : [])];
	return {
		...session,
		environment: {
			...Object.fromEntries(inherited),
			HOME: store,
			XDG_CONFIG_HOME: store,
			GIT_CONFIG_GLOBAL: '/dev/null',
			GIT_CONFIG_NOSYSTEM: '1',
			GIT_ALLOW_PROTOCOL: 'https',
			GIT_CONFIG_COUNT: `${all.length}`,
			...Object.fromEntries(
				all.flatMap(([key, value], index) => [
					[`GIT_CONFIG_KEY_${index}`, key],
					[`GIT_CONFIG_VALUE_${index}`, value],
				]),
			),
		},
	};
}

function lastLine(text: string): string {
	return showAddress(text.trim().split('\n').at(-1) ?? '');
}

/** Blanks, control characters and backslashes, which different URL parsers read differently. */
const UNCLEAR = /[\0-\x20\x7f\\]/;
const RELATIVE = /^\.\.?\//;
/** SSH addresses as on GitHub: `git@HOST:OWNER/NAME`, `ssh://git@HOST/OWNER/NAME`. */
const BY_SSH = /^(?:ssh:\/\/git@(\w[\w.-]*)(?::\d+)?\/|git@(\w[\w.-]*):\/?)(?=[^/:])(.+)$/;

/**
 * Returns the https address for a `url` of `.gitmodules`, resolved against `parent` as git does and mapped from SSH;
 * null if it must not be fetched.
 */
export function submoduleAddress(url: string, parent: string | null): string | null {
	if (UNCLEAR.test(url)) return null;
	const [, long, short, path] = BY_SSH.exec(url) ?? [];
	const written = path === undefined ? url : `https://${long ?? short}/${path}`;
	if (RELATIVE.test(url)) return parent === null ? null : parse(new URL(url, `${parent.replace(/\/+$/, '')}/`).href);
	return parse(written);
}

function parse(text: string): string | null {
	const url = /^https:\/\/[^/]/i.test(text) ? URL.parse(text) : null;
	if (url === null) return null;
	url.hash = '';
	return url.href;
}

/** Whether two addresses share host and owner, so one may get the other's credentials. */
export function hasSameOwner(address: string, other: string | null): boolean {
	const owner = ownerOf(address);
	return owner !== null && other !== null && owner === ownerOf(other);
}

function ownerOf(address: string): string | null {
	const { host, pathname } = new URL(address);
	const [, owner = '', name = ''] = pathname.split('/');
	return owner === '' || name === '' ? null : `${host}/${owner}`.toLowerCase();
}

/** Removes user name and password from an address. */
export function showAddress(url: string): string {
	return url.replace(/\/\/[^/@]*@/, '//');
}
