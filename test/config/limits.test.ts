/** CPUs, memory and the time to be ready, as a user types them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { type OptionTexts, optionsOf } from '../../src/config/option-names.ts';
import { CPUS, SIZE } from '../../src/config/options/option-kinds.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { isUserError } from '../../src/types/errors.ts';
import { CATALOGUE } from './example-catalogue.ts';

function limitsOf(flags: OptionTexts, file = '') {
	const read = parseConfig(`servers: [express]\n${file}`, 'benchgate.yml', CATALOGUE);
	const { serverCpus, loadCpus, memoryLimit, readyTimeoutSeconds } = resolveConfig(read, flags, CATALOGUE, () => 1);
	return { serverCpus, loadCpus, memoryLimit, readyTimeoutSeconds };
}

test('CPUs are listed as the kernel lists them', () => {
	assert.deepEqual(CPUS.parse('0'), [0]);
	assert.deepEqual(CPUS.parse('8, 0-3,2'), [0, 1, 2, 3, 8]);
	for (const text of ['', ',', '3-1', 'a', '-1', '1-', '0-99999', '4096', '1.5'])
		assert.equal(CPUS.parse(text), undefined, text);
});

test('a size is a whole number with a unit, and its written form reads back', () => {
	assert.equal(SIZE.parse('512MB'), 512e6);
	assert.equal(SIZE.parse('1GiB'), 2 ** 30);
	for (const text of ['0MB', '512', '512mb', '1.5GB', '-1MB', '12345678MB', 'MB'])
		assert.equal(SIZE.parse(text), undefined, text);
	const units = fc.constantFrom('MB', 'GB', 'MiB', 'GiB');
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 9_999_999 }), units, (number, unit) => {
			const value = SIZE.parse(`${number}${unit}`);
			assert.ok(value !== undefined);
			assert.equal(SIZE.parse(SIZE.write(value)), value);
		}),
		{ seed: 4 },
	);
});

test('limits come from flags, that of memory also from the config', () => {
	const none = { serverCpus: undefined, loadCpus: undefined, memoryLimit: undefined, readyTimeoutSeconds: undefined };
	assert.deepEqual(limitsOf({}), none);
	const flags = { serverCpus: '0-1', loadCpus: '3', memoryLimit: '300MiB', readyTimeout: '90s' };
	assert.deepEqual(limitsOf(flags, 'memory-limit: 1GB'), {
		serverCpus: [0, 1],
		loadCpus: [3],
		memoryLimit: 300 * 2 ** 20,
		readyTimeoutSeconds: 90,
	});
	assert.deepEqual(limitsOf({}, 'memory-limit: 1GB'), { ...none, memoryLimit: 1e9 });
});

test('a CPU belongs either to the servers or to the load', () => {
	assert.throws(
		() => limitsOf({ serverCpus: '0-3', loadCpus: '2' }),
		(error) => isUserError(error) && /--load-cpus 2: CPU 2 is one of the servers/.test(error.message),
	);
	assert.throws(
		() => limitsOf({}, 'memory-limit: 512'),
		(error) => isUserError(error) && /memory-limit.*a size in MB, GB, MiB or GiB/s.test(error.message),
	);
});

test('check accepts the same CPUs as a measurement', () => {
	const flags = optionsOf('check').map(([name]) => name);
	assert.deepEqual(
		['serverCpus', 'loadCpus'].filter((name) => !flags.some((flag) => flag === name)),
		[],
	);
});
