import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commit, customServer, type Files, makeFolder, openSetting, userError } from '../support.ts';

/** A service whose program comes from a build. */
function service(extra: Record<string, unknown> = {}): Files {
	return {
		'package.json': {
			name: 'service',
			private: true,
			scripts: { start: 'node dist/server.js', build: 'node build.js' },
			...extra,
		},
		'build.js': `const fs = require('node:fs'); fs.mkdirSync('dist', { recursive: true }); fs.copyFileSync('server.js', 'dist/server.js');`,
		'server.js': '',
		'.gitignore': 'dist\n',
	};
}

for (const command of ['node -r ./build.js --no-warnings dist/server.js', 'npm start', 'pnpm run start']) {
	test(`a custom server is built when "${command}" finds no program`, async (t) => {
		const cwd = makeFolder(t);
		commit(cwd, 'v1', service());
		const setting = await openSetting(t, { cwd });
		const prepared = await setting.prepare('v1', 'v1', [customServer('.', command)]);
		const server = prepared.sides.base.servers.api;
		assert.ok(server && existsSync(join(server.cwd, 'dist/server.js')));
		const built = { command: 'npm run build', file: 'dist/server.js', package: 'service' };
		assert.deepEqual(prepared.sides.base.info.built, built);
	});
}

test('a server is not built if the config prepares it, if it exists, or if it is another language', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', service());
	const setting = await openSetting(t, { cwd });
	for (const [command, config] of [
		['node dist/server.js', { prepare: 'true' }],
		['node server.js', {}],
		['python3 dist/server.py', {}],
		['node --input-type=module -e "import http"', {}],
	] as const) {
		const prepared = await setting.prepare('v1', 'v1', [customServer('.', command)], config);
		assert.equal(prepared.sides.base.info.built, undefined, command);
	}
});

test('a failing build fails a server that cannot start without it, and warns of any other', async (t) => {
	const cwd = makeFolder(t);
	const scripts = { build: 'exit 3' };
	commit(cwd, 'v1', service({ scripts, main: 'dist/index.js' }));
	const setting = await openSetting(t, { cwd });
	const error = await userError(setting.prepare('v1', 'v1', [customServer('.', 'node dist/server.js')]));
	assert.deepEqual([error.code, error.exitCode], ['build-failed', 3]);
	const prepared = await setting.prepare('v1', 'v1', [customServer('.', 'node server.js')]);
	assert.deepEqual(
		prepared.warnings.map(({ code, side }) => [code, side]),
		[
			['build-failed', 'base'],
			['build-failed', 'head'],
		],
	);
	assert.match(
		prepared.warnings[0]?.message ?? '',
		/^base \(v1\): npm run build failed with exit code 3\. It was run because service names dist\/index\.js, /,
	);
});

test('a missing file that only a script of another name makes is named, with the line that runs it', async (t) => {
	const cwd = makeFolder(t);
	const setting = await openSetting(t, { cwd });
	commit(cwd, 'v1', service({ scripts: { compile: 'node build.js' }, main: 'lib/' }));
	const { warnings } = await setting.prepare('v1', 'v1', [customServer('.', 'node server.js')]);
	assert.deepEqual(
		warnings.map(({ code, side }) => [code, side]),
		[
			['not-built', 'base'],
			['not-built', 'head'],
		],
	);
	assert.match(
		warnings[0]?.message ?? '',
		/^base \(v1\): service names lib, which is not there, .* add to the config: prepare: npm install && npm run compile$/,
	);
	commit(cwd, 'v2', service({ scripts: { test: 'true' }, main: 'index.js' }));
	const usual = await setting.prepare('v2', 'v2', [customServer('.', 'node server.js')]);
	assert.deepEqual(usual.warnings, []);
});

for (const [label, subject, files] of [
	['the subject that the config names', 'packages/core', { 'bench/server.js': `require('../packages/core');` }],
	[
		'the package around it',
		'.',
		{ 'bench/package.json': { type: 'commonjs' }, 'bench/server.js': `require('../packages/core');` },
	],
] as const) {
	test(`the packages that a bench server loads are built: ${label}`, async (t) => {
		const cwd = makeFolder(t);
		const library = {
			name: 'frame',
			dependencies: { tool: 'file:./tool' },
			main: 'dist/server.js',
			scripts: { build: 'node build.js' },
		};
		const { 'package.json': _, ...rest } = service();
		const inside = subject === '.' ? '' : `${subject}/`;
		const frame = Object.fromEntries(Object.entries(rest).map(([path, content]) => [inside + path, content]));
		const tool = { [`${inside}tool/package.json`]: { name: 'tool', version: '1.2.3' } };
		commit(cwd, 'v1', {
			'package.json': { private: true },
			[`${inside}package.json`]: library,
			...frame,
			...tool,
			...files,
		});
		const setting = await openSetting(t, { cwd });
		const config = { subject, harness: ['bench'] };
		const prepared = await setting.prepare('v1', 'v1', [customServer('bench', 'node server.js')], config);
		const command = subject === '.' ? 'npm run build' : `cd ${subject} && npm run build`;
		const { info, servers } = prepared.sides.base;
		assert.deepEqual(info.built, { command, file: 'dist/server.js', package: 'frame' });
		// The package's dependencies are installed, and known as dependencies of the server.
		assert.deepEqual(servers.api?.direct, ['tool']);
		assert.ok(existsSync(join(servers.api.cwd, '..', subject, 'node_modules/tool/package.json')));
	});
}

test('engines that this Node does not satisfy are reported before any installation', async (t) => {
	const cwd = makeFolder(t);
	const engines = { node: '>=99' };
	commit(
		cwd,
		'v1',
		service({ engines, scripts: { build: 'exit 3' }, dependencies: { '@benchgate-test/none': '1.0.0' } }),
	);
	const setting = await openSetting(t, { cwd });
	const error = await userError(setting.prepare('v1', 'v1', [customServer('.', 'node server.js')]));
	const warning = `base (v1): package.json requires Node >=99, and this is ${process.versions.node}; use another with --node PATH`;
	assert.equal(
		setting.steps.indexOf(`${warning}.`) < setting.steps.findIndex((step) => step.endsWith('npm install')),
		true,
	);
	assert.ok(setting.steps.includes(`${warning}.`), setting.steps.join('\n'));
	assert.ok(error.remedy?.startsWith(`${warning}; repeat it by hand: `), error.remedy);
});
