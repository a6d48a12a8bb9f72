import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { type GitAccess, openGitAccess } from '../../../src/action/commits/git-access.ts';
import { startJanitor } from '../../../src/process/janitor.ts';
import type { Janitor } from '../../../src/types/run-services.ts';
import { commit, type Files, git, makeFolder } from '../../prepare/support.ts';

/** A remote as GitHub keeps it, with pull request 7 from a fork: no branch of this repository contains its commits. */
export interface Remote {
	readonly url: string;
	readonly folder: string;
	/** First commit of main, where the pull request branched off. */
	readonly root: string;
	/** Tip of main, two commits later. */
	readonly main: string;
	/** Head of the pull request, two commits after `root`. */
	readonly head: string;
	/** The merge commit of both, which `pull_request` events check out. */
	readonly merge: string;
}

/** By files: most tests of a file want the same one. */
const templates = new Map<string, Remote>();
const ends: (() => void)[] = [];
// Called in a test, it would end with that test.
after(() => ends.forEach((end) => void end()));
const wholeFile = { after: (end: () => void) => void ends.push(end) };

export function makeRemote(t: TestContext, files: Sides = {}): Remote {
	const key = JSON.stringify(files);
	const template = templates.get(key) ?? buildRemote(files);
	templates.set(key, template);
	const folder = makeFolder(t);
	cpSync(template.folder, folder, { recursive: true });
	return { ...template, url: `file://${folder}`, folder };
}

function buildRemote(files: Sides): Remote {
	const work = makeFolder(wholeFile);
	const root = commit(work, 'v1.0.0', { 'index.js': '1', ...files.base });
	commit(work, 'second', { 'docs.md': 'x' });
	const main = commit(work, 'third', { 'docs.md': 'y' });
	git(work, 'checkout', '--quiet', '-b', 'feature', root);
	commit(work, 'one', { 'index.js': '2', ...files.head });
	const head = commit(work, 'two', { 'index.js': '3' });
	git(work, 'checkout', '--quiet', '--detach', main);
	git(work, 'merge', '--quiet', '-m', 'merge', head);
	const merge = git(work, 'rev-parse', 'HEAD');

	const folder = makeFolder(wholeFile);
	git(folder, 'init', '--quiet', '--bare');
	const refs = [
		`${main}:refs/heads/main`,
		`${head}:refs/pull/7/head`,
		`${merge}:refs/pull/7/merge`,
		`${root}:refs/tags/v1.0.0`,
	];
	git(work, 'push', '--quiet', folder, ...refs);
	git(folder, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
	return { url: `file://${folder}`, folder, root, main, head, merge };
}

interface Sides {
	readonly base?: Files;
	readonly head?: Files;
}

/** Returns a folder as actions/checkout leaves it: one commit, fetched by hash, without branches and tags. */
export function checkOut(t: TestContext, remote: Remote, sha = remote.merge, depth: string[] = ['--depth=1']): string {
	const folder = makeFolder(t);
	git(folder, 'init', '--quiet');
	git(folder, 'remote', 'add', 'origin', remote.url);
	git(folder, 'fetch', '--quiet', '--no-tags', ...depth, 'origin', `+${sha}:refs/remotes/pull/7/merge`);
	git(folder, 'checkout', '--quiet', '--force', 'refs/remotes/pull/7/merge');
	return folder;
}

export interface OpenAccess extends GitAccess {
	readonly steps: string[];
}

/** One per file: starting its processes takes longer than most git commands. */
let janitor: Promise<Janitor> | null = null;
after(async () => (await janitor)?.close());

/** Returns access to a workspace, with the real janitor, closed after the file. */
export async function openAccess(workspace: string, given: Partial<GitAccess> = {}): Promise<OpenAccess> {
	janitor ??= startJanitor();
	const steps: string[] = [];
	const access = openGitAccess({
		runner: { workspace, serverUrl: 'https://github.com' },
		token: '',
		janitor: await janitor,
		progress: { step: (text) => void steps.push(text), status: () => {} },
		signal: new AbortController().signal,
	});
	return { ...access, ...given, steps };
}

/** The user-visible state of a repository. */
export function visibleState(folder: string): string {
	const show = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
	const fetchHead = execFileSync('cat', ['.git/FETCH_HEAD'], { cwd: folder, encoding: 'utf8' });
	return [
		show('for-each-ref'),
		show('rev-parse', 'HEAD'),
		show('status', '--porcelain', '--ignored'),
		show('config', '--list', '--local'),
		fetchHead,
	].join('\n');
}
