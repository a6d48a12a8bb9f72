import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linkPackages } from '../../../src/prepare/content/compare-sources.ts';
import {
	isDocument,
	isInert,
	type ReadingConfig,
	readsOf,
	saysReads,
	untouchedServers,
} from '../../../src/prepare/content/reads.ts';
import type { CustomServer } from '../../../src/types/config.ts';

const express = { kind: 'built-in', name: 'express' } as const;

function server(name: string, changes: Partial<CustomServer> = {}): CustomServer {
	return {
		kind: 'custom',
		name,
		command: 'node server.js',
		cwd: '.',
		env: {},
		ready: { timeoutSeconds: 5 },
		...changes,
	};
}

function config(changes: Partial<ReadingConfig> = {}): ReadingConfig {
	return { servers: [server('api'), server('web')], subject: '.', ...changes };
}

/** A workspace of two packages, each with its own bench server. */
const WORKSPACE = config({
	servers: [
		server('api', { cwd: 'packages/api/bench', reads: ['packages/api'] }),
		server('web', { cwd: 'packages/web/bench', reads: ['packages/web', 'packages/shared'] }),
	],
});

test('a server without `reads` reads everything', () => {
	assert.equal(saysReads(config()), false);
	assert.deepEqual(untouchedServers(config(), ['anything.js']), []);
	assert.deepEqual(untouchedServers(config(), []), [], 'it may read what no commit has');
	assert.equal(saysReads(config({ reads: ['lib'] })), true);
	assert.equal(saysReads(WORKSPACE), true);
});

test('a server reads its `reads`, its start folder, and the packages installed into it', () => {
	const reads = (one: CustomServer | typeof express, changes: Partial<ReadingConfig> = {}) =>
		readsOf(one, config(changes));
	assert.equal(reads(express), null);
	assert.deepEqual(reads(express, { reads: ['packages/shared'], subject: './packages/core/' }), [
		'packages/shared',
		'packages/core',
	]);
	assert.deepEqual(reads(server('api', { cwd: './bench/' }), { reads: ['lib'], subject: 'packages/core' }), [
		'lib',
		'bench',
		'packages/core',
	]);
	const serverReads = { cwd: 'bench/api', reads: ['packages/api'] };
	assert.deepEqual(reads(server('api', serverReads), { reads: ['lib'], subject: 'packages/core' }), [
		'packages/api',
		'bench/api',
	]);
	const installed = { harness: ['bench'], subject: 'packages/core' };
	assert.deepEqual(reads(server('api', serverReads), installed), ['packages/api', 'bench/api', 'packages/core']);
	assert.equal(reads(server('api', { reads: ['packages/api', '.'] })), null);
});

const CHANGES: readonly (readonly [string, readonly string[]])[] = [
	['packages/api/lib/index.js', ['web']],
	['packages/web/lib/index.js', ['api']],
	['packages/shared/index.js', ['api']],
	['packages/other/index.js', ['api', 'web']],
	['packages/apis/index.js', ['api', 'web']],
	['packages/other/test/package.json.js', ['api', 'web']],
	// Documents, and files that GitHub reads.
	['README.md', ['api', 'web']],
	['packages/api/README.md', ['api', 'web']],
	['.github/workflows/ci.yml', ['api', 'web']],
	['benchgate.yml', ['api', 'web']],
	['.changeset/brave-cats-sing.md', ['api', 'web']],
	// In the folders around.
	['tsconfig.json', []],
	['Makefile', []],
	['packages/tsconfig.base.json', []],
	// Files that decide installations, wherever they are.
	['package-lock.json', []],
	['packages/other/package.json', []],
	['packages/other/.npmrc', []],
	['crates/a/Cargo.lock', []],
	['packages/other/patches/koa+2.16.1.patch', []],
	// Common places of build scripts.
	['scripts/build.mjs', []],
	['Tools/gen.py', []],
	['packages/other/scripts/build.mjs', ['api', 'web']],
	// Programs of package managers, and other hidden files at the top.
	['.yarn/plugins/a.cjs', []],
	['.changeset/config.json', []],
	['.github/scripts/build.sh', []],
];

for (const [path, untouched] of CHANGES) {
	test(`a change of ${path} leaves ${untouched.join(' and ') || 'nothing'} untouched`, () => {
		assert.deepEqual(untouchedServers(WORKSPACE, [path]), untouched);
	});
}

