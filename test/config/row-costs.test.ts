import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRowCosts } from '../../evaluation/row-costs.ts';
import COSTS from '../../scenarios/costs.json' with { type: 'json' };
import { scenariosOfGroup } from '../../src/config/catalogue.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { countHeld } from '../../src/config/row-costs.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const TABLE = { ping: 10, json: 30 };
const held = (budget: number, ...scenarios: readonly string[]) =>
	countHeld(
		scenarios.map((scenario) => ({ scenario, rows: 2 })),
		budget,
		TABLE,
	);

test('a budget holds the first scenarios whose rows it can decide, at least one; unknown ones cost most', () => {
	assert.deepEqual([held(0, 'ping'), held(79, 'ping', 'json'), held(80, 'ping', 'json')], [1, 1, 2]);
	assert.deepEqual([held(119, 'json', 'other', 'ping'), held(120, 'json', 'other')], [1, 2]);
});

test('the table is that of the stored runs, and has all scenarios of core (npm run docs:costs)', async () => {
	assert.deepEqual(COSTS, await readRowCosts());
	const core = scenariosOfGroup('core', await loadCatalogue(TOOL_ROOT)) ?? [];
	assert.deepEqual(Object.keys(COSTS), core.toSorted());
});
