import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { commit, git, makeFolder, openSetting, printOf, tinyTool } from './support.ts';
import { workspaces } from './workspaces.ts';

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
	test(`a package of ${name} is installed and packed by it, including its prepare script`, async (t) => {
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
		// With CI set, Yarn 4 refuses to write the lockfile that this folder lacks.
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
