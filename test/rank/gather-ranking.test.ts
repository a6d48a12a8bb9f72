import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinRuns, type RankingRun } from '../../src/rank/gather-ranking.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import type { RankingData, RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptData, scriptServer, scriptTrials } from '../support/ranking-cases.ts';

const SERVERS = [['koa', 'hono'], ['express'], ['fastify']];
const SAMPLES: readonly (readonly RankingSample[])[] = [
	[...scriptTrials('koa', 0.8, 0.01), ...scriptTrials('hono', 0.9, 0.01)],
	[...scriptTrials('express', 0.4, 0.03), ...scriptTrials('express', 0.2, 0.01, 'middleware-5')],
	[...scriptTrials('fastify', 0.95, 0.01), ...scriptTrials('fastify', 0.8, 0.01, 'json-hello')],
];
const SETUP = scriptData([], SAMPLES.flat()).setup;

/** The run of shard `shard`. */
function runOf(shard: number, changes: Partial<RankingData> = {}, planHash = 'p'): RankingRun {
	const servers = ['node-http', ...(SERVERS[shard - 1] ?? [])].map((name) => scriptServer(name));
	const data = scriptData(servers, SAMPLES[shard - 1] ?? [], {
		setup: SETUP,
		createdAt: `2026-11-22T21:0${shard}:00.000Z`,
		shard: { shard, servers: SERVERS, planHash, whole: 'npx benchgate measure' },
		...changes,
	});
	return { name: `part-${shard}`, data };
}

const [FIRST, SECOND, THIRD] = [runOf(1), runOf(2), runOf(3)];
const rowsOf = (data: RankingData) =>
	new Map(summariseRanking(data).rows.map((row) => [`${row.server}/${row.scenario}`, row]));

test('shards make one ranking: each share is that of its shard, and the places are those of all', () => {
	const data = joinRuns([FIRST, SECOND, THIRD]);
	const rows = rowsOf(data);
	for (const [index, { data: own }] of [FIRST, SECOND, THIRD].entries()) {
		for (const server of SERVERS[index] ?? []) {
			assert.deepEqual(rows.get(`${server}/ping`)?.logShare, rowsOf(own).get(`${server}/ping`)?.logShare);
			assert.equal(rows.get(`${server}/ping`)?.shard, index + 1);
		}
	}
	const places = ['node-http', 'fastify', 'hono', 'koa', 'express'].map(
		(name) => rows.get(`${name}/ping`)?.rank?.first,
	);
	assert.deepEqual(places, [1, 2, 3, 4, 5]);
	assert.equal(data.reproduce, 'npx benchgate measure');
	assert.deepEqual(
		data.shards?.map(({ shard, state, servers }) => [shard, state, servers]),
		SERVERS.map((servers, index) => [index + 1, 'complete', servers]),
	);
});

test('a run that is named twice, or with a longer copy of itself, is refused: its rounds would count twice', () => {
	const plain = (name: string, samples: readonly RankingSample[]): RankingRun => {
		const servers = ['node-http', 'koa', 'express'].map((one) => scriptServer(one));
		return { name, data: scriptData(servers, samples, { setup: SETUP }) };
	};
	const koa = scriptTrials('koa', 0.8, 0.01);
	const went = [...koa, ...scriptTrials('express', 0.4, 0.01)];
	for (const [runs, where] of [
		[[plain('a', koa), plain('a', koa)], 'a'],
		[[plain('a', koa), plain('b', went)], 'b'],
	] as const) {
		assert.throws(() => joinRuns(runs), {
			code: 'same-run',
			where,
			message: 'it has rounds of a, which would count twice',
		});
	}
	const more = plain('b', scriptTrials('koa', 0.81, 0.01));
	assert.equal(joinRuns([plain('a', koa), more]).samples.length, 6);
	assert.equal(joinRuns([plain('a', []), plain('b', [])]).samples.length, 0);
});

test('the order of the runs changes nothing', () => {
	assert.deepEqual(joinRuns([THIRD, FIRST, SECOND]), joinRuns([FIRST, SECOND, THIRD]));
});

