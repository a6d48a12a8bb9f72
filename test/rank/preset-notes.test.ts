import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetOf } from '../../src/config/ranking/presets.ts';
import { generatorNotes, limitNotes, versionNotes } from '../../src/rank/preset-notes.ts';
import { speedRatio } from '../../src/rank/ratios.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import { aloneAt, scriptData, scriptSample, scriptServer, scriptTrials } from '../support/ranking-cases.ts';

const PRESET = presetOf('seed-ergo');

test('versions of Node and packages that differ from those of the page are reported, each once', () => {
	const servers = [
		scriptServer('express', { versions: { express: '5.3.0', ajv: '8.18.0', other: '1.0.0' } }),
		scriptServer('hono', { versions: { hono: '4.13.0' }, direct: ['hono'] }),
		scriptServer('koa', { versions: { koa: '3.1.2', ajv: '8.20.0' } }),
		scriptServer('fastify', { versions: { ajv: '8.20.0' }, runtime: { name: 'node', version: '22.23.3' } }),
		scriptServer('bun', { versions: {}, runtime: { name: 'bun', version: '1.4.5' } }),
		scriptServer('hono', { state: 'not-installed', reason: '404', versions: { hono: '1.0.0' } }),
	];
	const messages = versionNotes(scriptData(servers, []), PRESET).map(({ message }) => message);
	assert.deepEqual(messages, [
		'Versions are not those of the page: express 5.3.0 (page: 5.2.1), hono 4.13.0 (page: 4.12.8), ajv 8.20.0 (page: 8.18.0). `--package express=5.2.1,hono=4.12.8` takes those of the page, where the registry has them.',
		'The page ran on Node 22; here it is 24.1.0. `--runtime node@22` takes that one, where a server runs on it.',
	]);
	assert.deepEqual(versionNotes(scriptData(servers, []), null), []);
	assert.deepEqual(versionNotes(scriptData(servers.slice(1, 2), []), presetOf('seed-blog')), []);
});

test('a request that the tool of a page refuses is reported with the row', () => {
	const totals = { requests: 1000, bytes: 1, seconds: 1, errors: 9, unexpected: 11 };
	const slow = { ...aloneAt(100), totals };
	assert.deepEqual(
		limitNotes(slow, PRESET).map(({ message }) => message),
		['2 % of the requests failed; the page allows 1 %.', 'p99 is 2.00 s; the page allows 1.00 s.'],
	);
	const deaf = { ...aloneAt(10_000), totals: { ...totals, requests: 0, unexpected: 0 } };
	assert.match(limitNotes(deaf, PRESET)[0]?.message ?? '', /^100 % of the requests failed/);
	assert.deepEqual(limitNotes(slow, null), []);
	assert.deepEqual(limitNotes(aloneAt(10_000), PRESET), []);
});

test('a row whose load generator was at its limit names it', () => {
	const at = (...busy: number[]) =>
		busy.map((generatorUtilisation, index) =>
			scriptSample({ server: 'uws', round: index + 1, share: 1, guards: { generatorUtilisation } }),
		);
	const notesFor = (samples: ReturnType<typeof at>, setup: Parameters<typeof generatorNotes>[1]) =>
		generatorNotes(samples, setup).map(({ message }) => message);
	const bound = at(0.97, 0.94, 1);
	assert.deepEqual(notesFor(bound, { preset: 'seed-pikku' }), [
		'The load generator was at its limit: the server may be able to answer more.',
	]);
	assert.deepEqual(notesFor(bound, { preset: 'seed-ergo', driver: 'k6' }), [
		'k6 was at its limit: the server may be able to answer more.',
	]);
	assert.deepEqual(notesFor(at(0.97, 0.9, 0.8), { preset: 'seed-ergo', driver: 'k6' }), []);
	// A row beside a reference has its own words.
	assert.deepEqual(notesFor(bound, { preset: null }), []);

	const samples = bound.map((sample) => ({
		...sample,
		reference: 'uws',
		d: {},
		alone: { ...sample.alone, reference: null },
	}));
	const data = scriptData([scriptServer('uws')], samples);
	const [row] = summariseRanking({ ...data, setup: { ...data.setup, preset: 'seed-pikku' } }).rows;
	assert.deepEqual(
		row?.warnings.map(({ code }) => code),
		['generator-bound'],
	);
});

test('a driver at its limit with one server ranks all rows of the scenario by CPU time per request', () => {
	const sampleOf = (server: string, throughput: number, cpu: number, generatorUtilisation: number) => {
		const sample = scriptSample({ server, round: 1, share: 1, guards: { generatorUtilisation } });
		const alone = aloneAt(throughput);
		const metrics = { ...alone.metrics, 'cpu-per-request': cpu };
		return { ...sample, reference: server, d: {}, alone: { server: { ...alone, metrics }, reference: null } };
	};
	const rowsOf = (busy: number) => {
		const samples = [sampleOf('uws', 24_000, 10, busy), sampleOf('koa', 24_500, 30, 0.7)];
		const data = scriptData([scriptServer('uws'), scriptServer('koa')], samples);
		const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, reference: null }));
		return summariseRanking({ ...data, setup: { ...data.setup, scenarios, preset: 'seed-pikku' } }).rows;
	};
	const placesFor = (busy: number) => rowsOf(busy).map(({ server, rank, judgedBy }) => [server, rank?.first, judgedBy]);
	assert.deepEqual(placesFor(0.99), [
		['uws', 1, 'cpu-per-request'],
		['koa', 2, 'cpu-per-request'],
	]);
	assert.deepEqual(placesFor(0.5), [
		['uws', 2, 'throughput'],
		['koa', 1, 'throughput'],
	]);
	const [uws, koa] = rowsOf(0.99);
	assert.ok(uws && koa);
	assert.equal(Math.round(speedRatio(uws, koa)), 3);
});

test('the preset of a run decides how its rounds become one figure, in merged runs too', () => {
	const samples = scriptTrials('koa', 0.8, 0.2).map((sample) => ({
		...sample,
		reference: 'koa',
		d: {},
		alone: { ...sample.alone, reference: null },
	}));
	const of = (preset: string | null) => {
		const data = scriptData([scriptServer('koa')], samples);
		const [row] = summariseRanking({ ...data, setup: { ...data.setup, preset } }).rows;
		return [row?.alone?.metrics.throughput, row?.variation.throughput.sd].map((value) => Math.round(value ?? 0));
	};
	const values = samples.map(({ alone }) => alone.server?.metrics.throughput ?? 0);
	const mean = values.reduce((sum, value) => sum + value, 0) / 3;
	const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
	const [sample, population] = [Math.sqrt(squares / 2), Math.sqrt(squares / 3)].map(Math.round);
	const median = Math.round(values.toSorted((a, b) => a - b)[1] ?? 0);
	assert.deepEqual(of(null), [median, sample]);
	assert.deepEqual(of('seed-ergo'), [Math.round(mean), population]);
	assert.deepEqual(of('seed-vext-runner'), [median, sample]);
});
