/** Wrong answers in a mix that only the rows of data reveal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, SHOP } from './mix-laboratory.ts';

test('an answer to another row is wrong', async () => {
	const { loaded: faults } = await look('first-user-later');
	assert.deepEqual(
		faults?.map(({ code, side }) => [code, side]),
		[['wrong-body', 'head']],
	);
	assert.match(
		faults?.[0]?.message ?? '',
		/of head to GET \/users\/\{\{id\}\} \(request 1 of 3\).* is 1 instead of "\d+"$/,
	);
});

test('even if only a status is expected, a side whose answers differ between load and rest is at fault', async () => {
	const mix = SHOP.mix?.map(({ expect: _, ...one }) => ({ ...one, expect: { status: [200] } })) ?? [];
	const { loaded: faults } = await look('first-user-under-load', { ...SHOP, mix });
	assert.deepEqual(
		faults?.map(({ code, side }) => [code, side]),
		[['changed-under-load', 'head']],
	);
	assert.match(faults?.[0]?.message ?? '', /of head to GET \/users\/\{\{id\}\} \(request 1 of 3\) under load/);
	// In the warm-up few connections close and open, and it answers correctly.
	const pattern = /first: GET \/users\/\d+: (?:"\{\\"id\\":1\}"|several answers) instead of "\{\\"id\\":\d+\}"$/;
	assert.match(faults?.[0]?.message ?? '', pattern);
});

test('the same holds for answers that may be compressed', async () => {
	const headers = { 'accept-encoding': 'gzip' };
	const mix = SHOP.mix?.map(({ request, ...one }) => ({
		...one,
		request: { ...request, headers },
		expect: { status: [200] },
	}));
	const { loaded: faults } = await look('first-user-under-load', { ...SHOP, mix: mix ?? [] });
	assert.deepEqual(
		faults?.map(({ code, side }) => [code, side]),
		[['changed-under-load', 'head']],
	);
	assert.match(faults?.[0]?.message ?? '', /of head to GET \/users\/\{\{id\}\} .* were not those it gives at rest/);
});

test('a right status that head gives only under load is reported', async () => {
	const mix = SHOP.mix?.map((one) => ({ ...one, expect: { status: [200, 404] } }));
	const { loaded: faults } = await look('missing-under-load', { ...SHOP, mix: mix ?? [] });
	const [list, ...others] = faults ?? [];
	assert.deepEqual(others, []);
	assert.deepEqual([list?.code, list?.side], ['changed-under-load', 'head']);
	assert.match(list?.message ?? '', /of head to GET \/list .* had another status than before, 200: mostly 404$/);
});
