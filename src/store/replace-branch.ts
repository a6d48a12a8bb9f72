/** Replaces a branch by one commit without history. */
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../types/errors.ts';
import type { BranchOptions } from './store.ts';
import {
	commitTree,
	fetchTip,
	listBranches,
	type NewFile,
	openPrivateRepository,
	type PrivateRepository,
	pushOver,
	type Remote,
} from './store-git.ts';

const PATIENCE_SECONDS = 120;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;

/** Matches git's messages when the branch has moved. */
const OTHER_WRITER = /stale info|fetch first|failed to (?:lock|update) ref|cannot lock ref/i;

export interface ReplaceOptions extends Pick<BranchOptions, 'branch' | 'author' | 'patience' | 'random'> {
	readonly message: string;
	/** If the branch lacks one of these files, it is for something else, and is left alone. */
	readonly ours: readonly string[];
	/** Files of others that stay, such as GitHub's with a domain's name. */
	readonly kept: readonly string[];
}

export type Replaced = { readonly kind: 'published' | 'same' } | { readonly kind: 'refused'; readonly why: string };

/**
 * Replaces the content of a branch by the files that `make` returns, in one commit without history. If another writer
 * was first, calls `make` again. Returns refusals by git; throws errors of `make`.
 */
export async function replaceBranch(
	remote: Remote,
	options: ReplaceOptions,
	make: () => Promise<readonly NewFile[]>,
): Promise<Replaced> {
	const deadline = performance.now() + 1000 * (options.patience ?? PATIENCE_SECONDS);
	const { random = Math.random } = options;
	for (let tries = 1; ; tries++) {
		const files = await make();
		const tried = await tryOnce(remote, options, files);
		if (tried.kind !== 'refused' || !tried.again) return tried;
		const wait = random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(tries, 20));
		if (performance.now() + wait > deadline) return { kind: 'refused', why: tried.why };
		await delay(wait, undefined, remote.signal && { signal: remote.signal });
	}
}

type Tried = Replaced & { readonly again?: boolean };

async function tryOnce(remote: Remote, options: ReplaceOptions, files: readonly NewFile[]): Promise<Tried> {
	const { branch, author, message } = options;
	await using repository = await openPrivateRepository(remote);
	let tip: string | undefined;
	try {
		tip = (await listBranches(repository, remote, [branch])).get(branch);
	} catch (error) {
		if (remote.signal?.aborted || !(error instanceof UserError)) throw error;
		return { kind: 'refused', why: `${remote.name} could not be reached`, again: true };
	}
	if (tip !== undefined && !(await fetchTip(repository, branch, 'names'))) {
		return { kind: 'refused', why: `${branch} moved`, again: true };
	}
	const there = tip === undefined ? null : await blobsAtTop(repository, branch);
	if (there !== null && !options.ours.every((path) => there.has(path))) {
		return { kind: 'refused', why: `the branch ${branch} holds something else` };
	}
	const kept = options.kept.flatMap((path) => {
		const blob = there?.get(path);
		return blob === undefined ? [] : [{ path, blob }];
	});
	const commit = await commitTree(repository, { parent: null, message, author, added: [...files, ...kept] });
	if (tip !== undefined && (await treeOf(repository, commit)) === (await treeOf(repository, `refs/tips/${branch}`))) {
		return { kind: 'same' };
	}
	const { ok, stdout, stderr } = await pushOver(repository, { branch, commit, instead: tip ?? null });
	if (ok) return { kind: 'published' };
	const gitOutput = `${stdout}\n${stderr}`;
	return { kind: 'refused', why: reasonIn(gitOutput), again: OTHER_WRITER.test(gitOutput) };
}

async function blobsAtTop(repository: PrivateRepository, branch: string): Promise<ReadonlyMap<string, string>> {
	const listed = await repository.must(['ls-tree', '-z', '--full-tree', `refs/tips/${branch}`]);
	return new Map(
		listed.split('\0').flatMap((line) => {
			const [, blob, name] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
			return blob && name ? [[name, blob] as const] : [];
		}),
	);
}

async function treeOf(repository: PrivateRepository, commit: string): Promise<string> {
	return (await repository.must(['rev-parse', `${commit}^{tree}`])).trim();
}

function reasonIn(gitOutput: string): string {
	const lines = gitOutput.split('\n').map((line) => line.replace(/^remote:\s*|^error:\s*|^!\s*/, '').trim());
	return lines.find((line) => /reject|refus|denied|fail|fatal|protected/i.test(line)) ?? 'git refused the push';
}
