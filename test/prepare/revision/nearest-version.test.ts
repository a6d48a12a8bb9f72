import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestVersion, newestVersions } from '../../../src/prepare/revision/registry.ts';

const VERSIONS = [
	'1.9.0',
	'2.1.0',
	'3.0.0',
	'3.2.1',
	'3.10.0',
	'5.0.0-beta.1',
	'5.0.0',
	'5.1.0',
	'5.1.3',
	'6.0.0-rc.1',
];

test('the nearest version begins with the same numbers, else has the nearest major', () => {
	const expected: Record<string, string | undefined> = {
		'5.1.99': '5.1.3',
		'5.9.0': '5.1.3',
		'3.2': '3.2.1',
		'^3.99': '3.10.0',
		'99.1.0': '6.0.0-rc.1',
		'4.0.0': '5.1.3',
		'0.1.0': '1.9.0',
		'6.0.0': '6.0.0-rc.1',
		'5.0.0-beta.7': '5.0.0',
		nightly: undefined,
	};
	for (const [range, nearest] of Object.entries(expected)) {
		assert.equal(nearestVersion(range, VERSIONS), nearest, range);
	}
	assert.equal(nearestVersion('1.0.0', []), undefined);
});

test('the newest versions are releases, if there are any', () => {
	assert.deepEqual(newestVersions(VERSIONS), ['5.1.3', '5.1.0', '5.0.0', '3.10.0', '3.2.1']);
	assert.deepEqual(newestVersions(['1.0.0-a', '1.0.0-b']), ['1.0.0-b', '1.0.0-a']);
});