test('solo figures belong to one machine: those of the reference too', () => {
	const slow = SAMPLES[1]?.map((sample) => ({ ...sample, alone: { server: null, reference: null } })) ?? [];
	const rows = rowsOf(joinRuns([FIRST, runOf(2, { samples: slow }), THIRD]));
	const reference = rows.get('node-http/ping');
	assert.equal(reference?.shard, 1);
	assert.equal(reference?.throughputs.length, 6, 'of the pairs of shard 1 alone');
	assert.equal(rows.get('express/ping')?.throughputs.length, 0);
	assert.equal(rows.get('node-http/json-hello')?.shard, 3, 'the only shard that has it');
});

test('requests per second of two machines are never compared', () => {
	const [koa, express] = [
		[...scriptTrials('koa', 0.8, 0.01, 'json-hello'), ...scriptTrials('koa', 0.6, 0.01, 'middleware-5')],
		scriptTrials('express', 0.2, 0.01, 'middleware-5'),
	];
	const hello = joinRuns([runOf(1, { samples: koa }), runOf(2, { samples: express }), THIRD]);
	const { comparisons } = summariseRanking(hello, { wraps: { express: 'koa' } });
	const losses = comparisons.map(({ kind, row, loss }) => [kind, row.server, loss.low === null]);
	assert.deepEqual(losses, [
		['middleware-loss', 'node-http', true],
		['middleware-loss', 'koa', true],
		['wrapper', 'express', false],
	]);
});

test('servers of a missing shard stay in the tables, and a shard that was cut off counts as far as it came', () => {
	const cut = runOf(2, { ended: 'interrupted', samples: SAMPLES[1]?.slice(0, 3) ?? [] });
	const data = joinRuns([FIRST, cut]);
	const rows = rowsOf(data);
	assert.deepEqual(
		[rows.get('fastify/ping')?.state, rows.get('fastify/ping')?.reason],
		['not-reached', 'shard 3 left no measurement'],
	);
	assert.equal(rows.get('express/ping')?.state, 'measured');
	assert.equal(rows.get('express/middleware-5')?.state, 'not-reached');
	assert.deepEqual(
		data.shards?.map(({ state }) => state),
		['complete', 'cut-off', 'missing'],
	);
	assert.deepEqual(
		data.warnings.map(({ message }) => message.slice(0, 26)),
		['Shard 2 was cut off before', 'Shard 3 left no measuremen'],
	);
	assert.equal(data.ended, 'decided', 'as far as it was not cut off');
});

test('of two runs of a shard the first complete one counts; a copy is no second run', () => {
	const killed = runOf(1, { ended: 'interrupted', createdAt: '2026-11-22T20:00:00.000Z', samples: [] });
	const later = runOf(1, { createdAt: '2026-11-22T22:00:00.000Z', samples: scriptTrials('koa', 0.1, 0.01) });
	const data = joinRuns([
		{ ...later, name: 'later' },
		{ ...killed, name: 'killed' },
		FIRST,
		{ ...FIRST, name: 'copy' },
		SECOND,
		THIRD,
	]);
	assert.equal(rowsOf(data).get('koa/ping')?.share?.value.toFixed(2), '0.80');
	assert.deepEqual(
		data.warnings.map(({ message }) => message),
		['Shard 1 was measured more than once: copy counts, killed, later do not.'],
	);
});

test('a reference that one machine could not install is still present', () => {
	const failed = runOf(3, {
		servers: [scriptServer('node-http', { state: 'not-installed', reason: '404' }), scriptServer('fastify')],
		samples: [],
		unmeasured: [
			{ server: 'fastify', scenario: 'ping', state: 'broken', reason: 'node-http could not be installed', side: null },
		],
	});
	const rows = rowsOf(joinRuns([FIRST, SECOND, failed]));
	assert.equal(rows.get('node-http/ping')?.state, 'measured');
	assert.deepEqual([rows.get('fastify/ping')?.state, rows.get('koa/ping')?.state], ['broken', 'measured']);
});

test('shards of two rankings, and runs that are no shards, are refused', () => {
	const { shard: _, ...plain } = SECOND.data;
	for (const [stray, pattern] of [
		[runOf(2, {}, 'other'), /part-1: it is a shard of another ranking/],
		[{ name: 'part-2', data: plain }, /part-1: it is no shard/],
	] as const) {
		assert.throws(() => joinRuns([FIRST, stray]), pattern);
	}
	assert.equal(joinRuns([{ name: 'a', data: plain }]).shards, undefined);
});
