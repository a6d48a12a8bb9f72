/** The comparison of commits of a real repository by sources alone. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareSources } from '../../../src/prepare/content/compare-sources.ts';
import type { Config, CustomServer } from '../../../src/types/config.ts';
import { commit, configOf, customServer, type Files, git, makeFolder, openSetting } from '../support.ts';

const bench = (name: string, reads: readonly string[]): CustomServer => ({
	...customServer(`packages/${name}`),
	name,
	reads,
});
const API = bench('api', ['packages/api']);
const WEB = bench('web', ['packages/web', 'packages/shared']);

const WORKSPACE: Files = {
	'package.json': { name: 'root', private: true, workspaces: ['packages/*'] },
	'packages/api/package.json': { name: 'api' },
	'packages/api/server.js': '1',
	'packages/web/package.json': { name: 'web', dependencies: { shared: '*' } },
	'packages/web/server.js': '1',
	'packages/shared/package.json': { name: 'shared' },
	'packages/shared/index.js': '1',
};
/** Changes on top of it, each in its own commit. */
const CHANGES: Readonly<Record<string, Files>> = {
	api: { 'packages/api/server.js': '2' },
	shared: { 'packages/shared/index.js': '2' },
	other: { 'packages/other/index.js': '2' },
	readme: { 'README.md': '2' },
};

const TWO_RUNTIMES = {
	baseRuntime: { name: 'node', version: '22' },
	headRuntime: { name: 'node', version: '24' },
} as const;

test('servers of a workspace', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', WORKSPACE);
	for (const [name, files] of Object.entries(CHANGES)) {
		git(cwd, 'checkout', '--quiet', 'v1');
		commit(cwd, name, files);
	}
	git(cwd, 'checkout', '--quiet', 'v1');
	symlinkSync('../api', join(cwd, 'packages/web/lib'));
	commit(cwd, 'link', {});
	commit(cwd, 'linked', CHANGES.api ?? {});
	const { context, steps } = await openSetting(t, { cwd });
	const compare = async (base: string, head: string, servers = [API, WEB], config: Partial<Config> = {}) => {
		const outcome = await compareSources({ ...configOf(servers), ...config }, { base, head }, context);
		const warnings = outcome.warnings.map(({ code, message }) => `${code}: ${message}`);
		return { sameCode: outcome.sameCode, unchanged: outcome.unchanged !== null, warnings };
	};
	const alike = (...sameCode: string[]) => ({ sameCode, unchanged: false, warnings: [] });

	await t.test('that read no changed file are listed, between commits and with a folder', async () => {
		assert.deepEqual(await compare('v1', 'api'), alike('web'));
		assert.deepEqual(await compare('v1', 'shared'), alike('api'));
		assert.deepEqual(await compare('linked', 'dir:.', [API]), { ...alike(), unchanged: true });
		assert.deepEqual(await compare('link', 'dir:.', [API, bench('shared', ['packages/shared'])]), alike('shared'));
		assert.deepEqual(await compare('v1', 'other'), { ...alike(), unchanged: true });
		assert.equal(steps.at(-1), 'Both sides are the same code: nothing to measure');
	});

	await t.test('are all measured without `reads`, and on two runtimes', async () => {
		const silent = [API, WEB].map(({ reads: _, ...server }) => server);
		assert.deepEqual(await compare('v1', 'api', silent), alike());
		for (const head of ['api', 'readme']) {
			assert.deepEqual(await compare('v1', head, [API, WEB], TWO_RUNTIMES), alike());
		}
		assert.deepEqual(await compare('v1', 'readme'), { ...alike(), unchanged: true });
	});

	const doubts: readonly (readonly [string, string, string, CustomServer, RegExp])[] = [
		[
			'a folder that is not there',
			'v1',
			'api',
			bench('web', ['packages/wbe']),
			/there is no packages\/wbe on both sides\.$/,
		],
		['a link', 'link', 'linked', WEB, /packages\/web\/lib is a link\.$/],
		[
			'a package that one depends on and that is not named',
			...(['v1', 'api', bench('web', ['packages/web'])] as const),
			/packages\/web depends on packages\/shared, which reads does not name\.$/,
		],
	];
	for (const [label, base, head, web, warning] of doubts) {
		await t.test(`are measured in doubt: ${label}`, async () => {
			const { warnings, ...outcome } = await compare(base, head, [API, web]);
			assert.deepEqual({ ...outcome, warnings: [] }, alike());
			assert.equal(warnings.length, 1);
			assert.match(warnings[0] ?? '', /^reads-incomplete: Server web is measured, although/);
			assert.match(warnings[0] ?? '', warning);
		});
	}
});
