/** Packages that a measuring run had to use in place of pinned ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubtPackages, doubtPlaces } from '../../../src/action/rules/doubt-run.ts';
import { resultOf } from '../../support/results.ts';

const { base, head } = resultOf([]);

/** Doubts about a run with these versions of koa on its sides under the input `koa=PLACE`. */
function doubted(place: string, onBase: string, onHead = onBase): string {
	const ran = {
		base: { ...base, versions: { koa: { koa: onBase, debug: '4.0.0' }, constructor: {} } },
		head: { ...head, versions: { koa: { koa: onHead, debug: '4.0.0' }, constructor: {} } },
	};
	return doubtPackages(ran, { packages: [{ name: 'koa', place }] }, 'benchgate.yml on main').join('\n');
}

test('a named version must be the one that ran', () => {
	for (const place of ['2.16.4', '2', '^2.16.0', 'koa@2.16.4', 'npm:koa@2.16.4'])
		assert.equal(doubted(place, '2.16.4'), '');
	assert.equal(doubted('2', '1.0.0, 2.16.4'), '', 'several of one name are installed');
	assert.equal(
		doubted('2.16.4', '3.0.0'),
		'The measuring run used koa 3.0.0 instead of 2.16.4, against benchgate.yml on main.',
	);
	assert.match(doubted('3', '3.0.0-beta.1', '2.0.0'), /koa 3\.0\.0-beta\.1 and 2\.0\.0 instead of 3/);
});

test('from a folder, a tarball or a tag the sides must have the same version', () => {
	for (const place of ['./koa', './koa-2.16.4.tgz', 'latest']) {
		assert.equal(doubted(place, '9.9.9'), '');
		assert.match(doubted(place, '9.9.9', '9.9.8'), /koa 9\.9\.9 and 9\.9\.8 instead of/);
	}
});

test('a folder or tarball that the change touches is that of both sides', () => {
	const touched = (place: string, ...changed: readonly string[]) =>
		doubtPlaces(changed, { packages: [{ name: 'koa', place }] }).join('\n');
	const sentence = /^Both sides ran koa from \S+, as this change has it: read that before you trust the result\.$/;
	for (const place of ['./vendor/koa', 'vendor/koa/', './vendor', '.', './vendor/koa/lib/a.js'])
		assert.match(touched(place, 'README.md', 'vendor/koa/lib/a.js'), sentence, place);
	for (const place of ['./vendor/ko', '../vendor/koa', '2.16.4', 'npm:koa@2'])
		assert.equal(touched(place, 'vendor/koa/lib/a.js'), '', place);
	assert.equal(touched('.'), '');
	assert.deepEqual(doubtPlaces(['a'], {}), []);
});

test('a package that no server ran with is no doubt', () => {
	assert.deepEqual(doubtPackages({ base, head }, { packages: [{ name: 'ergo', place: '0.8.0' }] }, 'main'), []);
	assert.deepEqual(doubtPackages({ base, head }, {}, 'main'), []);
});