test('two runtimes are compared whatever the change', () => {
	const two = { ...WORKSPACE, headRuntime: { name: 'node', version: '24' } } as const;
	assert.deepEqual(untouchedServers(two, []), []);
	assert.deepEqual(untouchedServers(WORKSPACE, []), ['api', 'web']);
});

test('more changes never leave more untouched', () => {
	const paths = fc.array(fc.constantFrom(...CHANGES.map(([path]) => path)), { maxLength: 6 });
	fc.assert(
		fc.property(paths, paths, (some, more) => {
			const before = untouchedServers(WORKSPACE, some);
			const after = untouchedServers(WORKSPACE, [...some, ...more]);
			assert.ok(after.every((name) => before.includes(name)));
			const each = some.map((path) => untouchedServers(WORKSPACE, [path]));
			assert.deepEqual(
				before,
				['api', 'web'].filter((name) => each.every((own) => own.includes(name))),
			);
		}),
	);
});

test('packages of one repository are linked by name and by path, and by nothing else', () => {
	const links = linkPackages(
		new Map([
			['.', { name: 'root', devDependencies: { api: '*' } }],
			['packages/api', { name: 'api', dependencies: { shared: 'workspace:^', koa: '^2.0.0', api: '1' } }],
			['packages/shared', { name: 'shared', peerDependencies: { lib: 'file:../lib/', gone: 'file:../gone' } }],
			['packages/lib', {}],
		]),
	);
	assert.deepEqual(
		[...links],
		[
			['.', ['packages/api']],
			['packages/api', ['packages/shared']],
			['packages/shared', ['packages/lib']],
			['packages/lib', []],
		],
	);
});

test('documents by their usual names are inert, and possible programs are not', () => {
	for (const path of [
		...[
			'README.md',
			'readme.markdown',
			'packages/core/README.md',
			'LICENSE',
			'LICENCE.txt',
			'CHANGELOG.md',
			'History.md',
		],
		...['CODE_OF_CONDUCT.md', 'README-zh.md', 'docs/guide.md', 'docs/images/a.png', 'doc/api/index.rst'],
	]) {
		assert.ok(isDocument(path), path);
	}
	for (const path of [
		...[
			'lib/history.js',
			'security.ts',
			'support',
			'license',
			'content/post.md',
			'views/readme.html',
			'docs/server.js',
		],
		...[
			'packages/docs/guide.md',
			'index.js',
			'README.js',
			'README.md.js',
			'notice/index.txt',
			'docs.md',
			'package.json',
		],
		...['requirements.txt', 'security-requirements.txt', 'support_constraints.txt', 'docs/requirements-dev.txt'],
	]) {
		assert.ok(!isInert(path, []), path);
		assert.ok(!isDocument(path), path);
	}
});

test('only documents, files that GitHub reads, and the config of a checkout are inert', () => {
	const folders = ['packages/core', './apps/bench/'];
	for (const path of [
		...['README.md', 'packages/core/README.md', 'apps/bench/CHANGELOG.md', 'LICENSE', 'notice.txt', 'docs/notes.txt'],
		...['.github/workflows/ci.yml', '.github/CODEOWNERS', '.github/ISSUE_TEMPLATE/bug.md', 'benchgate.yml'],
	]) {
		assert.ok(isInert(path, folders), path);
	}
	for (const path of [
		...['packages/core/lib/a.js', 'apps/bench/server.js', 'apps/package.json', 'package-lock.json', '.npmrc'],
		...['lib/util.js', 'packages/util/index.js', 'website/index.js', 'test/a.js', '.gitattributes', 'bench'],
		...['.github/bench/server.js', '.github/scripts/build.sh', 'src/.github/x', 'docs/server.js'],
		...['ci/benchgate.yml', 'benchgate.yml.js', 'bench/data/history.txt', 'public/security.txt'],
	]) {
		assert.ok(!isInert(path, folders), path);
	}
});

test('no file is inert in a top folder that contains a start command', () => {
	for (const [folder, path] of [
		['.github/bench', '.github/bench/data.yml'],
		['./.github/bench/', '.github/workflows/ci.yml'],
		['bench/../.github', '.github/README.md'],
		['docs', 'docs/guide.md'],
		['docs/site/', 'docs/images/a.png'],
		['Docs', 'Docs/README.md'],
	] as const) {
		assert.ok(!isInert(path, ['.', folder]), `${folder} ${path}`);
		assert.ok(isInert(path, ['.', 'bench']), path);
	}
});
