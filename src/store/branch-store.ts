/** A store on a branch, beside other writers. */

import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, UserError } from '../types/errors.ts';
import { listFiles, PENDING, readBranch, type StoredFile } from './read-branch.ts';
import {
	type Appended,
	type BranchOptions,
	type Storable,
	type Store,
	storedPath,
	storedText,
	storedWords,
} from './store.ts';
import {
	commitTree,
	fetchTip,
	fetchTips,
	listBranches,
	type NewFile,
	openPrivateRepository,
	type PrivateRepository,
	push,
	type Remote,
} from './store-git.ts';

const TRIES = 5;

/** Never touches the user's checkout, index or branches. */
export function branchStore(remote: Remote, options: BranchOptions): Store {
	return {
		name: `branch ${options.branch} of ${remote.name}`,
		read: (wanted) => readBranch(remote, options, wanted),
		append: (records) => appendToBranch(remote, options, records),
		remove: (paths) => removeFromBranch(remote, options, paths),
	};
}

/** In one commit; history keeps them. Missing files are ignored. */
async function removeFromBranch(remote: Remote, options: BranchOptions, paths: readonly string[]): Promise<void> {
	let gitOutput = '';
	for (let tries = 1; tries <= TRIES; tries++) {
		await using repository = await openPrivateRepository(remote);
		const { branch, folder } = options;
		if (!(await listBranches(repository, remote, [branch])).has(branch)) return;
		if (!(await fetchTip(repository, branch, 'names'))) continue;
		const wanted = new Set(paths);
		const there = (await listFiles(repository, branch, folder)).filter(({ path }) => wanted.has(path));
		if (there.length === 0) return;
		const removed = there.map(({ path }) => `${folder}/${path}`);
		const message = `Remove ${removed.length === 1 ? 'a baseline' : `${removed.length} baselines`}\n`;
		const commit = await commitTree(repository, {
			parent: branch,
			message,
			author: options.author,
			added: [],
			removed,
		});
		const { ok, stdout, stderr } = await push(repository, { [branch]: commit });
		if (ok) return;
		gitOutput = `${stdout}\n${stderr}`.trim();
	}
	throw new UserError({
		code: 'store-refused',
		where: `branch ${options.branch} of ${remote.name}`,
		message: 'the baselines could not be removed',
		remedy: 'run the command again; a protected branch takes no push',
		details: gitOutput,
	});
}

const PATIENCE_SECONDS = 300;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
/** The longest wait is at least this many durations of a try. */
const TRIES_APART = 4;
/** Matches if the token may not write. Contains no bare numbers, because commit hashes contain them. */
const FORBIDDEN =
	/permission (?:\S+ \S+ )?denied|access denied|write access .* not granted|returned error: 40[13]|authentication failed|could not read (?:username|password)/i;
const PROTECTED = /protected branch|GH006|GH013|rule violations|prohibited/i;

/** Matches git's messages when another writer pushed first. */
const OVERTAKEN = /fetch first|non-fast-forward|failed to (?:lock|update) ref|cannot lock ref/i;

/**
 * Pushes without force, and retries until `patience` is over. Adds the files of pending branches. If the branch accepts
 * no push, they go to a pending branch.
 *
 * @throws UserError `store-forbidden` with the lines to add if the token may not write, `store-unreachable`,
 * `store-refused`.
 */
async function appendToBranch(remote: Remote, options: BranchOptions, items: readonly Storable[]): Promise<Appended> {
	const files = new Map(items.map((item) => [storedPath(item), storedText(item)]));
	const deadline = performance.now() + 1000 * (options.patience ?? PATIENCE_SECONDS);
	const { random = Math.random } = options;
	for (let tries = 1; ; ) {
		await using repository = await openPrivateRepository(remote);
		// If another writer was first, fetched objects are reused. After other failures, a new repository is safer.
		let pending: Pending | null = null;
		for (let again = true; again; tries++) {
			const began = performance.now();
			const tried = await tryOnce(repository, remote, options, { items, files, pending });
			const took = performance.now() - began;
			if ('added' in tried) return { kind: 'stored', place: placeOf(options, remote), tries, reason: null, ...tried };
			const { refusal } = tried;
			pending = tried.pending;
			again = pending !== null && OVERTAKEN.test(refusal);
			if (FORBIDDEN.test(refusal) && !PROTECTED.test(refusal)) throw forbidden(remote, refusal);
			const timeLeft = deadline - performance.now();
			if (PROTECTED.test(refusal) || timeLeft <= 0) {
				return { ...(await leavePending(repository, remote, options, items, refusal)), tries };
			}
			// The last try begins no later than patience ends.
			const wait = Math.min(random() * longestWait(tries, took), timeLeft);
			await delay(wait, undefined, remote.signal && { signal: remote.signal });
		}
	}
}

/** If tries are slow and follow quickly, writers only overtake each other: the wait grows with the duration. */
function longestWait(tries: number, tookMs: number): number {
	const usual = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(tries, 20));
	return Math.max(usual, TRIES_APART * tookMs);
}

interface Pending {
	readonly names: readonly string[];
	readonly files: readonly StoredFile[];
}

type Tried =
	| { readonly added: number; readonly folded: number }
	/** With `pending`, the next try needs no listing. */
	| { readonly refusal: string; readonly pending: Pending | null };

interface ToStore {
	readonly items: readonly Storable[];
	readonly files: ReadonlyMap<string, string>;
	/** From the previous try, if another writer was first. */
	readonly pending: Pending | null;
}

