/** The list of settings that each machine chooses itself is the same everywhere, and part of no plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionsOf } from '../../src/config/option-names.ts';
import { useOf } from '../../src/config/options/option-entry.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { hashOfConfig } from '../../src/runs/plan-shards.ts';
import { CATALOGUE } from './example-catalogue.ts';

const EXAMPLES: Readonly<Record<string, string>> = {
	...{ lanes: '2', serverCpus: '0', loadCpus: '1', readyTimeout: '45s' },
	skipUnaffected: 'false',
};
const here = optionsOf('compare').filter(([, entry]) => useOf(entry, 'compare')?.here && entry.of);
const resolve = (flags: Readonly<Record<string, string>>) =>
	resolveConfig(null, { subjectName: 'express', ...flags }, CATALOGUE, () => 1);

test('each has an example', () => {
	assert.deepEqual(here.map(([name]) => name).toSorted(), Object.keys(EXAMPLES).toSorted());
});

for (const [name, { of }] of here) {
	test(`${name} is in the config, and not in the part that a plan compares`, () => {
		const config = resolve({ [name]: EXAMPLES[name] ?? '' });
		assert.notEqual(of?.(config), undefined);
		assert.equal(hashOfConfig(config), hashOfConfig(resolve({})));
	});
}
