/** Which changes of base's files are a fault, and which ones honest servers make. */
import assert from 'node:assert/strict';
import {
	appendFileSync,
	chmodSync,
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { watchBase } from '../../src/prepare/watch-base.ts';
import { makeFolder, userError } from './support.ts';

const FILES = {
	'server.js': 'listen()',
	'package.json': '{}',
	'data.db': 'rows',
	'db.json': '{ "rows": [] }',
	'views/page.html': '<p>',
	'bin/tool': '#!/bin/sh',
	'node_modules/lib/index.js': 'module.exports = 1;',
	'node_modules/lib/data.json': '[]',
};

async function watched(t: TestContext) {
	const folder = makeFolder(t, FILES);
	chmodSync(join(folder, 'bin/tool'), 0o755);
	symlinkSync('index.js', join(folder, 'node_modules/lib/main.js'));
	const at = (path: string) => join(folder, path);
	return { at, watch: await watchBase([folder]) };
}

type Act = (at: (path: string) => string) => void;

const HONEST: Readonly<Record<string, Act>> = {
	'a database that is written': (at) => appendFileSync(at('data.db'), 'more'),
	'a database that is replaced': (at) => {
		writeFileSync(at('db.json.tmp'), '{ "rows": [1] }');
		renameSync(at('db.json.tmp'), at('db.json'));
	},
	'a database that is removed': (at) => rmSync(at('data.db')),
	'logs, uploads and sockets': (at) => {
		mkdirSync(at('logs'));
		writeFileSync(at('logs/access.log'), 'GET /');
		writeFileSync(at('data.db-wal'), '');
	},
	'caches of tools': (at) => {
		for (const folder of ['.next/cache/webpack', 'node_modules/.cache/x', 'node_modules/.vite', '__pycache__']) {
			mkdirSync(at(folder), { recursive: true });
			writeFileSync(at(`${folder}/a.js`), 'made');
		}
	},
	'a second link to a file, as pnpm makes one': (at) =>
		linkSync(at('node_modules/lib/index.js'), `${at('data.db')}-link`),
	'an installation that is repeated': (at) => {
		const content = readFileSync(at('node_modules/lib/index.js'));
		rmSync(at('node_modules/lib/index.js'));
		writeFileSync(at('node_modules/lib/index.js'), content);
	},
	'a program that compiles itself at start': (at) => {
		mkdirSync(at('dist'));
		writeFileSync(at('dist/server.js'), 'compiled');
	},
};

for (const [label, act] of Object.entries(HONEST)) {
	test(`between rounds ${label} is no fault`, async (t) => {
		const { at, watch } = await watched(t);
		act(at);
		await watch.checkProgram();
		await watch.checkProgram();
	});
}

const FAULTS: Readonly<Record<string, readonly [Act, string]>> = {
	'a program of equal size with its old times': [
		(at) => {
			const { atime, mtime } = statSync(at('server.js'));
			writeFileSync(at('server.js'), 'listen{}');
			utimesSync(at('server.js'), atime, mtime);
		},
		'server.js',
	],
	'a program that another one takes the place of': [
		(at) => {
			writeFileSync(at('other'), 'slower()');
			renameSync(at('other'), at('server.js'));
		},
		'server.js',
	],
	'a program that is removed': [(at) => rmSync(at('server.js')), 'server.js'],
	'an executable without an ending': [(at) => appendFileSync(at('bin/tool'), 'sleep 1'), 'bin/tool'],
	'an executable that may no longer be run': [(at) => chmodSync(at('bin/tool'), 0o644), 'bin/tool'],
	'a manifest': [(at) => writeFileSync(at('package.json'), '{ "main": "slow.js" }'), 'package.json'],
	'data of an installed package': [
		(at) => writeFileSync(at('node_modules/lib/data.json'), '[1]'),
		'node_modules/lib/data.json',
	],
	'a link that points elsewhere': [
		(at) => {
			rmSync(at('node_modules/lib/main.js'));
			symlinkSync('slow.js', at('node_modules/lib/main.js'));
		},
		'node_modules/lib/main.js',
	],
	'a package that is added': [
		(at) => {
			mkdirSync(at('node_modules/lib/node_modules/dep'), { recursive: true });
			writeFileSync(at('node_modules/lib/node_modules/dep/index.js'), '');
		},
		'node_modules/lib/node_modules/dep/index.js (new)',
	],
	'everything that is removed': [(at) => rmSync(at('.'), { recursive: true }), 'bin/tool'],
};

for (const [label, [act, named]] of Object.entries(FAULTS)) {
	test(`between rounds ${label} is a fault that names it`, async (t) => {
		const { at, watch } = await watched(t);
		act(at);
		const error = await userError(watch.checkProgram());
		assert.equal(error.code, 'workspace-changed');
		assert.ok(error.message.includes(named), error.message);
	});
}

test('before a server has run, only changes that keep the content are allowed', async (t) => {
	const { at, watch } = await watched(t);
	const content = readFileSync(at('data.db'));
	rmSync(at('data.db'));
	writeFileSync(at('data.db'), content);
	await watch.checkUntouched();
	writeFileSync(at('views/new.html'), '<p>');
	assert.match((await userError(watch.checkUntouched())).message, /views\/new\.html \(new\)/);
});
