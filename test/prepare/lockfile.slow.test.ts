/** The change of a bot that updates dependencies: only a lockfile. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listen } from '../support/servers/http-server.ts';
import {
	commit,
	customServer,
	type Files,
	git,
	makeFolder,
	openSetting,
	printOf,
	setEnvironment,
	tinyFramework,
} from './support.ts';

const VERSIONS = ['1.0.0', '1.1.0'] as const;

/** A registry with two versions of one package; returns lockfiles that pin them. */
async function openRegistry(t: TestContext) {
	const tarballs = new Map<string, Buffer>();
	for (const version of VERSIONS) {
		const folder = makeFolder(t, {
			'package.json': { name: 'tinydep', version, main: 'index.js' },
			'index.js': `module.exports = '${version}';`,
		});
		execFileSync('npm', ['pack', '--silent'], { cwd: folder });
		tarballs.set(`/tinydep/-/tinydep-${version}.tgz`, readFileSync(join(folder, `tinydep-${version}.tgz`)));
	}
	const registry = await listen(
		createServer(({ url = '' }, response) => {
			const tarball = tarballs.get(url);
			response.writeHead(tarball ? 200 : 404).end(tarball ?? '{}');
		}),
	);
	t.after(() => registry[Symbol.asyncDispose]());
	setEnvironment(t, { npm_config_registry: `${registry.origin}/`, npm_config_cache: makeFolder(t) });
	return (version: (typeof VERSIONS)[number], dev: boolean): Files => {
		const path = `/tinydep/-/tinydep-${version}.tgz`;
		const digest = createHash('sha512').update(tarballs.get(path) ?? '');
		const wanted = { [dev ? 'devDependencies' : 'dependencies']: { tinydep: '^1.0.0' } };
		const pinned = {
			version,
			resolved: `${registry.origin}${path}`,
			integrity: `sha512-${digest.digest('base64')}`,
			...(dev && { dev }),
		};
		return {
			'package-lock.json': {
				...{ name: 'tinyframe', version: '1.0.0', lockfileVersion: 3, requires: true },
				packages: { '': { name: 'tinyframe', version: '1.0.0', ...wanted }, 'node_modules/tinydep': pinned },
			},
		};
	};
}

for (const kind of ['dependencies', 'devDependencies'] as const) {
	test(`a change of only the lockfile is measured, each side with its own: ${kind}`, async (t) => {
		const lock = await openRegistry(t);
		const dev = kind === 'devDependencies';
		const cwd = makeFolder(t);
		commit(cwd, 'v1', {
			...tinyFramework('1.0.0', { [kind]: { tinydep: '^1.0.0' } }),
			...lock('1.0.0', dev),
			'server.js': "console.log(require('tinydep'));",
		});
		commit(cwd, 'v2', lock('1.1.0', dev));
		assert.equal(git(cwd, 'diff', '--name-only', 'v1', 'v2'), 'package-lock.json');
		const setting = await openSetting(t, { cwd });
		const prepared = await setting.prepareChanged('v1', 'v2', [customServer('.')]);
		assert.ok('sides' in prepared, 'it was taken for no change');
		assert.deepEqual(
			(['base', 'head'] as const).map((side) => printOf(prepared, side, 'api')),
			VERSIONS,
		);
	});
}
