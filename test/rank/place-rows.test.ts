import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writeRank } from '../../src/rank/rank.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import { plain } from '../../src/report/document/table.ts';
import { buildMeasureReport } from '../../src/report/ranking/ranking-model.ts';
import { aloneAt, scriptData, scriptSample, scriptServer } from '../support/ranking-cases.ts';

/** Servers in worker processes: requests per second of each round. */
function clusterOf(rounds: Readonly<Record<string, readonly number[]>>, preset: string | null = null) {
	const samples = Object.entries(rounds).flatMap(([server, rates]) =>
		rates.map((rate, at) => ({
			...scriptSample({ server, scenario: 'cluster-1', round: at + 1, share: 1, reference: rate }),
			reference: server,
			d: {},
			alone: { server: aloneAt(rate), reference: null },
		})),
	);
	const data = scriptData(
		Object.keys(rounds).map((name) => scriptServer(name)),
		samples,
	);
	const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, reference: null, workers: 1 }));
	const result = summariseRanking({ ...data, setup: { ...data.setup, preset, scenarios } });
	const [scenario] = buildMeasureReport(result).scenarios;
	assert.ok(scenario);
	return {
		places: Object.fromEntries(scenario.rows.map(({ server, rank }) => [server, rank && writeRank(rank)])),
		ratios: scenario.ratios && plain(scenario.ratios),
		remarks: scenario.remarks.map(plain),
	};
}

const FASTIFY = [100_300, 98_000, 102_000];
const NODE = [99_800, 101_500, 97_500];
const KOA = [79_000, 78_000, 80_500];

describe('servers that are measured without a reference', () => {
	test('share places if their rounds do not separate them', () => {
		const { places, ratios, remarks } = clusterOf({ fastify: FASTIFY, 'node-http': NODE, koa: KOA });
		assert.deepEqual(places, { fastify: '1-2', 'node-http': '1-2', koa: '3' });
		assert.equal(
			ratios,
			'fastify is about 1.3 times as fast as koa; it is about as fast as node-http (intervals overlap).',
		);
		assert.deepEqual(remarks, []);
	});

	test('have no place after a single round', () => {
		const { places, ratios, remarks } = clusterOf({ fastify: FASTIFY, koa: KOA, 'node-http': [120_000] });
		assert.deepEqual(places, { fastify: '1', koa: '2', 'node-http': null });
		assert.equal(ratios, 'fastify is about 1.3 times as fast as koa.');
		assert.deepEqual(remarks, [
			'Servers that were measured in a single round have no place: a place needs two rounds.',
		]);
		const single = clusterOf({ fastify: [100_300], koa: [79_000] });
		assert.deepEqual([single.places, single.ratios], [{ fastify: null, koa: null }, null]);
	});

	test('are ranked by figures under a preset, as on its page', () => {
		const { places } = clusterOf({ fastify: FASTIFY, 'node-http': NODE }, 'seed-vext-page');
		assert.deepEqual(places, { fastify: '1', 'node-http': '2' });
	});
});