async function tryOnce(
	repository: PrivateRepository,
	remote: Remote,
	options: BranchOptions,
	{ items, files, pending }: ToStore,
): Promise<Tried> {
	const { branch, folder } = options;
	const overtaken = pending !== null && (await fetchTip(repository, branch, 'names'));
	const seen = overtaken ? { begin: branch, pending } : await lookAround(repository, remote, options);
	if ('refusal' in seen) return { ...seen, pending: null };
	const { begin, pending: waiting } = seen;
	if (!overtaken && begin !== null && !(await fetchTip(repository, begin, 'names'))) {
		return { refusal: `${begin} moved`, pending: null };
	}
	const paths = [...files.keys(), ...waiting.files.map(({ path }) => path)];
	const branchPaths = new Set(
		begin === null || paths.length === 0
			? []
			: (await listFiles(repository, begin, folder, paths)).map(({ path }) => path),
	);
	const folded = waiting.files.filter(({ path }) => !branchPaths.has(path) && !files.has(path));
	const fresh = [...files].filter(([path]) => !branchPaths.has(path));
	const added: readonly NewFile[] = [
		...fresh.map(([path, text]) => ({ path: `${folder}/${path}`, text })),
		...folded.map(({ path, blob }) => ({ path: `${folder}/${path}`, blob })),
	];
	if (added.length > 0) {
		const message = `Add ${storedWords(items, added.length)}\n\n${added.map(({ path }) => path).join('\n')}\n`;
		const commit = await commitTree(repository, { parent: begin, message, author: options.author, added });
		const { ok, stdout, stderr } = await push(repository, { [branch]: commit });
		if (!ok) return { refusal: `${stdout}\n${stderr}`.trim(), pending: waiting };
	}
	// If this deletion fails, the next writer finds nothing new and tries again.
	if (waiting.names.length > 0) await push(repository, Object.fromEntries(waiting.names.map((name) => [name, null])));
	return { added: fresh.length, folded: folded.length };
}

/** `begin` is null if no branch exists yet. */
async function lookAround(
	repository: PrivateRepository,
	remote: Remote,
	{ branch, folder, from }: BranchOptions,
): Promise<{ readonly begin: string | null; readonly pending: Pending } | { readonly refusal: string }> {
	try {
		const branches = await listBranches(repository, remote, [branch, `${PENDING}*`, ...(from ? [from] : [])]);
		const begin = [branch, from].find((name) => name !== undefined && branches.has(name)) ?? null;
		return { begin, pending: await collectPending(repository, branches, folder) };
	} catch (error) {
		if (remote.signal?.aborted || !(error instanceof UserError)) throw error;
		// The network may come back.
		return { refusal: error.details ?? error.message };
	}
}

async function collectPending(
	repository: PrivateRepository,
	branches: ReadonlyMap<string, string>,
	folder: string,
): Promise<Pending> {
	const names: string[] = [];
	const files = new Map<string, StoredFile>();
	const waiting = [...branches.keys()].filter((each) => each.startsWith(PENDING));
	const fetched = await fetchTips(repository, waiting, 'files');
	for (const name of waiting) {
		// Another writer may have added its files meanwhile.
		if (!fetched && !(await fetchTip(repository, name, 'files'))) continue;
		names.push(name);
		for (const file of await listFiles(repository, name, folder)) files.set(file.path, file);
	}
	return { names, files: [...files.values()] };
}

async function leavePending(
	repository: PrivateRepository,
	remote: Remote,
	options: BranchOptions,
	items: readonly Storable[],
	refusal: string,
): Promise<Omit<Appended, 'tries'>> {
	const [first] = items;
	// A run may leave both kinds of files.
	const kind = first?.kind === 'benchgate-changes' ? '-changes' : '';
	const name = `${PENDING}${first?.run.id ?? 'none'}.${first?.run.attempt ?? 0}${kind}`;
	const added = items.map((item) => ({ path: `${options.folder}/${storedPath(item)}`, text: storedText(item) }));
	const message = `Keep ${storedWords(items, added.length)} until ${options.branch} takes them\n`;
	const commit = await commitTree(repository, { parent: null, message, author: options.author, added });
	const { ok, stdout, stderr } = await push(repository, { [name]: commit });
	const why = firstLine(refusal);
	if (ok) {
		return {
			kind: 'pending',
			place: `branch ${name} of ${remote.name}`,
			added: items.length,
			folded: 0,
			reason: why,
		};
	}
	const gitOutput = `${stdout}\n${stderr}`.trim();
	if (FORBIDDEN.test(gitOutput)) throw forbidden(remote, gitOutput);
	throw new UserError({
		code: 'store-refused',
		where: placeOf(options, remote),
		message: `the baselines could not be stored: ${why}`,
		remedy: 'store them again from the artifact of this run: benchgate baseline import FILE',
		details: gitOutput,
		exitCode: EXIT.nothingMeasured,
	});
}

function forbidden(remote: Remote, gitOutput: string): UserError {
	return new UserError({
		code: 'store-forbidden',
		where: remote.name,
		message:
			'the token may not write to the repository, so the baselines were not stored; the artifact of this run keeps them',
		remedy: 'add to the job that stores them:\n  permissions:\n    contents: write',
		details: gitOutput,
		exitCode: EXIT.nothingMeasured,
	});
}

function placeOf({ branch }: BranchOptions, remote: Remote): string {
	return `branch ${branch} of ${remote.name}`;
}

/** Prefers lines with a reason to git's own. */
function firstLine(gitOutput: string): string {
	const lines = gitOutput.split('\n').map((line) => line.replace(/^remote:\s*|^error:\s*|^!\s*/, '').trim());
	return (
		lines.find((line) => PROTECTED.test(line)) ??
		lines.find((line) => /reject|refus|fail|fatal/i.test(line)) ??
		lines[0] ??
		''
	);
}
