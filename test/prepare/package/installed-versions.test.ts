import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareVersions, readInstalledVersions } from '../../../src/prepare/package/installed-versions.ts';
import { makeFolder } from '../support.ts';

const manifest = (name: string, version: string) => ({ name, version });

test("npm's list: nested copies joined, links and the root left out, aliases by their own name", async (t) => {
	const packages = {
		'': { version: '1.0.0' },
		'packages/a': { version: '1.0.0' },
		'node_modules/a': { link: true },
		'node_modules/ms': { version: '2.1.3' },
		'node_modules/debug/node_modules/ms': { version: '2.0.0' },
		'node_modules/@scope/x': { version: '3.0.0' },
		'node_modules/alias': { name: 'real', version: '4.0.0' },
	};
	const folder = makeFolder(t, { 'node_modules/.package-lock.json': { packages } });
	assert.deepEqual(await readInstalledVersions(folder), { '@scope/x': '3.0.0', ms: '2.0.0, 2.1.3', real: '4.0.0' });
});

test("pnpm's store, and plain folders", async (t) => {
	const store = makeFolder(t);
	for (const name of ['express@5.1.0', '@scope+x@1.0.0_react@18.0.0', 'node_modules', 'ms@2.1.3']) {
		mkdirSync(join(store, 'node_modules/.pnpm', name), { recursive: true });
	}
	assert.deepEqual(await readInstalledVersions(store), { '@scope/x': '1.0.0', express: '5.1.0', ms: '2.1.3' });
	const plain = makeFolder(t, {
		'node_modules/debug/package.json': manifest('debug', '4.0.0'),
		'node_modules/debug/node_modules/ms/package.json': manifest('ms', '2.0.0'),
		'node_modules/@scope/x/package.json': manifest('@scope/x', '1.0.0'),
		'node_modules/.bin/tool': '',
	});
	assert.deepEqual(await readInstalledVersions(plain), { '@scope/x': '1.0.0', debug: '4.0.0', ms: '2.0.0' });
	assert.deepEqual(await readInstalledVersions(makeFolder(t)), {});
});

test('a package.json that code under test has damaged counts as no package', async (t) => {
	const folder = makeFolder(t, {
		'node_modules/cut/package.json': '{"name": "cut',
		'node_modules/list/package.json': '[]',
		'node_modules/null/package.json': 'null',
		'node_modules/typed/package.json': { name: 'typed', version: 1 },
		'node_modules/debug/package.json': manifest('debug', '4.0.0'),
	});
	assert.deepEqual(await readInstalledVersions(folder), { debug: '4.0.0' });
});

test('differences: never the subject, ten by name, each once', () => {
	const many = (version: string) => Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${10 + i}`, version]));
	const base = { express: '5.0.0', gone: '1.0.0', ...many('1.0.0') };
	const head = { express: '5.1.0', come: '2.0.0', ...many('1.0.1') };
	const warning = compareVersions(
		[
			{ base, head },
			{ base, head },
		],
		new Set(['express']),
	);
	assert.equal(warning?.code, 'dependencies-differ');
	assert.match(
		warning?.message ?? '',
		/: come none → 2\.0\.0, gone 1\.0\.0 → none, p10 1\.0\.0 → 1\.0\.1, .* and 4 more\.$/,
	);
	assert.doesNotMatch(warning?.message ?? '', /express/);
	assert.equal(compareVersions([{ base, head: base }], new Set()), null);
	// Dependencies of the program itself matter more than tools of the repository.
	const differences = compareVersions([{ base, head, direct: ['p21', 'p20'] }], new Set());
	assert.match(differences?.message ?? '', /: p20 1\.0\.0 → 1\.0\.1, p21 1\.0\.0 → 1\.0\.1, come none/);
});
