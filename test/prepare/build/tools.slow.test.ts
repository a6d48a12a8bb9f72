import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commit, type Files, makeFolder, openSetting, printOf, tinyTool, userError } from '../support.ts';
import { lock, unbuiltWorkspaces } from './repositories.ts';

/** Repositories whose packages are built from the top: the tool, its version, the script of the top, and its files. */
const tools: readonly (readonly [string, string, string, Files])[] = [
	[
		'turbo',
		'2.5.8',
		'turbo run compile',
		{ 'turbo.json': { tasks: { compile: { dependsOn: ['^compile'], outputs: ['dist/**'] } } } },
	],
	// Lerna runs scripts through nx and its daemon.
	[
		'lerna',
		'8.2.4',
		'lerna run compile',
		{
			'lerna.json': { version: '1.0.0', packages: ['packages/*'] },
			'nx.json': {
				targetDefaults: { compile: { dependsOn: ['^compile'], cache: true, outputs: ['{projectRoot}/dist'] } },
			},
		},
	],
];

for (const [name, version, build, toolFiles] of tools) {
	test(`a monorepo of ${name} is built from its top, and none of its daemons remains`, async (t) => {
		const root: Files = {
			'package.json': {
				name: 'monorepo',
				private: true,
				packageManager: 'npm@10.9.2',
				workspaces: ['packages/*'],
				scripts: { build },
				devDependencies: { [name]: version },
			},
			...toolFiles,
		};
		const cwd = makeFolder(t, unbuiltWorkspaces('one', '1.0.0', root, 'compile'));
		lock(cwd, 'npm', 'install', '--package-lock-only');
		commit(cwd, 'v1', {});
		const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
		const prepared = await setting.prepare('v1', 'v1', ['tiny'], { subject: 'packages/core' });
		assert.equal(printOf(prepared, 'head', 'tiny'), 'one sibling one');
		assert.equal(prepared.sides.head.info.built?.command, 'npm run build');
		// Workers of these tools may outlive the build for a moment: they are ended, and named.
		assert.deepEqual(
			prepared.warnings.filter(({ code }) => code !== 'left-behind'),
			[],
		);
		for (const folder of ['.turbo', '.nx', 'node_modules']) assert.equal(existsSync(join(cwd, folder)), false, folder);
	});
}

test('TypeScript project references are built by the script of the top', async (t) => {
	const project = (references: readonly string[]) => ({
		compilerOptions: { composite: true, module: 'commonjs', outDir: 'dist', rootDir: '.', types: [] },
		files: ['index.ts'],
		references: references.map((path) => ({ path })),
	});
	const { 'packages/core/package.json': core, 'packages/sibling/package.json': sibling } = unbuiltWorkspaces(
		'',
		'1.0.0',
		{},
	);
	const cwd = makeFolder(t, {
		'package.json': {
			private: true,
			workspaces: ['packages/*'],
			scripts: { build: 'tsc --build' },
			devDependencies: { typescript: '5.9.3' },
		},
		'tsconfig.json': { files: [], references: [{ path: 'packages/core' }] },
		'packages/core/package.json': { ...(core as object), scripts: {} },
		'packages/core/tsconfig.json': project(['../sibling']),
		'packages/core/index.ts':
			"import sibling = require('@benchgate-test/sibling');\nexport = ['core and', sibling].join(' ');\n",
		'packages/sibling/package.json': { ...(sibling as object), scripts: {} },
		'packages/sibling/tsconfig.json': project([]),
		'packages/sibling/index.ts': "export = 'sibling';\n",
		'.gitignore': 'node_modules\ndist\n*.tsbuildinfo\n',
	});
	lock(cwd, 'npm', 'install', '--package-lock-only');
	commit(cwd, 'v1', {});
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v1', ['tiny'], { subject: 'packages/core' });
	assert.equal(printOf(prepared, 'base', 'tiny'), 'core and sibling');
	assert.equal(prepared.sides.base.info.built?.command, 'npm run build');
});

test('a package manager that refuses is quoted, with a remedy', async (t) => {
	const manifest = {
		name: 'tinyframe',
		version: '1.0.0',
		packageManager: 'yarn@1.22.22',
		dependencies: { ms: '2.1.3' },
	};
	const cwd = makeFolder(t, { 'package.json': manifest });
	lock(cwd, 'yarn@1.22.22', 'yarn', 'install');
	const settings = `//registry.example/:_authToken=$\{ACME_TOKEN}\n`;
	commit(cwd, 'v1', { '.gitignore': 'node_modules\n', '.npmrc': settings });
	commit(cwd, 'v2', { '.npmrc': '', 'package.json': { ...manifest, dependencies: { ms: '2.1.2' } } });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const variable = await userError(setting.prepare('v1', 'v1', ['tiny']));
	assert.match(
		variable.message,
		/install --frozen-lockfile failed with .*Failed to replace env in config: \$\{ACME_TOKEN\}/,
	);
	assert.match(variable.remedy ?? '', /^its \.npmrc or \.yarnrc\.yml needs the variable ACME_TOKEN, /);
	const lockfile = await userError(setting.prepare('v2', 'v2', ['tiny']));
	assert.match(lockfile.message, /Your lockfile needs to be updated/);
	assert.match(lockfile.remedy ?? '', /^the lockfile of this revision does not fit its package\.json: /);
});
