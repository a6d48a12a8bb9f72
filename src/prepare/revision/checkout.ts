import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { shellWord } from '../../text/escape.ts';
import { EXIT, isUserError, UserError } from '../../types/errors.ts';
import { runForeign } from '../build/foreign-step.ts';
import { completeEntry, type Entry, readEntry, removeEntry, withLock } from '../cache.ts';
import { describeCommand } from '../child.ts';
import { writeVersions } from '../content/file-versions.ts';
import { copyFiles, copyIndexed } from '../content/list-files.ts';
import { extractTarball, fetchTarball } from '../package/tarball.ts';
import { isIsolated, nameOrigin, type Origin, type Session } from '../prepare-context.ts';
import { runGit } from './git.ts';
import { findLeft, findPointers, isWhole, type Lacks, lackError, lackWarning, neededOf } from './lacks.ts';
import type { Source } from './source.ts';
import { detachSubmodules, fillSubmodules } from './submodules.ts';

const NONE: Lacks = { submodules: [], pointers: [] };

export interface Checkout {
	readonly origin: Origin;
	readonly folder: string;
	readonly log: string;
	/** Shell commands run so far, for messages. */
	readonly steps: string[];
	lacks: Lacks;
}

export interface Step {
	readonly argv: readonly string[];
	/** As the user would type it. */
	readonly spoken: string;
	/** The command as part of a longer shell line; `spoken` by default. */
	readonly typed?: string;
	/** Absolute. */
	readonly folder: string;
	/** Absolute paths besides the checkout. */
	readonly writes?: readonly string[];
}

/** Runs a step and appends it to `steps`. Throws as `runForeign` does. */
export async function runStep(session: Session, checkout: Checkout, step: Step): Promise<void> {
	const { origin, log, steps } = checkout;
	const inside = relative(checkout.folder, step.folder);
	const typed = step.typed ?? step.spoken;
	steps.push(inside === '' ? typed : `(cd ${shellWord(inside)} && ${typed})`);
	session.progress.step(`${nameOrigin(origin)}: ${step.spoken}`);
	const repeat = [...copyCommands(origin), ...steps].join(' && ');
	const writes = [checkout.folder, ...(step.writes ?? [])];
	await runForeign(session, { origin, what: step.spoken, argv: step.argv, folder: step.folder, log, writes, repeat });
}

/**
 * Runs `use` in the entry's checkout, made and built if not cached. With `keep`, it stays cached, detached from the
 * user's repository. Throws UserError `checkout-incomplete` if a server may read missing contents.
 */
export async function withCheckout<Note, T>(
	session: Session,
	origin: Origin,
	entry: Entry,
	options: { keep: boolean; base: Source; build: (checkout: Checkout) => Promise<Note> },
	use: (checkout: Checkout, note: Note) => Promise<T>,
): Promise<T> {
	const checkout: Checkout = { origin, folder: entry.folder, log: entry.log, steps: [], lacks: NONE };
	return withLock(session, entry, async () => {
		const ready = await readEntry<Note>(entry);
		if (ready !== null) return use(checkout, ready);
		await removeEntry(session, entry);
		await rm(entry.log, { force: true });
		const release = guard(session, origin.source, entry.folder);
		let complete = false;
		try {
			await materialise(session, origin, entry.folder);
			await writeVersions(entry.folder, origin.source.replaced ?? [], nameOrigin(origin));
			const submodules = await fillSubmodules(session, origin, entry.folder, options.base);
			if (submodules.filled.length > 0) checkout.steps.push('git submodule update --init --recursive');
			const pointers = await findPointers(session, origin, entry.folder, submodules);
			checkout.lacks = { submodules: submodules.unfilled, pointers };
			const note = await buildWhole(session, checkout, options.build);
			const result = await use(checkout, note);
			if (options.keep) {
				await detachSubmodules(entry.folder, submodules.filled);
				await detach(session, origin.source, entry.folder);
				complete = true;
				// An isolated build may depend on its user's home; the checkout is removed with that home after the
				// run.
				if (isIsolated(session)) return result;
				// An incomplete checkout is not cached: a later config may read the missing contents, or they may
				// become available.
				if (isWhole(checkout.lacks)) await completeEntry(entry, note);
			}
			return result;
		} finally {
			if (!complete) await removeCheckout(session, origin.source, entry);
			if (!complete || !isIsolated(session)) release();
		}
	});
}

