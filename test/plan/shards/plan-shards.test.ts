import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlan, renderPlan, sealPlan } from '../../../src/formats/plan-file.ts';
import { findContradiction } from '../../../src/formats/raw/raw-contradiction.ts';
import { parseRaw, renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { costsByBaselines } from '../../../src/judge/baseline/costs-by-baselines.ts';
import { gatherShards } from '../../../src/judge/gather-shards.ts';
import { summarise } from '../../../src/judge/summarise.ts';
import { planShards } from '../../../src/plan/shards/plan-shards.ts';
import { costsOf, earlierCosts } from '../../../src/plan/shards/shard-costs.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { ShardPlan } from '../../../src/types/shards.ts';
import { syntheticRecords } from '../../support/baselines/records.ts';
import { shardFilesOf, shardPlanOf } from '../../support/shards.ts';
import { cellsOf, exampleConfig } from '../example-plan.ts';

const SIDE = { revision: 'main', kind: 'git', label: 'main@1a2b3c4', content: 'tree 1', sha: '1'.repeat(40) } as const;

function planOf(changes: Partial<Parameters<typeof planShards>[0]> = {}): ShardPlan {
	return sealPlan(
		planShards({
			config: exampleConfig(),
			sides: { base: SIDE, head: { ...SIDE, revision: 'HEAD' } },
			count: 2,
			known: null,
			options: { base: 'main', head: 'HEAD', seed: '1' },
			configHash: 'c'.repeat(64),
			tool: { name: 'benchgate', version: '1.2.3' },
			createdAt: '2026-11-22T09:00:00.000Z',
			...changes,
		}),
	);
}

function refusalOf(text: string): string {
	try {
		parsePlan(text, 'plan.json');
	} catch (error) {
		if (isUserError(error)) return `${error.where}: ${error.message}`;
		throw error;
	}
	return assert.fail('it was accepted');
}

test('a plan has every cell of the config, one family, and looks that the largest shard can reach', () => {
	const plan = planOf();
	assert.deepEqual([plan.m, plan.cells.length, plan.shards.length], [4, 4, 2]);
	assert.deepEqual(planOf({ config: exampleConfig({ rounds: 6 }) }).looks.at(-1)?.rounds, 6);
	const short = exampleConfig({ budgetSeconds: 60 });
	const long = exampleConfig({ budgetSeconds: 3_600 });
	assert.deepEqual(
		[short, long].map((config) => planOf({ config }).looks.at(-1)?.rounds),
		[20, 68],
	);
});

test('unaffected rows get no shard and leave the family; if no row remains, the seed draws one', () => {
	const [first, ...others] = planOf().cells.map(({ id }) => id);
	assert.ok(first !== undefined);
	const some = planOf({ unaffected: others, count: null });
	assert.deepEqual([some.m, some.cells.map(({ id }) => id)], [1, [first]]);
	assert.ok(others.every((id) => some.oneSided.some((cell) => cell.id === id && cell.verdict === 'unaffected')));
	const none = [1, 2, 3, 4, 5].map((seed) =>
		planOf({ config: exampleConfig({ seed }), unaffected: [first, ...others] }),
	);
	assert.ok(none.every(({ cells, oneSided }) => cells.length === 1 && oneSided.length === others.length));
	assert.ok(new Set(none.map(({ cells }) => cells[0]?.id)).size > 1);
	assert.ok(none.every(({ cells, audited }) => audited?.[0] === cells[0]?.id));
});

test('shards measure the unaffected rows that the seed draws for an audit', () => {
	const [first = '', ...others] = planOf().cells.map(({ id }) => id);
	const plans = Array.from({ length: 60 }, (_, seed) =>
		planOf({ config: exampleConfig({ seed }), unaffected: others, count: null }),
	);
	const audits = plans.filter(({ audited }) => audited !== undefined);
	assert.ok(audits.length > 0 && audits.length < plans.length / 3, `${audits.length}`);
	for (const { audited = [], cells, shards, m, oneSided } of audits) {
		assert.deepEqual([audited.length, m, oneSided.length], [1, 2, others.length - 1]);
		assert.deepEqual(cells.map(({ id }) => id).toSorted(), [first, ...audited].toSorted());
		assert.deepEqual(shards.flatMap((shard) => shard.cells).toSorted(), [first, ...audited].toSorted());
	}
});

test('a plan survives writing and reading, and the same input gives the same hash', () => {
	const plan = planOf();
	assert.deepEqual(parsePlan(renderPlan(plan)), plan);
	assert.equal(planOf().planHash, plan.planHash);
	assert.notEqual(planOf({ count: 3 }).planHash, plan.planHash);
});

const text = renderPlan(planOf());
const changed = (change: (plan: Record<string, unknown>) => void, seal = true): string => {
	const { planHash, ...plan } = JSON.parse(text);
	change(plan);
	return JSON.stringify(seal ? sealPlan(plan) : { ...plan, planHash });
};

const REFUSED: Readonly<Record<string, readonly [string, RegExp]>> = {
	'cut off': [text.slice(0, -20), /it is not JSON/],
	'of another kind': ['{"kind":"benchgate-raw"}', /is not a plan/],
	'of a later form': [changed((plan) => Object.assign(plan, { schemaVersion: 2 })), /benchgate 1\.2\.3 wrote it/],
	'changed by hand': [
		changed((plan) => Object.assign(plan, { seed: 2 }), false),
		/its hash is not that of its content/,
	],
	'without a key': [changed((plan) => delete plan.looks), /looks/],
	'with a cell twice': [
		changed((plan) => Object.assign(plan, { shards: [planOf().shards[0], { ...planOf().shards[0], index: 2 }] })),
		/every cell once/,
	],
	'without a cell': [
		changed((plan) => Object.assign(plan, { shards: planOf().shards.slice(0, 1) })),
		/every cell once/,
	],
	'with another family': [changed((plan) => Object.assign(plan, { m: 40 })), /its family/],
	huge: [`${' '.repeat(6_000_000)}${text}`, /more than 5000000 bytes/],
};

for (const [what, [broken, pattern]] of Object.entries(REFUSED)) {
	test(`a plan is refused: ${what}`, () => {
		assert.match(refusalOf(broken), pattern);
	});
}

test('costs come from an earlier run, and new cells get the median', () => {
	const ids = ['express/ping', 'express/json', 'koa/ping', 'koa/json'];
	const plan = shardPlanOf(ids, 2);
	const raw = gatherShards(plan, shardFilesOf(plan));
	const cells = cellsOf(...ids, 'koa/new');
	const costs = costsOf(cells, { design: 'duet' }, earlierCosts(raw));
	assert.equal(costs.source, 'measured');
	const sortedCosts = ids.map((id) => costs.cells[id] as number).sort((a, b) => a - b);
	assert.ok(sortedCosts.every((seconds) => seconds > 0));
	assert.equal(costs.cells['koa/new'], ((sortedCosts[1] as number) + (sortedCosts[2] as number)) / 2);
	assert.equal(costs.setup, 60);
	assert.equal(costsOf(cells, { design: 'duet' }, null).source, 'timing');
	const gate = { onInconclusive: 'neutral', metrics: ['throughput', 'calls'] } as const;
	const counting = costsOf(cells, { design: 'duet', gate }, earlierCosts(raw));
	for (const { id } of cells) assert.equal(counting.cells[id], (costs.cells[id] as number) + 5);
	const counted = { ...raw, rounds: [...raw.rounds, { ...raw.rounds[0], purpose: 'count' as const }] };
	assert.deepEqual(earlierCosts(counted as typeof raw), earlierCosts(raw));
});

test('a row that is not measured has no shard and no part in the family, and is in the gathered result', () => {
	const plan = parsePlan(renderPlan(planOf({ sameCode: ['koa'] })));
	assert.deepEqual(plan.shards.flatMap(({ cells }) => cells).sort(), ['express/json-post', 'express/ping']);
	assert.equal(plan.m, 2);
	assert.deepEqual(
		plan.oneSided.map(({ id, verdict }) => [id, verdict]),
		[
			['koa/ping', 'same-code'],
			['koa/json-post', 'same-code'],
		],
	);
	const smaller = shardPlanOf(['express/ping', 'express/json-post'], 2, { oneSided: plan.oneSided });
	const raw = gatherShards(smaller, shardFilesOf(smaller));
	assert.equal(findContradiction(raw), null);
	assert.deepEqual(parseRaw(renderRaw(raw)).plan.oneSided, plan.oneSided);
	const { cells, gate } = summarise(raw);
	assert.deepEqual(
		cells.map(({ server, verdict, shard }) => [server, verdict, shard !== undefined]),
		[
			['express', 'unchanged', true],
			['express', 'unchanged', true],
			['koa', 'same-code', false],
			['koa', 'same-code', false],
		],
	);
	assert.equal(gate.outcome, 'pass');
	assert.deepEqual(gate.reasons, ['No regression beyond the limit in 2 rows.']);
});

test('baselines set which rows take more rounds, within the first and the last look', () => {
	const records = syntheticRecords({ seed: 3, commits: 4, cells: ['express/ping', 'koa/ping'] });
	const spread = (sd: number | null) =>
		records.map((record) => ({
			...record,
			cells: record.cells.map((cell) =>
				cell.server === 'koa' ? { ...cell, roundSd: sd } : { ...cell, roundSd: 0.01 },
			),
		}));
	const roundsOf = (sd: number | null) => costsByBaselines(spread(sd), exampleConfig())?.cells.get('koa/ping')?.rounds;
	assert.deepEqual([0, 0.01, 0.02, 0.03, 1e300, null].map(roundsOf), [4, 4, 9, 20, 20, undefined]);
	assert.equal(costsByBaselines([], exampleConfig()), null);
	assert.equal(
		costsByBaselines(records, exampleConfig({ gate: { onInconclusive: 'pass', metrics: ['cold-start'] } })),
		null,
	);
	const known = costsByBaselines(spread(0.03), exampleConfig());
	const { costs, cells, shards } = planOf({ known, count: 2 });
	assert.equal(costs.source, 'baselines');
	assert.ok((costs.cells['koa/ping'] as number) > 4 * (costs.cells['express/ping'] as number));
	// Cells without a baseline get the median, and every cell has one shard whatever baselines contain.
	assert.equal(costs.cells['koa/json-post'], costs.cells['express/json-post']);
	assert.deepEqual(shards.flatMap((shard) => shard.cells).sort(), cells.map(({ id }) => id).sort());
});

test('an error about a plan without a row on both sides names the missing parts of each side, and a remedy', () => {
	const config = exampleConfig();
	const [first, ...others] = config.scenarios;
	assert.ok(first);
	const without = { ...config, scenarios: others };
	const only = { ...config, scenarios: [first] };
	const refusalFor = (changes: Parameters<typeof planOf>[0]) => {
		try {
			planOf(changes);
		} catch (error) {
			if (isUserError(error)) return [error.code, error.message, error.remedy];
			throw error;
		}
		return assert.fail('there is nothing to divide');
	};
	const words = 'no row can be measured on both sides, so there is nothing to divide among machines';
	const neutral =
		'compare this change without shards: one machine reports such rows, and its gate is neither green nor red';
	assert.deepEqual(refusalFor({ sameCode: ['express', 'koa'] }), [
		'nothing-to-divide',
		`${words} (the same code on both sides: express/ping, express/json-post, koa/ping, koa/json-post)`,
		neutral,
	]);
	assert.deepEqual(refusalFor({ config: only, sideConfigs: { base: [{ ...only, scenarios: [] }], head: [only] } }), [
		'nothing-to-divide',
		`${words} (only in head: express/ping, koa/ping)`,
		neutral,
	]);
	assert.deepEqual(refusalFor({ sideConfigs: { base: [only], head: [without] } }), [
		'nothing-to-divide',
		`${words} (only in head: express/json-post, koa/json-post; only in base: express/ping, koa/ping)`,
		'bring back what is gone in head, or take it out of the config of base first',
	]);
});
