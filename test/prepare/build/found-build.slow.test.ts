import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commit, makeFolder, openSetting, printOf, tinyTool, userError } from '../support.ts';
import { unbuilt } from './repositories.ts';

test('a package without its named files is built on both sides, and the revision gives the reason', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', unbuilt('1.0.0'));
	commit(cwd, 'v2', unbuilt('2.0.0'));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny']);
	assert.deepEqual([printOf(prepared, 'base', 'tiny'), printOf(prepared, 'head', 'tiny')], ['1.0.0', '2.0.0']);
	const built = { command: 'npm run build', file: 'dist/index.js', package: 'tinyframe' };
	assert.deepEqual([prepared.sides.base.info.built, prepared.sides.head.info.built], [built, built]);
	assert.deepEqual(prepared.warnings, []);

	setting.steps.length = 0;
	const again = await setting.prepare('v1', 'v2', ['tiny']);
	assert.deepEqual(again.sides.head.info.built, built);
	assert.equal(
		setting.steps.some((step) => step.includes('run build')),
		false,
		setting.steps.join('\n'),
	);
});

test('a package that no script builds is refused with the files and the line to add', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', unbuilt('1.0.0', { scripts: { compile: 'node build.js' } }));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['tiny']));
	assert.deepEqual([error.code, error.exitCode, error.where], ['not-built', 3, 'base (v1)']);
	assert.equal(
		error.message,
		'the packed package tinyframe lacks what its package.json names: dist/index.js; no "build" script was found that would make it',
	);
	assert.equal(error.remedy, 'write into benchgate.yml how it is built, e.g. prepare: npm install && npm run compile');
	const built = await setting.prepare('v1', 'v1', ['tiny'], { prepare: 'npm run compile' });
	assert.equal(printOf(built, 'base', 'tiny'), '1.0.0');
	assert.equal(built.sides.base.info.built, undefined);
});

test('a build that does not make the files is named', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', unbuilt('1.0.0', { scripts: { build: 'node -e 0' } }));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['tiny']));
	assert.match(error.message, /lacks what its package\.json names: dist\/index\.js; "npm run build" did not make it$/);
});

test('a file that is made and not packed is not reported as unbuilt', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', unbuilt('1.0.0', { files: ['lib'] }));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['tiny']));
	assert.match(error.message, /names: dist\/index\.js; it is in the repository, but is not packed$/);
	assert.match(error.remedy ?? '', /^look at "files" in package\.json/);
});

test('a failing build fails the side only if the package cannot be imported without it', async (t) => {
	const cwd = makeFolder(t);
	const scripts = { build: 'exit 7' };
	commit(cwd, 'v1', unbuilt('1.0.0', { scripts }));
	commit(
		cwd,
		'v2',
		unbuilt('2.0.0', { scripts, files: undefined, exports: { '.': './index.js', './x': './dist/x.js' } }),
	);
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['tiny']));
	assert.deepEqual([error.code, error.message], ['build-failed', 'npm run build failed with exit code 7']);
	for (const again of [false, true]) {
		const prepared = await setting.prepare('v2', 'v2', ['tiny']);
		assert.equal(printOf(prepared, 'head', 'tiny'), '2.0.0', `again: ${again}`);
		assert.deepEqual(prepared.warnings.at(-1), {
			code: 'files-missing',
			message:
				'head (v2): tinyframe names dist/x.js, which the packed package does not have: npm run build failed with exit code 7. A server that loads it will not start.',
			side: 'head',
		});
	}
});