/**
 * Refuses missing contents that servers may read, before any code of the side runs, or after a `prepare`, which may
 * fetch them.
 */
async function buildWhole<Note>(
	session: Session,
	checkout: Checkout,
	build: (checkout: Checkout) => Promise<Note>,
): Promise<Note> {
	const { origin, folder } = checkout;
	const refuse = async (cause?: UserError) => {
		checkout.lacks = await findLeft(folder, checkout.lacks);
		const needed = neededOf(session, checkout.lacks);
		if (!isWhole(needed)) throw lackError(origin, needed, cause);
	};
	if (session.config.prepare === undefined) await refuse();
	const note = await build(checkout).catch(async (error: unknown) => {
		if (isUserError(error)) await refuse(error);
		throw error;
	});
	await refuse();
	if (!isWhole(checkout.lacks)) session.warnings.push(lackWarning(origin, checkout.lacks));
	return note;
}

function guard(session: Session, source: Source, folder: string): () => void {
	return source.kind === 'git'
		? session.janitor.guardWorktree(source.repository, folder)
		: session.janitor.guardDirectory(folder);
}

async function materialise(session: Session, origin: Origin, folder: string): Promise<void> {
	const { source } = origin;
	if (source.kind === 'git') return addWorktree(session, origin, source.repository, source.sha, folder);
	await mkdir(folder);
	if (source.kind === 'dir') {
		await copyFiles(source.folder, source.files, folder);
		return copyIndexed(session, source.files, folder);
	}
	const packed = await fetchTarball(session, { side: origin.side, source });
	await extractTarball(session, join(packed.folder, packed.subject.file), folder);
}

async function addWorktree(session: Session, origin: Origin, repository: string, sha: string, folder: string) {
	// --force: a killed run may have left this folder registered.
	const outcome = await runGit(session, repository, ['worktree', 'add', '--force', '--detach', '--quiet', folder, sha]);
	if (outcome.succeeded) return;
	throw new UserError({
		code: 'checkout-failed',
		where: nameOrigin(origin),
		message: `git could not check out ${sha.slice(0, 7)}: ${outcome.stderr.trim().split('\n').at(-1) ?? outcome.ending}`,
		details: outcome.stderr.trim(),
		remedy: `repeat it by hand: ${copyCommands(origin)[0]}`,
		exitCode: EXIT.nothingMeasured,
	});
}

async function detach(session: Session, source: Source, folder: string): Promise<void> {
	if (source.kind !== 'git') return;
	await rm(join(folder, '.git'), { force: true });
	await runGit(session, source.repository, ['worktree', 'prune']);
}

async function removeCheckout(session: Session, source: Source, entry: Entry): Promise<void> {
	await removeEntry(session, entry);
	if (source.kind !== 'git') return;
	// git must run even after an abort, which ends other children.
	const undisturbed = { ...session, signal: new AbortController().signal };
	await runGit(undisturbed, source.repository, ['worktree', 'prune']);
}

function copyCommands({ side, source }: Origin): string[] {
	const copy = `../benchgate-${side}`;
	switch (source.kind) {
		case 'git':
			return [`git worktree add --detach ${copy} ${source.sha}`, `cd ${copy}`];
		case 'dir':
			return [describeCommand(['cp', '-R', source.folder, copy]), `cd ${copy}`];
		case 'npm':
		case 'file': {
			const fetch = source.kind === 'npm' ? [`npm pack ${source.label}`] : [];
			const tarball = source.kind === 'npm' ? '*.tgz' : shellWord(source.path);
			return [...fetch, `mkdir ${copy}`, `tar -xzf ${tarball} -C ${copy} --strip-components=1`, `cd ${copy}`];
		}
	}
}
