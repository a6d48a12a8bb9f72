import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
	type CachePlanOptions,
	type CacheStore,
	planCache,
	restoreInstalls,
	saveInstalls,
} from '../../../src/action/services/install-cache.ts';
import { commit, makeFolder, openSetting, printOf, tinyFramework, tinyTool } from '../../prepare/support.ts';

const OPTIONS: CachePlanOptions = {
	cacheFolder: '/cache',
	toolVersion: '1.2.3',
	nodeVersion: 'v24.1.0',
	platform: 'linux',
	arch: 'x64',
	installs: { servers: { express: 'digest' }, subject: '.' },
	base: 'git:aaaa',
	eventName: 'pull_request',
	revisionsGiven: false,
	fromFork: false,
	startedAt: 0,
};

/** A cache service in a folder: one folder for each key, newest last, never overwritten, as GitHub's. */
function folderStore(t: TestContext): CacheStore & { readonly keys: string[] } {
	const folder = makeFolder(t);
	const keys: string[] = [];
	return {
		keys,
		async restore(paths, key, restoreKeys) {
			const matches = [key, ...restoreKeys].map((wanted) => keys.findLast((name) => name.startsWith(wanted)));
			const hit = matches.find((name) => name !== undefined);
			for (const path of hit === undefined ? [] : paths) {
				cpSync(join(folder, hit ?? '', basename(path)), path, { recursive: true, preserveTimestamps: true });
			}
			return hit;
		},
		async save(paths, key) {
			if (keys.includes(key)) return;
			keys.push(key);
			for (const path of paths) {
				cpSync(path, join(folder, key, basename(path)), { recursive: true, preserveTimestamps: true });
			}
		},
	};
}

const silent = { step: () => {} };

test('the next run has the packages of one run without installing, in another folder of the same name', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'v2', tinyFramework('2.0.0'));
	commit(cwd, 'v3', tinyFramework('3.0.0'));
	const [toolRoot, store, cacheFolder] = [tinyTool(t), folderStore(t), join(makeFolder(t), 'cache')];
	const run = async (head: string) => {
		rmSync(cacheFolder, { recursive: true, force: true });
		const plan = planCache({ ...OPTIONS, cacheFolder, base: 'v1', startedAt: Date.now() });
		const { key } = await restoreInstalls(store, plan);
		const setting = await openSetting(t, { cwd, toolRoot, cacheFolder });
		const prepared = await setting.prepare('v1', head, ['tiny']);
		assert.equal(printOf(prepared, 'base', 'tiny'), '1.0.0');
		assert.equal(await saveInstalls(store, plan, key, silent), null);
		return { installs: prepared.installs, key };
	};
	assert.deepEqual(await run('v2'), { installs: 2, key: undefined });
	const [key] = store.keys;
	assert.deepEqual(await run('v2'), { installs: 0, key });
	assert.deepEqual(await run('v3'), { installs: 1, key });
	assert.equal(store.keys.length, 1);
});

test('keys depend on versions, platform and installs; another base restores the newest entry', () => {
	const plan = planCache(OPTIONS);
	assert.match(plan.key, /^benchgate-1\.2\.3-linux-x64-node24-[0-9a-f]{16}-[0-9a-f]{16}$/);
	assert.deepEqual(plan.paths, [join('/cache', 'tarballs'), join('/cache', 'workspaces')]);
	assert.ok(plan.key.startsWith(plan.restoreKeys[0] ?? 'none'));
	const other = planCache({ ...OPTIONS, base: 'git:bbbb' });
	assert.notEqual(other.key, plan.key);
	assert.deepEqual(other.restoreKeys, plan.restoreKeys);
	for (const change of [
		{ toolVersion: '1.2.4' },
		{ nodeVersion: 'v22.1.0' },
		{ platform: 'darwin' },
		{ arch: 'arm64' },
		{ installs: { servers: { express: 'other' }, subject: '.' } },
	]) {
		assert.notDeepEqual(planCache({ ...OPTIONS, ...change }).restoreKeys, plan.restoreKeys, JSON.stringify(change));
	}
});

test("runs that may execute strangers' code in the scope of the default branch never save", async (t) => {
	const cacheFolder = filledCache(t);
	const trial = async (given: Partial<CachePlanOptions>) => {
		const store = folderStore(t);
		const plan = planCache({ ...OPTIONS, cacheFolder, ...given });
		assert.equal(await saveInstalls(store, plan, undefined, silent), null);
		return store.keys.length;
	};
	for (const eventName of ['issue_comment', 'workflow_run', 'pull_request_target', 'merge_group', 'anything']) {
		assert.equal(await trial({ eventName }), 0, eventName);
	}
	for (const eventName of ['push', 'schedule', 'workflow_dispatch']) {
		assert.equal(await trial({ eventName, revisionsGiven: true }), 0, eventName);
		assert.equal(await trial({ eventName }), 1, eventName);
	}
	assert.equal(await trial({ eventName: 'pull_request', revisionsGiven: true }), 1);
});

