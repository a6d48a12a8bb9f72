import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { commit, type Files, git, makeFolder, openSetting, printOf, tinyTool } from './support.ts';

/** `tinyframe` in packages/core prints its own mark and that of its sibling, which no registry has. */
function workspaces(mark: string, sibling: string, root: Files): Files {
	return {
		'packages/core/package.json': {
			name: 'tinyframe',
			version: '1.0.0',
			scripts: { prepack: 'node build.js' },
			files: ['dist'],
			main: 'dist/index.js',
			dependencies: { '@benchgate-test/sibling': sibling },
		},
		'packages/core/build.js': `const fs = require('node:fs'); fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/index.js', 'module.exports = "${mark} " + require("@benchgate-test/sibling")');`,
		'packages/sibling/package.json': { name: '@benchgate-test/sibling', version: '1.0.0' },
		'packages/sibling/index.js': `module.exports = 'sibling ${mark}';`,
		'.gitignore': 'node_modules\ndist\n',
		...root,
	};
}

test('a workspace of an npm monorepo is packed with the siblings it depends on', async (t) => {
	const cwd = makeFolder(t);
	const root = { 'package.json': { private: true, workspaces: ['packages/*'] } };
	commit(cwd, 'v1', workspaces('one', '1.0.0', root));
	commit(cwd, 'v2', workspaces('two', '1.0.0', root));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny'], { subject: 'packages/core' });
	assert.equal(printOf(prepared, 'base', 'tiny'), 'one sibling one');
	assert.equal(printOf(prepared, 'head', 'tiny'), 'two sibling two');
	assert.deepEqual(prepared.warnings, []);
});

test('a pnpm monorepo is installed and packed by pnpm, which resolves workspace: versions', async (t) => {
	const cwd = makeFolder(t);
	const root = {
		'package.json': { private: true, packageManager: 'pnpm@10.12.1' },
		'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
		'pnpm-lock.yaml': [
			"lockfileVersion: '9.0'",
			'importers:',
			'  .: {}',
			'  packages/core:',
			'    dependencies:',
			"      '@benchgate-test/sibling':",
			"        specifier: 'workspace:*'",
			'        version: link:../sibling',
			'  packages/sibling: {}',
			'',
		].join('\n'),
	};
	commit(cwd, 'v1', workspaces('one', 'workspace:*', root));
	commit(cwd, 'v2', workspaces('two', 'workspace:*', root));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny'], { subject: 'packages/core' });
	assert.equal(printOf(prepared, 'base', 'tiny'), 'one sibling one');
	assert.equal(printOf(prepared, 'head', 'tiny'), 'two sibling two');
	assert.ok(
		setting.steps.some((step) => /pnpm(@10\.12\.1)? install --frozen-lockfile$/.test(step)),
		setting.steps.join('\n'),
	);
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
});

for (const [name, packageManager, spec] of [
	['Yarn 1', 'yarn@1.22.22', 'yarn@1.22.22'],
	['Yarn 4', 'yarn@4.9.2', '@yarnpkg/cli-dist@4.9.2'],
] as const) {
	test(`a package of ${name} is installed and packed by it, prepare honoured`, async (t) => {
		const scripts = { prepare: 'node build.js' };
		const cwd = makeFolder(t, {
			'package.json': {
				name: 'tinyframe',
				version: '1.0.0',
				packageManager,
				main: 'dist.js',
				files: ['dist.js'],
				scripts,
			},
			'build.js': `require('node:fs').writeFileSync('dist.js', 'module.exports = "built"');`,
			'.gitignore': 'dist.js\nnode_modules\n.yarn\n.pnp.*\n',
			'yarn.lock': '',
		});
		// Where CI is set, Yarn 4 refuses to write the lockfile this folder does not have yet.
		const env = { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };
		execFileSync('npm', ['exec', '--yes', `--package=${spec}`, '--', 'yarn', 'install'], { cwd, env, stdio: 'pipe' });
		commit(cwd, 'v1', {});
		const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
		const prepared = await setting.prepare('v1', 'v1', ['tiny']);
		assert.equal(printOf(prepared, 'base', 'tiny'), 'built');
		assert.ok(
			setting.steps.some((step) => /install --(frozen-lockfile|immutable)$/.test(step)),
			setting.steps.join('\n'),
		);
	});
}
