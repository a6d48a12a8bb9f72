import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { holdSpare, withSpare } from '../../src/plan/hold-spare.ts';
import type { Config } from '../../src/types/config.ts';
import { CATALOGUE } from '../config/example-catalogue.ts';

const { spare: _, ...asked } = resolveConfig(null, { server: 'express', budget: '60s' }, CATALOGUE, () => 1);
const [ping, jsonPost] = asked.scenarios;
assert.ok(ping && jsonPost);
const named = (name: string) => ({ ...ping, name });
/** `auto` holds two, and the user names a third. */
const config: Config = {
	...asked,
	scenarios: [named('one'), named('two'), named('mine')],
	spare: { chosen: ['one', 'two'], others: [named('three'), named('four')] },
};
const namesOf = ({ scenarios }: Config) => scenarios.map(({ name }) => name);
const hold = (...affected: string[]) => holdSpare(withSpare(config), affected);

test('without a spare scenario the config stays as it is', () => {
	assert.equal(withSpare(asked), asked);
	assert.deepEqual(holdSpare(asked, []), { config: asked, warning: null });
});

test('affected scenarios replace unaffected ones', () => {
	assert.deepEqual(namesOf(withSpare(config)), ['one', 'two', 'mine', 'three', 'four']);
	const { config: held, warning } = hold('express/two', 'express/four');
	assert.deepEqual(namesOf(held), ['one', 'two', 'mine', 'three', 'four'], 'unaffected ones are listed as such');
	assert.equal(warning, null);
});

test('affected scenarios beyond the budget are left out and named, and those requested by name stay', () => {
	const { config: held, warning } = hold('express/one', 'express/three', 'koa/four', 'express/mine');
	assert.deepEqual(namesOf(held), ['one', 'two', 'mine', 'three']);
	assert.deepEqual(warning, {
		code: 'scenarios-beyond-budget',
		message:
			'More scenarios may run changed code than the budget of 1 min holds, and were not measured: four. Raise the budget, or name them in scenarios.',
	});
});

test('where no change chooses scenarios, those beyond the budget are named too', () => {
	const { config: held, warning } = holdSpare(config, null);
	assert.deepEqual(namesOf(held), ['one', 'two', 'mine']);
	assert.match(
		warning?.message ?? '',
		/^More scenarios belong to "auto" than the budget .* not measured: three, four\./,
	);
});