test('entries that a stranger may have put into the cache of their pull request are neither used nor extended', async (t) => {
	const cacheFolder = filledCache(t);
	const store = folderStore(t);
	const planted = planCache({ ...OPTIONS, cacheFolder });
	assert.equal(await saveInstalls(store, planted, undefined, silent), null);
	rmSync(cacheFolder, { recursive: true });
	const plan = planCache({ ...OPTIONS, cacheFolder, fromFork: true });
	assert.equal(plan.key, planted.key);
	assert.deepEqual(await restoreInstalls(store, plan), { key: undefined, warnings: [] });
	assert.equal(existsSync(cacheFolder), false);
	mkdirSync(cacheFolder);
	cpSync(filledCache(t), cacheFolder, { recursive: true });
	const steps: string[] = [];
	const other = { ...plan, key: 'other' };
	assert.equal(await saveInstalls(store, other, undefined, { step: (text) => void steps.push(text) }), null);
	assert.deepEqual(store.keys, [planted.key]);
	assert.match(steps[0] ?? '', /not cached: a pull request from a fork/);
});

test('only complete entries that this run used are saved, and nothing that is too large', async (t) => {
	const cacheFolder = filledCache(t);
	const workspaces = join(cacheFolder, 'workspaces');
	const store = folderStore(t);
	const startedAt = Date.now() - 60_000;
	assert.equal(await saveInstalls(store, planCache({ ...OPTIONS, cacheFolder, startedAt }), undefined, silent), null);
	assert.deepEqual(readdirSync(workspaces).sort(), ['used', 'used.json']);
	assert.equal(store.keys.length, 1);

	writeFileSync(join(workspaces, 'used/large'), '');
	truncateSync(join(workspaces, 'used/large'), 401 * 1024 * 1024);
	const steps: string[] = [];
	const plan = planCache({ ...OPTIONS, cacheFolder, startedAt, base: 'other' });
	assert.equal(await saveInstalls(store, plan, undefined, { step: (text) => void steps.push(text) }), null);
	assert.equal(store.keys.length, 1);
	assert.match(steps[0] ?? '', /401 MB are more than 400 MB/);
});

test('a service that fails is a warning, and half of an entry is removed', async (t) => {
	const cacheFolder = filledCache(t);
	const broken: CacheStore = {
		restore: () => Promise.reject(new Error('connection reset')),
		save: () => Promise.reject(new Error('quota exceeded')),
	};
	const plan = planCache({ ...OPTIONS, cacheFolder });
	const saved = await saveInstalls(broken, plan, undefined, silent);
	assert.match(saved?.message ?? '', /could not be saved.*quota exceeded/);
	const restored = await restoreInstalls(broken, plan);
	assert.equal(restored.key, undefined);
	assert.deepEqual(
		restored.warnings.map(({ code }) => code),
		['cache-unavailable'],
	);
	assert.equal(existsSync(join(cacheFolder, 'workspaces')), false);
	assert.equal(existsSync(join(cacheFolder, 'checkouts')), true);
});

test('a service that never answers is abandoned with a warning', async (t) => {
	const plan = planCache({ ...OPTIONS, cacheFolder: filledCache(t) });
	const store: CacheStore = { restore: async () => undefined, save: () => new Promise(() => {}) };
	const warning = await saveInstalls(store, plan, undefined, silent, 10);
	assert.equal(warning?.code, 'cache-unavailable');
	assert.match(warning?.message ?? '', /could not be saved.*had not taken them after 0\.01 s/);
});

/** A cache with an entry used now, one used long ago, an incomplete one, and a checkout. */
function filledCache(t: TestContext): string {
	const folder = makeFolder(t);
	const workspaces = join(folder, 'workspaces');
	for (const name of ['used', 'unused', 'incomplete', 'locked.lock'])
		mkdirSync(join(workspaces, name), { recursive: true });
	mkdirSync(join(folder, 'checkouts'));
	mkdirSync(join(folder, 'tarballs'));
	for (const name of ['used', 'unused']) writeFileSync(join(workspaces, `${name}.json`), '{}');
	writeFileSync(join(workspaces, 'used/server.mjs'), 'x');
	writeFileSync(join(workspaces, 'used.log'), 'x');
	const long = new Date(Date.now() - 3_600_000);
	utimesSync(join(workspaces, 'unused.json'), long, long);
	return folder;
}
