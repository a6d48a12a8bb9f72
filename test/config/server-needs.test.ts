import assert from 'node:assert/strict';
import { test } from 'node:test';
import satisfies from 'semver/functions/satisfies.js';
import type { CatalogueServer } from '../../src/config/catalogue.ts';
import { findUnmetNeed } from '../../src/config/server-needs.ts';
import { glibcVersion, missingPrograms } from '../../src/process/programs.ts';

const MACHINE = { node: '24.1.0', glibc: '2.36', missing: new Set<string>(), satisfies };
const reasonOf = (needs: Partial<CatalogueServer>, machine = {}) =>
	findUnmetNeed({ name: 'one', description: '', dependencies: [], ...needs }, { ...MACHINE, ...machine })?.reason ??
	null;

test('a server without needs runs everywhere', () => {
	assert.equal(reasonOf({}, { glibc: null, node: '20.0.0' }), null);
});

test('a server needs its range of Node, its C library and its programs', () => {
	assert.equal(reasonOf({ node: '>=14 <22' }), 'it needs Node >=14 <22, and this is 24.1.0');
	assert.equal(reasonOf({ node: '>=14 <22' }, { node: '20.20.2' }), null);
	assert.equal(reasonOf({ glibc: '2.38' }), 'its binaries need glibc 2.38, and this machine has 2.36');
	assert.equal(
		reasonOf({ glibc: '2.38' }, { glibc: null }),
		'its binaries need glibc 2.38, and this machine has another C library',
	);
	for (const glibc of ['2.38', '2.39', '3.0']) assert.equal(reasonOf({ glibc: '2.38' }, { glibc }), null);
	assert.equal(reasonOf({ glibc: '2.4' }), null);
	assert.equal(reasonOf({ programs: ['go'] }, { missing: new Set(['go']) }), 'Go is not installed');
	assert.equal(reasonOf({ programs: ['python3'] }, { missing: new Set(['go']) }), null);
});

test('a missing need has a remedy', () => {
	const server = { name: 'go', description: '', dependencies: [], programs: ['go'] };
	const unmet = findUnmetNeed(server, { ...MACHINE, missing: new Set(['go']) });
	assert.equal(unmet?.remedy, 'install it (https://go.dev/doc/install), so that go is on PATH');
});

test('programs are searched for like in a shell', () => {
	assert.deepEqual([...missingPrograms(['sh', 'no-such-program'])], ['no-such-program']);
	assert.deepEqual([...missingPrograms(['sh'], '/nowhere')], ['sh']);
	assert.match(glibcVersion() ?? '2.0', /^\d+\.\d+$/);
});
