import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildEnvironment } from '../../src/prepare/build/build-environment.ts';
import { prepareChanged, type Unchanged } from '../../src/prepare/content/prepare-changed.ts';
import type { PrepareContext, Session } from '../../src/prepare/prepare-context.ts';
import { prepareSides } from '../../src/prepare/prepare-sides.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import type { Config, CustomServer, ServerSpec } from '../../src/types/config.ts';
import { isUserError, type UserError } from '../../src/types/errors.ts';
import type { Prepared } from '../../src/types/prepared.ts';
import type { Janitor } from '../../src/types/run-services.ts';

/** This repository: contains the real `servers/`. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** Files by path; the content is text or a document written as JSON. */
export type Files = Readonly<Record<string, unknown>>;

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'init.defaultBranch=main'];

/** Returns a new folder that is removed after the test. */
export function makeFolder(t: { after(work: () => void): void }, files: Files = {}): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-prepare-')));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
	writeFiles(folder, files);
	return folder;
}

export function writeFiles(folder: string, files: Files): void {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
	}
}

export function git(folder: string, ...args: string[]): string {
	return execFileSync('git', [...IDENTITY, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Writes the files into a repository (made when needed), commits them, and tags the commit. */
export function commit(folder: string, tag: string, files: Files): string {
	writeFiles(folder, files);
	if (!existsSync(join(folder, '.git'))) git(folder, 'init', '--quiet');
	git(folder, 'add', '--all');
	// Its output names the commit: hundreds of tests need no process for the hash, nor one for the tag.
	const made = git(folder, '-c', 'core.abbrev=no', 'commit', '--allow-empty', '-m', tag);
	const [hash] = /(?<= )[0-9a-f]{40}(?=\])/.exec(made) ?? [];
	assert.ok(hash, made);
	writeFiles(folder, { [`.git/refs/tags/${tag}`]: `${hash}\n` });
	return hash;
}

/** A framework of one file whose build step writes what is published. */
export function tinyFramework(version: string, extra: Record<string, unknown> = {}): Files {
	return {
		'package.json': {
			name: 'tinyframe',
			version,
			main: 'dist/index.js',
			files: ['dist'],
			scripts: { prepare: 'node build.js' },
			...extra,
		},
		'build.js': `const fs = require('node:fs'); fs.mkdirSync('dist', { recursive: true }); fs.copyFileSync('index.js', 'dist/index.js');`,
		'index.js': `module.exports = '${version}';`,
		'.gitignore': 'dist\nnode_modules\n',
	};
}

/** A tool folder whose servers need no registry. */
export function tinyTool(t: TestContext): string {
	return makeFolder(t, {
		'scenarios/README.md': '',
		'servers/tiny/package.json': { name: 'tiny', private: true, dependencies: { tinyframe: '1.0.0' } },
		'servers/tiny/server.mjs': `import tinyframe from 'tinyframe'; console.log(tinyframe);`,
		'servers/bare/package.json': { name: 'bare', private: true },
		'servers/bare/server.mjs': `console.log('bare');`,
	});
}

export interface Setting {
	readonly context: PrepareContext;
	readonly steps: string[];
	/** Prepares both sides with servers by name (built-in) or in full. */
	prepare(
		base: string,
		head: string,
		servers: readonly (string | CustomServer)[],
		config?: Partial<Config>,
	): Promise<Prepared>;
	/** The same, unless both sides are the same code. */
	prepareChanged(
		base: string,
		head: string,
		servers: readonly (string | CustomServer)[],
		config?: Partial<Config>,
	): Promise<Prepared | Unchanged>;
}

/** Returns a context with the real janitor, closed after the test, unless one is given. */
export async function openSetting(t: TestContext, parts: Partial<PrepareContext> & { cwd: string }): Promise<Setting> {
	const janitor = parts.janitor ?? (await openJanitor(t));
	const steps: string[] = [];
	const context: PrepareContext = {
		toolRoot: REPOSITORY,
		cacheFolder: makeFolder(t),
		node: realpathSync(process.execPath),
		janitor,
		progress: { step: (text) => void steps.push(text), status: () => {} },
		signal: new AbortController().signal,
		...parts,
	};
	// The catalogue of a tool folder has both, servers and scenarios.
	mkdirSync(join(context.toolRoot, 'scenarios'), { recursive: true });
	return {
		context,
		steps,
		prepare: (base, head, servers, config = {}) =>
			prepareSides({ ...configOf(servers), ...config }, { base, head }, context),
		prepareChanged: (base, head, servers, config = {}) =>
			prepareChanged({ ...configOf(servers), ...config }, { base, head }, context),
	};
}

/** Returns the real janitor, closed after the test, or after the file. */
export async function openJanitor(scope: { after(work: () => Promise<void>): void }): Promise<Janitor> {
	const janitor = await startJanitor();
	scope.after(() => janitor.close());
	return janitor;
}

export function configOf(servers: readonly (string | CustomServer)[]): Config {
	return {
		subject: '.',
		servers: servers.map(
			(server): ServerSpec => (typeof server === 'string' ? { kind: 'built-in', name: server } : server),
		),
		scenarios: [],
		threshold: 0.05,
		tolerance: 0.025,
		prepareTimeoutSeconds: 900,
		budgetSeconds: 60,
		design: 'duet',
		gate: { onInconclusive: 'pass', metrics: ['throughput'] },
		seed: 1,
	};
}

export function customServer(cwd: string, command = 'node server.js'): CustomServer {
	return { kind: 'custom', name: 'api', command, cwd, env: {}, ready: { timeoutSeconds: 20 } };
}

/** Returns a session for the parts that need one. */
export function sessionOf(setting: Setting): Session {
	const { context } = setting;
	return {
		...context,
		config: configOf([]),
		environment: buildEnvironment(context),
		nodeVersion: process.versions.node,
		platform: 'test',
		withheld: [],
		warnings: [],
		ranApart: new Set(),
	};
}

/** Returns the UserError the work ends with. */
export async function userError(work: Promise<unknown>): Promise<UserError> {
	try {
		await work;
	} catch (error) {
		if (isUserError(error)) return error;
		throw error;
	}
	assert.fail('expected a UserError');
}

/** Runs a prepared server to its end and returns what it prints. */
export function printOf(prepared: Prepared, side: 'base' | 'head', name: string): string {
	const server = prepared.sides[side].servers[name];
	assert.ok(server, `no server ${name} in ${side}`);
	const argv = 'argv' in server.run ? server.run.argv : ['/bin/sh', '-c', server.run.shell];
	return execFileSync(argv[0] ?? '', argv.slice(1), { cwd: server.cwd, encoding: 'utf8' }).trim();
}

/** Sets variables of this process for the length of a test. */
export function setEnvironment(t: TestContext, variables: Readonly<Record<string, string>>): void {
	const kept = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
	Object.assign(process.env, variables);
	t.after(() => {
		for (const [name, value] of Object.entries(kept)) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	});
}

/** A registry without a listener, and an empty npm cache: no network. */
export function cutNetwork(t: TestContext): void {
	setEnvironment(t, {
		npm_config_registry: 'http://127.0.0.1:9/',
		npm_config_cache: makeFolder(t),
		npm_config_fetch_retries: '0',
	});
}
