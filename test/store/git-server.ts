import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Remote } from '../../src/store/store-git.ts';

const IDENTITY = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'init.defaultBranch=main'];
const PATIENCE_MS = 20_000;

type CommittedFiles = Readonly<Record<string, string | Uint8Array>>;

/** A real git server on loopback, with one repository that has a commit on main. */
export interface GitServer {
	readonly remote: Remote;
	/** The bare repository behind it. */
	readonly folder: string;
	/** Runs git in the bare repository and returns what it prints. */
	git(...args: readonly string[]): string;
	/** Replaces a hook by a script, or removes it if null. */
	hook(name: string, script: string | null): void;
	/** Commits files to a branch as another writer would, with force. */
	commit(branch: string, files: CommittedFiles, options?: { readonly orphan?: boolean }): void;
}

/** Starts the server; ends it and removes its files after the test. `write: false` refuses every push. */
export async function startGitServer(t: TestContext, { write = true } = {}): Promise<GitServer> {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-git-'));
	t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
	const folder = join(root, 'project.git');
	template ??= makeTemplate();
	cpSync(template, folder, { recursive: true });
	const port = await freePort();
	const flags = [
		'--reuseaddr',
		'--listen=127.0.0.1',
		`--port=${port}`,
		`--base-path=${root}`,
		'--export-all',
		'--max-connections=0',
	];
	const daemon = spawn('git', ['daemon', ...flags, ...(write ? ['--enable=receive-pack'] : [])], {
		stdio: 'ignore',
		detached: true,
	});
	t.after(() => {
		try {
			process.kill(-(daemon.pid ?? 0), 'SIGKILL');
		} catch {}
	});
	const url = `git://127.0.0.1:${port}/project.git`;
	const server: GitServer = {
		folder,
		remote: {
			url,
			name: 'origin',
			cacheFolder: join(root, 'cache'),
			environment: { PATH: process.env.PATH, HOME: root },
			janitor: { guardDirectory: () => () => {} },
		},
		git: (...args) => run(folder, ...args).trim(),
		hook(name, script) {
			const file = join(folder, 'hooks', name);
			rmSync(file, { force: true });
			if (script !== null) writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
		},
		commit: (branch, files, { orphan = false } = {}) => commitTo(folder, root, branch, files, orphan),
	};
	await untilItAnswers(url);
	return server;
}

function run(cwd: string, ...args: readonly string[]): string {
	return execFileSync('git', [...IDENTITY, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Copied by each test: making it takes nine processes. */
let template: string | null = null;
after(() => template === null || rmSync(join(template, '..'), { recursive: true, force: true }));

function makeTemplate(): string {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-git-'));
	const folder = join(root, 'project.git');
	run(root, 'init', '--quiet', '--bare', folder);
	run(folder, 'config', 'uploadpack.allowFilter', 'true');
	commitTo(folder, root, 'main', { 'README.md': 'A project\n' });
	return folder;
}

/** Commits files to a branch of a bare repository, with force; `room` is a folder for the work tree. */
function commitTo(folder: string, room: string, branch: string, files: CommittedFiles, orphan = false): void {
	const work = mkdtempSync(join(room, 'work-'));
	run(work, 'init', '--quiet');
	const exists = !orphan && run(folder, 'branch', '--list', branch).trim() !== '';
	if (exists) run(work, 'pull', '--quiet', folder, branch);
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(join(work, path, '..'), { recursive: true });
		writeFileSync(join(work, path), text);
	}
	run(work, 'add', '--all');
	run(work, 'commit', '--quiet', '--message', 'Somebody else');
	run(work, 'push', '--quiet', '--force', folder, `HEAD:refs/heads/${branch}`);
}

async function untilItAnswers(url: string): Promise<void> {
	const due = performance.now() + PATIENCE_MS;
	for (;;) {
		try {
			execFileSync('git', ['ls-remote', url], { stdio: 'ignore' });
			return;
		} catch (error) {
			if (performance.now() > due) throw error;
			await delay(50);
		}
	}
}

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const probe = createServer().on('error', reject);
		probe.listen(0, '127.0.0.1', () => {
			const address = probe.address();
			probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}
