/**
 * The sentences of a ranking's report beside its figures: number of rounds, runtimes of servers, names of coefficients.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { bandOf } from '../../../src/rank/variation.ts';
import { plain } from '../../../src/report/document/table.ts';
import { writeVariation } from '../../../src/report/ranking/ranking-figures.ts';
import { buildMeasureReport } from '../../../src/report/ranking/ranking-model.ts';
import { versionsTable } from '../../../src/report/ranking/ranking-tables.ts';
import { scriptData, scriptSample, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';

test('the headline has the number of rounds that most rows had', () => {
	const endOf = (rounds: readonly number[]) => {
		const names = rounds.map((_, at) => `s${at}`);
		const samples = rounds.flatMap((count, at) =>
			Array.from({ length: count }, (_, round) =>
				scriptSample({ server: `s${at}`, round: round + 1, share: 0.5, reference: 40_000 }),
			),
		);
		const data = scriptData([scriptServer('node-http'), ...names.map((name) => scriptServer(name))], samples);
		return buildMeasureReport(summariseRanking(data)).end.split(' in ')[0];
	};
	assert.equal(endOf([3, 3]), '3 rounds');
	assert.equal(endOf([1]), '1 round');
	assert.equal(endOf([3, 5]), '3 to 5 rounds a row');
	assert.equal(
		endOf([...Array.from({ length: 20 }, (_, at) => 3 + (at % 3)), 12]),
		'3 to 5 rounds for most rows, at most 12,',
	);
	assert.equal(endOf([2, ...Array.from({ length: 20 }, () => 3)]), '3 rounds for most rows, at least 2,');
});

test('a coefficient has one decimal, and two if rounding would put it into another band', () => {
	const write = (cov: number) => writeVariation({ sd: 1, cov, band: bandOf(cov) });
	assert.equal(write(0.02), '2.0 % (excellent)');
	assert.equal(write(0.03), '3.0 % (acceptable)');
	assert.equal(write(0.0298), '2.98 % (excellent)');
	assert.equal(write(0.1003), '10.03 % (unreliable)');
	assert.equal(writeVariation({ sd: null, cov: null, band: null }), '–');
});

describe('the runtime of a server', () => {
	const servers = [
		scriptServer('node-http'),
		scriptServer('uws', { runtime: { name: 'node', version: '20.20.2' } }),
		scriptServer('bun', { versions: { bun: '1.4.4' }, direct: ['bun'] }),
		scriptServer('go', { versions: {}, direct: [] }),
	];
	const onOf = (changes = {}) => {
		const { columns, rows } = versionsTable({ ...summariseRanking(scriptData(servers, [])), ...changes });
		const at = columns.findIndex(({ label }) => label === 'runs on');
		return rows.map((cells) => plain(cells[at] ?? []));
	};

	test('is named for each server if they differ', () => {
		assert.deepEqual(onOf(), ['Node 24.1.0', 'Node 20.20.2', 'Bun 1.4.4', '–']);
	});

	test('is that of its shard if machines differ', () => {
		const { environment } = scriptData(servers, []);
		const shard = { state: 'complete', servers: [] } as const;
		const shards = [
			{ ...shard, shard: 1, environment },
			{ ...shard, shard: 2, environment: { ...environment, node: '22.12.0' } },
		];
		assert.equal(onOf({ shards })[0], 'Node of its shard');
	});
});

test("a server's note on its figures is below the table of that scenario, and of each step of a ramp", () => {
	const remarks = { ping: 'It answers from a cache.', constructor: 'Nobody asked this.' };
	const fault = { code: 'wrong-body', side: 'head' as const, message: 'head gave a wrong answer' };
	const samples = ['ping', 'ping@10', 'json-post'].flatMap((scenario) => scriptTrials('koa', 0.5, 0.01, scenario));
	const broken = scriptSample({ server: 'other', round: 1, share: 1, faults: [fault] });
	const servers = [scriptServer('node-http'), scriptServer('koa', { remarks }), scriptServer('other', { remarks })];
	const report = buildMeasureReport(summariseRanking(scriptData(servers, [...samples, broken])));
	const lines = report.scenarios.map(({ name, remarks }) => [
		name,
		remarks.map(plain).filter((remark) => remark.includes('cache')),
	]);
	assert.deepEqual(lines, [
		['ping', ['koa: It answers from a cache.']],
		['ping@10', ['koa: It answers from a cache.']],
		['json-post', []],
	]);
});

test('places that come from shares are marked, and a table of rounds counts the values it leaves out', () => {
	const samples = ['a', 'b', 'c', 'd'].flatMap((name) => scriptTrials(name, 0.5, 0.01));
	const data = scriptData(
		['node-http', 'a', 'b', 'c', 'd'].map((name) => scriptServer(name)),
		samples,
	);
	const report = buildMeasureReport(summariseRanking(data));
	assert.match(
		report.ranking.note,
		/Places come from shares of the reference\. The figures in parentheses vary more, so their order may differ\./,
	);
	assert.match(report.rounds[0]?.note ?? '', /Only the first 10 of up to 12 values are shown/);
	assert.deepEqual(
		report.rounds[0]?.columns.slice(-4).map(({ label }) => label),
		['sd', 'CoV', 'sd of p99, ms', 'CoV of p99'],
	);
	const setup = {
		...data.setup,
		preset: 'seed-blog',
		scenarios: data.setup.scenarios.map((one) => ({ ...one, reference: null })),
	};
	const alone = buildMeasureReport(summariseRanking({ ...data, setup }));
	assert.doesNotMatch(alone.ranking.note, /shares of the reference/);
});
