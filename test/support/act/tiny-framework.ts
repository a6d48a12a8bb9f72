/**
 * A framework of twenty lines in a real git repository, with head branches of known differences.
 *
 *     first ── root ── base ── tip   (main; base is the merge base of every head)
 *                        └── equal, idle, slower, broken, crashing, docs, unbuildable, spying, adopting
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const HEADS = [
	'equal',
	'idle',
	'slower',
	'broken',
	'crashing',
	'docs',
	'unbuildable',
	'spying',
	'adopting',
] as const;
export type Head = (typeof HEADS)[number];

export interface TinyFramework {
	readonly folder: string;
	/** Merge base of every head. */
	readonly base: string;
	/** Parent of base. */
	readonly root: string;
	/** Tip of main, a child of base. */
	readonly tip: string;
	readonly heads: Readonly<Record<Head, string>>;
	/** As GitHub checks out a pull request: head merged into main. */
	readonly merges: Readonly<Record<Head, string>>;
}

/**
 * Bytes hashed per request on base: about three times the cost of node:http. Native code, because the speed of a
 * JavaScript loop changes with optimisation.
 */
const WORK = 60_000;
/** An eighth of the throughput: decided at the first look even on crowded CPUs. */
const SLOWER_WORK = 600_000;

const framework = ({
	work = WORK,
	answer = 'routes[request.url]',
	version = '1',
} = {}) => `import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const table = Buffer.alloc(${work}, 'tiny');

/** Burns CPU time: what this framework calls routing. */
function route() {
	return createHash('sha512').update(table).digest();
}

/** No request calls it. */
export function version() {
	return ${version};
}

export function tiny(routes) {
	return createServer((request, response) => {
		route();
		const body = JSON.stringify(${answer});
		response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
		response.end(body);
	});
}
`;

const server = (first = '') => `import { tiny } from '../lib/tiny.mjs';
${first}
tiny({ '/hello': { ok: true } }).listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;

/** Records the variables of this process and of every readable one. */
const SPY = `const { appendFileSync, readdirSync, readFileSync } = await import('node:fs');
const seen = [JSON.stringify(process.env)];
for (const name of readdirSync('/proc')) {
	if (!/^[0-9]+$/.test(name)) continue;
	for (const file of ['environ', 'cmdline']) {
		try {
			seen.push('/proc/' + name + '/' + file + ': ' + readFileSync('/proc/' + name + '/' + file, 'latin1'));
		} catch {}
	}
}
appendFileSync(process.env.HOME + '/spied.txt', seen.join('\\n') + '\\n');
`;

export const CONFIG = `subject: .
prepare: node build.mjs
servers:
  - name: tiny
    command: node server.mjs
    cwd: bench
    ready: { path: /hello, timeout: 30s }
scenarios:
  - name: hello
    request: { method: GET, path: /hello }
    expect: { status: 200, json: { ok: true } }
    load: { connections: 4, pipelining: 1 }
threshold: 30%
budget: 1s
warmup: 200ms
seed: 7
`;

const BASE_FILES = {
	'package.json': `${JSON.stringify({ name: 'tiny-framework', version: '1.0.0', type: 'module', exports: './lib/tiny.mjs', files: ['lib'] }, null, 2)}\n`,
	'build.mjs': "await import('./lib/tiny.mjs');\n",
	'lib/tiny.mjs': framework(),
	'bench/server.mjs': server(),
	'benchgate.yml': CONFIG,
	'docs/guide.md': 'How to be tiny.\n',
};

const CHANGES: Readonly<Record<Head, Readonly<Record<string, string>>>> = {
	equal: { 'lib/tiny.mjs': framework().replace('createHash(', 'createHash.call(null, ') },
	idle: { 'lib/tiny.mjs': framework({ version: '2' }) },
	slower: { 'lib/tiny.mjs': framework({ work: SLOWER_WORK }) },
	broken: { 'lib/tiny.mjs': framework({ answer: '{ ok: false }' }) },
	crashing: { 'bench/server.mjs': server("throw new Error('left-pad is gone');") },
	docs: { 'docs/guide.md': 'How to be tiny, in other words.\n' },
	unbuildable: { 'lib/tiny.mjs': 'export function tiny( {\n' },
	spying: { 'build.mjs': SPY, 'bench/server.mjs': server(SPY), 'lib/tiny.mjs': framework({ work: SLOWER_WORK }) },
	adopting: { 'own.yml': CONFIG },
};

/** Creates the repository in a new `folder`. */
export function makeTinyFramework(folder: string): TinyFramework {
	mkdirSync(folder, { recursive: true });
	const git = (...args: string[]) => runGit(folder, ...args);
	const commit = (message: string, files: Readonly<Record<string, string>>) => commitFiles(folder, message, files);
	git('init', '--quiet', '--initial-branch=main');
	const root = commit('Begin', { ...BASE_FILES, 'docs/guide.md': 'To be written.\n' });
	const base = commit('Write the guide', BASE_FILES);
	const tip = commit('Add notes', { 'docs/notes.md': 'Notes.\n' });
	const branch = (head: Head): readonly [Head, string, string] => {
		git('checkout', '--quiet', '-b', head, base);
		const sha = commit(`Make it ${head}`, CHANGES[head]);
		git('checkout', '--quiet', '--detach', tip);
		git('merge', '--quiet', '--no-ff', '--message', `Merge ${head}`, sha);
		return [head, sha, git('rev-parse', 'HEAD')];
	};
	const branches = HEADS.map(branch);
	// Refs keep the merge commits in clones.
	for (const [head, , merge] of branches) git('update-ref', `refs/heads/merged-${head}`, merge);
	git('checkout', '--quiet', 'main');
	return {
		folder,
		base,
		root,
		tip,
		heads: Object.fromEntries(branches.map(([head, sha]) => [head, sha])) as Record<Head, string>,
		merges: Object.fromEntries(branches.map(([head, , merge]) => [head, merge])) as Record<Head, string>,
	};
}

/** Writes files into a repository, commits all of it, and returns the commit. */
export function commitFiles(folder: string, message: string, files: Readonly<Record<string, string>>): string {
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	runGit(folder, 'add', '--all');
	runGit(folder, 'commit', '--quiet', '--message', message);
	return runGit(folder, 'rev-parse', 'HEAD');
}

/** Runs git with a fixed identity and clock, without the user's configuration; returns stdout. */
export function runGit(folder: string, ...args: string[]): string {
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		GIT_CONFIG_GLOBAL: '/dev/null',
		GIT_CONFIG_SYSTEM: '/dev/null',
		GIT_AUTHOR_NAME: 'Tiny',
		GIT_AUTHOR_EMAIL: 'tiny@example.invalid',
		GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
		GIT_COMMITTER_NAME: 'Tiny',
		GIT_COMMITTER_EMAIL: 'tiny@example.invalid',
		GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
	};
	return execFileSync('git', args, { cwd: folder, encoding: 'utf8', env }).trim();
}
