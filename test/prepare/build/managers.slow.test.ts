import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	commit,
	customServer,
	type Files,
	git,
	makeFolder,
	openSetting,
	printOf,
	tinyTool,
	writeFiles,
} from '../support.ts';
import { lock, unbuilt, unbuiltWorkspaces } from './repositories.ts';

const WORKSPACES = { private: true, workspaces: ['packages/*'] };

/** The kind, the command for its lockfile, core's version of its sibling, and the files around them. */
const monorepos: readonly (readonly [string, readonly [string, ...string[]], string, Files])[] = [
	['npm', ['npm', 'install'], '1.0.0', { 'package.json': WORKSPACES }],
	[
		'pnpm',
		['pnpm@10.12.1', 'pnpm', 'install'],
		'workspace:^',
		{
			'package.json': { private: true, packageManager: 'pnpm@10.12.1' },
			'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
		},
	],
	[
		'Yarn 1',
		['yarn@1.22.22', 'yarn', 'install'],
		'1.0.0',
		{ 'package.json': { ...WORKSPACES, packageManager: 'yarn@1.22.22' } },
	],
	[
		'Yarn 4 with node_modules',
		['@yarnpkg/cli-dist@4.9.2', 'yarn', 'install'],
		'workspace:^',
		{
			'package.json': { ...WORKSPACES, packageManager: 'yarn@4.9.2' },
			'.yarnrc.yml': 'nodeLinker: node-modules\n',
			'yarn.lock': '',
		},
	],
	[
		"Yarn 4 with Plug'n'Play",
		['@yarnpkg/cli-dist@4.9.2', 'yarn', 'install'],
		'workspace:^',
		{ 'package.json': { ...WORKSPACES, packageManager: 'yarn@4.9.2' }, 'yarn.lock': '' },
	],
	[
		'bun',
		['bun@1.2.20', 'bun', 'install'],
		'workspace:*',
		{ 'package.json': { ...WORKSPACES, packageManager: 'bun@1.2.20' } },
	],
];

for (const [name, [spec, ...install], sibling, root] of monorepos) {
	test(`an unbuilt package of a monorepo of ${name} is built after the sibling it needs`, async (t) => {
		const cwd = makeFolder(t, unbuiltWorkspaces('one', sibling, root));
		lock(cwd, spec, ...install);
		commit(cwd, 'v1', {});
		// Two different sides take twice the time: one package manager represents all.
		const two = name === 'npm';
		if (two) commit(cwd, 'v2', unbuiltWorkspaces('two', sibling, {}));
		const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
		const prepared = await setting.prepare('v1', two ? 'v2' : 'v1', ['tiny'], { subject: 'packages/core' });
		assert.equal(printOf(prepared, 'base', 'tiny'), 'one sibling one');
		assert.equal(printOf(prepared, 'head', 'tiny'), two ? 'two sibling two' : 'one sibling one');
		const { built } = prepared.sides.head.info;
		assert.deepEqual([built?.file, built?.package], ['dist/index.js', 'tinyframe']);
		assert.match(
			built?.command ?? '',
			/^\(cd packages\/sibling && .* run build\) && \(cd packages\/core && .* run build\)$/,
		);
		assert.deepEqual(prepared.warnings, []);
		assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
		assert.equal(git(cwd, 'status', '--short'), '');
	});
}

test('a package that bun builds is built by bun, installed by npm, with its text and its old lockfile', async (t) => {
	const build =
		"import { copyFileSync, mkdirSync } from 'node:fs'; mkdirSync('dist', { recursive: true }); Bun.gc(true); copyFileSync('index.js', 'dist/index.js');";
	const scripts = { build: 'bun run --shell bun clean && bun ./build.ts', clean: 'bun -e "0"' };
	const cwd = makeFolder(t, {
		...unbuilt('1.0.0', { scripts, devDependencies: { ms: '2.1.3' } }),
		'build.ts': build,
	});
	lock(cwd, 'bun@1.1.38', 'bun', 'install');
	commit(cwd, 'v1', {});
	assert.match(git(cwd, 'ls-files'), /^bun\.lockb$/m);
	git(cwd, 'rm', '--quiet', 'bun.lockb');
	const pinned = { packageManager: 'bun@1.2.20', scripts, devDependencies: { ms: '2.1.3' } };
	writeFiles(cwd, { ...unbuilt('2.0.0', pinned), 'build.ts': build });
	lock(cwd, 'bun@1.2.20', 'bun', 'install');
	commit(cwd, 'v2', {});
	assert.match(git(cwd, 'ls-files'), /^bun\.lock$/m);
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny']);
	assert.deepEqual([printOf(prepared, 'base', 'tiny'), printOf(prepared, 'head', 'tiny')], ['1.0.0', '2.0.0']);
	assert.match(prepared.sides.base.info.built?.command ?? '', /bun(@1)? run build$/);
	assert.match(prepared.sides.head.info.built?.command ?? '', /bun(@1\.2\.20)? run build$/);
	assert.ok(
		setting.steps.some((step) => /bun(@1)? install --frozen-lockfile$/.test(step)),
		setting.steps.join('\n'),
	);
});

test('files that bun installs are no links into its cache, from which a later build could not link them', async (t) => {
	const cwd = makeFolder(t, {
		'package.json': { private: true, packageManager: 'bun@1.2.20', dependencies: { ms: '2.1.3' } },
		'server.js': `console.log(require('fs').statSync(require.resolve('ms')).nlink)`,
	});
	lock(cwd, 'bun@1.2.20', 'bun', 'install');
	commit(cwd, 'v1', { '.gitignore': 'node_modules\n' });
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'v1', [customServer('.')]);
	assert.equal(printOf(prepared, 'head', 'api'), '1');
});

test('a prepare command gets the package manager that it calls, in the version of the repository', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', {
		'package.json': { name: 'tinyframe', version: '1.0.0', main: 'index.js', packageManager: 'pnpm@10.12.1' },
		'index.js': "module.exports = require('node:fs').readFileSync(`${__dirname}/version.txt`, 'utf8').trim();\n",
	});
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	// Calls an installed program as a script may: in the environment of an npx that was started for another program.
	const nest = "printf '#!/bin/sh\\necho nested\\n' >node_modules/.bin/nest && chmod +x node_modules/.bin/nest";
	const prepare = `MADE=version.txt; mkdir -p node_modules/.bin && ${nest}; echo "$(pnpm --version) $(npx nest)" > "$MADE"`;
	const prepared = await setting.prepare('v1', 'v1', ['tiny'], { prepare });
	assert.equal(printOf(prepared, 'head', 'tiny'), '10.12.1 nested');
	assert.ok(setting.steps.includes(`base (v1): ${prepare}`), setting.steps.join('\n'));
});
