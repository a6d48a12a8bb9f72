import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import fc from 'fast-check';
import { renderList } from '../../src/cli/list-command.ts';
import { addOptions } from '../../src/cli/option-flags.ts';
import { type Catalogue, generalServers, serversUsing } from '../../src/config/catalogue.ts';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { PACKAGES } from '../../src/config/options/option-kinds.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { CATALOGUE } from './example-catalogue.ts';

const catalogue: Catalogue = {
	...CATALOGUE,
	servers: [
		...CATALOGUE.servers,
		{
			name: 'wrapper',
			description: 'Something on Express.',
			dependencies: ['@some/core', 'express'],
			versions: { '@some/core': '0.6.1', express: '5.3.0' },
			about: ['@some/core'],
			unserved: ['@some/core', 'some-helper'],
		},
	],
};

const resolve = (yaml: string | null, flags: Record<string, string>) =>
	resolveConfig(
		yaml === null ? null : parseConfig(yaml, 'benchgate.yml', catalogue),
		{ scenario: 'ping', ...flags },
		catalogue,
		() => 1,
	);

test('a written package and its place are read back', () => {
	assert.deepEqual(PACKAGES.parse('etag=1.8.0, @some/core = ../some core ,a=b=c'), [
		{ name: 'etag', place: '1.8.0' },
		{ name: '@some/core', place: '../some core' },
		{ name: 'a', place: 'b=c' },
	]);
	for (const text of [
		'',
		'etag',
		'etag=',
		'=1.8.0',
		'etag=1,etag=2',
		'Etag=1',
		'@some=1',
		'etag=1,',
		'etag=a\u0000b',
	]) {
		assert.equal(PACKAGES.parse(text), undefined, text);
	}
	const name = fc.constantFrom('etag', '@some/core', 'a.b-c', 'koa');
	const place = fc.stringMatching(/^[!-+\--~]([ !-+\--~]*[!-+\--~])?$/);
	const items = fc.uniqueArray(fc.record({ name, place }, { noNullPrototype: true }), {
		selector: (item) => item.name,
		minLength: 1,
	});
	fc.assert(fc.property(items, (packages) => assert.deepEqual(PACKAGES.parse(PACKAGES.write(packages)), packages)));
});

test('the flag may be repeated', () => {
	const argv = ['--base', 'a', '--head', 'b', '--package', 'etag=1', '--package', 'express=./x'];
	const command = addOptions(new Command(), 'compare').parse(argv, { from: 'user' });
	assert.equal(command.opts().package, 'etag=1,express=./x');
});

test('the name of a server stands for its subject package', () => {
	const { packages } = resolve(null, { server: 'wrapper,express', package: 'wrapper=./here,some-helper=2' });
	assert.deepEqual(packages, [
		{ name: '@some/core', place: './here' },
		{ name: 'some-helper', place: '2' },
	]);
	assert.deepEqual(resolve(null, { server: 'express', package: 'express=4.21.2' }).packages, [
		{ name: 'express', place: '4.21.2' },
	]);
	assert.equal(resolve(null, { server: 'express' }).packages, undefined);
});

test('a flag for a package that no chosen server has is refused', () => {
	assert.throws(() => resolve(null, { server: 'fastify', package: 'etag=1.8.0' }), {
		code: 'bad-flag',
		message: '--package etag=1.8.0: no chosen built-in server has the package etag',
	});
	assert.throws(() => resolve(null, { server: 'express', package: 'expres=4' }), {
		message: '--package expres=4: no chosen built-in server has the package expres; did you mean "express"?',
	});
});

test('a config names packages as a mapping; a flag replaces them, and servers of a flag ignore packages they lack', () => {
	const yaml = 'servers: [express, fastify]\npackages:\n  etag: 1.8.0\n  fastify: ./my fastify\n';
	assert.deepEqual(resolve(yaml, {}).packages, [
		{ name: 'etag', place: '1.8.0' },
		{ name: 'fastify', place: './my fastify' },
	]);
	assert.deepEqual(resolve(yaml, { package: 'etag=1.7.0' }).packages, [{ name: 'etag', place: '1.7.0' }]);
	assert.deepEqual(resolve(yaml, { server: 'express' }).packages, [{ name: 'etag', place: '1.8.0' }]);
});

test('errors about packages in a config have their line', () => {
	assert.throws(() => resolve('servers: [express]\npackages: { etagg: 1.8.0 }', {}), {
		code: 'bad-config',
		where: 'benchgate.yml',
		message: 'packages: no built-in server has the package etagg; did you mean "etag"?',
	});
	for (const value of ['[etag]', '{ etag: 1 }', '{ etag: "1,2" }', '{ Etag: "1" }']) {
		assert.throws(() => resolve(`servers: [express]\npackages: ${value}`, {}), { code: 'bad-config' }, value);
	}
});

test('a server for one subject is chosen for that subject alone, and never by a selftest', () => {
	assert.deepEqual(serversUsing('express', catalogue), ['express']);
	assert.deepEqual(serversUsing('@some/core', catalogue), ['wrapper']);
	assert.deepEqual(generalServers(catalogue), ['express', 'fastify', 'node-http']);
});

test('list shows servers that are not installed, with their needs', () => {
	const machine = { node: '24.1.0', glibc: null, missing: new Set<string>(), satisfies: () => true };
	const list = renderList(catalogue, machine);
	assert.match(list, /\n {2}wrapper {4}@some\/core 0\.6\.1 {2}Something on Express\.\n/);
	assert.ok(
		list.endsWith(
			'\n\nNot installed: give these servers the packages your registry lacks\n' +
				'  wrapper  some registries lack @some/core: --package @some/core=FOLDER\n',
		),
		list,
	);
});
