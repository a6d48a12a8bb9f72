import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderRankingJson } from '../../../src/formats/json-files.ts';
import { timingOfMeasure } from '../../../src/plan/ranking-pairs.ts';
import { joinRuns, type RankingRun } from '../../../src/rank/gather-ranking.ts';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { toMarkdown } from '../../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../../src/report/document/terminal-writer.ts';
import { drawBars, rankingDocument } from '../../../src/report/ranking/ranking-document.ts';
import { MEASURE_RENDERERS } from '../../../src/report/render-formats.ts';
import { RANKING_SCHEMA, type RankingResult } from '../../../src/types/ranking/ranking.ts';
import { assertGolden } from '../../support/golden.ts';
import { scriptData, scriptSample, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';
import { strictly } from '../../support/strict-schema.ts';

const HOSTILE = '](javascript:x) <img src=x onerror=y> @everyone #1 | `a`\n\u202e **b**';
const NAMES = ['node-http', 'koa', 'hono', 'express', 'wrapped'] as const;
const FAULT = {
	code: 'wrong-body',
	side: 'head' as const,
	message: 'head gave a wrong answer to POST /users: body is "no"',
};

const usual = scriptData(
	[
		...NAMES.map((name) => scriptServer(name)),
		scriptServer('ergo', {
			state: 'not-installed',
			reason: 'npm does not serve it; name a folder with package',
			versions: {},
		}),
	],
	[
		...scriptTrials('koa', 0.8, 0.004),
		...scriptTrials('hono', 0.805, 0.004),
		...scriptTrials('express', 0.4, 0.02),
		...scriptTrials('wrapped', 0.36, 0.01),
		...scriptTrials('koa', 0.7, 0.01, 'json-hello'),
		...scriptTrials('express', 0.35, 0.01, 'json-hello'),
		...scriptTrials('wrapped', 0.34, 0.01, 'json-hello'),
		scriptSample({ server: 'hono', scenario: 'json-hello', round: 1, share: 1, faults: [FAULT] }),
		...scriptTrials('koa', 0.5, 0.01, 'middleware-5'),
		...scriptTrials('express', 0.2, 0.01, 'middleware-5').map((sample) => ({
			...sample,
			guards: { ...sample.guards, generatorUtilisation: 0.98 },
		})),
	],
	{
		unmeasured: [
			{ server: 'wrapped', scenario: 'middleware-5', state: 'left-out', reason: 'it has no middlewares', side: null },
		],
	},
);

const { design: _, processes: __, ...besideSetup } = usual.setup;
/**
 * As older versions measured, before servers were loaded in turn: the windows of those versions, and a note on figures
 * that are otherwise solo.
 */
const beside = scriptData(
	usual.servers.slice(0, 2),
	scriptTrials('koa', 0.6, 0.01).map((sample) => ({ ...sample, d: { ...sample.d, throughput: Math.log(0.5) } })),
	{
		setup: {
			...besideSetup,
			scenarios: besideSetup.scenarios.slice(0, 1),
			timing: {
				firstWarmup: { requests: 40_000, leastSeconds: 1, mostSeconds: 3 },
				warmup: { requests: 5_000, leastSeconds: 0.5, mostSeconds: 1.5 },
				...{ settleSeconds: 0.1, windowSeconds: 0.5, windows: 3, soloSeconds: 0.5, soloRounds: 1_000_000 },
			},
		},
	},
);

/** Every server alone: no shares, no reference. */
const preset = scriptData(
	[
		scriptServer('koa'),
		scriptServer('express'),
		scriptServer('ergo', { state: 'unsupported', reason: 'not here', versions: {} }),
	],
	[...scriptTrials('koa', 0.8, 0.02), ...scriptTrials('express', 0.4, 0.02)].map((sample) => ({
		...sample,
		reference: sample.server,
		d: {},
		alone: { ...sample.alone, reference: null },
	})),
	{
		ended: 'rounds',
		setup: {
			...besideSetup,
			preset: 'seed-ergo',
			timing: timingOfMeasure({ durationSeconds: 60, warmupSeconds: 30, isAlone: true }),
			scenarios: usual.setup.scenarios.slice(0, 1).map((scenario) => ({ ...scenario, reference: null })),
		},
	},
);

/** A preset whose one load has several steps. */
function staged() {
	const stagesOf = (connections: number) => [
		{ seconds: 10, connections },
		{ seconds: 30, connections },
	];
	const stages = [...[10, 50, 100].flatMap(stagesOf), { seconds: 10, connections: 0 }];
	const shape = { stages, calls: null, warmupLoad: null, pauseSeconds: 0 };
	const { setup } = preset;
	const withSteps = (sample: (typeof preset.samples)[number]) => {
		const { server } = sample.alone;
		if (server === null) return sample;
		const most = server.metrics.throughput ?? 0;
		const steps = [10, 50, 100].map((connections) => {
			const throughput = sample.server === 'koa' ? Math.min(most, connections * 1000) : (most * connections) / 100;
			const p50 = (1000 * connections) / throughput;
			return { connections, throughput, p50, p99: 3 * p50 };
		});
		return { ...sample, alone: { ...sample.alone, server: { ...server, steps } } };
	};
	return {
		...preset,
		setup: {
			...setup,
			preset: 'seed-ergo-ramp',
			timing: timingOfMeasure({ durationSeconds: 130, isAlone: true, shape }),
		},
		samples: preset.samples.map(withSteps),
	};
}

/** Three shards: one is complete, one was cut off on a machine with an odd name, one left no data. */
function gathered() {
	const divided = [['koa', 'hono'], ['express'], ['wrapped']];
	const runs = divided.slice(0, 2).map((part, index) => {
		const samples = usual.samples.filter(({ server }) => part.includes(server));
		const servers = ['node-http', ...part].map((name) => scriptServer(name));
		const shard = { shard: index + 1, servers: divided, planHash: 'p', whole: 'npx benchgate measure' };
		const odd =
			index === 0 ? {} : { ended: 'interrupted' as const, environment: { ...usual.environment, cpuModel: HOSTILE } };
		return { name: `part-${index + 1}`, data: { ...usual, ...odd, servers, samples, unmeasured: [], shard } };
	});
	return joinRuns(runs as unknown as [RankingRun, ...RankingRun[]]);
}

const CASES: Readonly<Record<string, RankingResult>> = {
	usual: summariseRanking(usual, { highlight: 'koa', wraps: { wrapped: 'express' } }),
	interrupted: summariseRanking({
		...usual,
		ended: 'interrupted',
		samples: [scriptSample({ server: 'koa', round: 1, share: 0.8 })],
	}),
	gathered: summariseRanking(gathered(), { wraps: { express: 'koa' } }),
	preset: summariseRanking(preset),
	staged: summariseRanking(staged()),
	beside: summariseRanking(beside),
	ramp: summariseRanking(
		scriptData(
			[
				scriptServer('node-http', { runtime: { name: 'node', version: '22.12.0' } }),
				scriptServer('koa on bun', { runtime: { name: 'bun', version: '1.4.5' } }),
			],
			[10, 50, 100].flatMap((connections) =>
				scriptTrials('koa on bun', 0.5 + connections / 500, 0.01, `ping@${connections}`),
			),
		),
		{ percentOf: ['koa on bun'] },
	),
	hostile: summariseRanking(
		scriptData(
			[
				scriptServer('node-http'),
				scriptServer('koa', { description: HOSTILE, versions: { koa: HOSTILE } }),
				scriptServer('ergo', { state: 'not-installed', reason: HOSTILE, versions: {} }),
			],
			scriptTrials('koa', 0.8, 0.2),
			{
				environment: { ...usual.environment, cpuModel: HOSTILE, os: HOSTILE },
				warnings: [{ code: 'x', message: HOSTILE }],
				reproduce: `npx benchgate measure '${HOSTILE}'`,
			},
		),
	),
};

describe('reports are as reviewed', () => {
	for (const [name, result] of Object.entries(CASES)) {
		test(`${name}, Markdown`, () => assertGolden(`measure/${name}.md`, toMarkdown(rankingDocument(result))));
	}
	// Markdown has the same words and more tables.
	for (const name of ['usual', 'preset']) {
		const text = toTerminal(rankingDocument(CASES[name] as RankingResult), { colour: false, width: 120 });
		test(`${name}, terminal`, () => assertGolden(`measure/${name}.txt`, `${text}\n`));
	}
	for (const name of ['usual', 'ramp']) {
		const html = MEASURE_RENDERERS.html(CASES[name] as RankingResult).replace(/<style>.*?<\/style>/s, '');
		test(`${name}, HTML without styles`, () => assertGolden(`measure/${name}.html`, html));
	}
});

describe('JSON reads back as the result and matches the schema, with no key unknown to the schema', () => {
	const validate = new Ajv2020({ allowUnionTypes: true, allErrors: true }).compile(strictly(RANKING_SCHEMA));
	for (const [name, result] of Object.entries(CASES)) {
		test(name, () => {
			const read: unknown = JSON.parse(renderRankingJson(result));
			assert.deepEqual(read, result);
			validate(read);
			assert.deepEqual(validate.errors, null);
		});
	}
});

test('foreign text becomes no markup on the page, which has no script', () => {
	for (const name of ['hostile', 'gathered']) {
		const hostile = MEASURE_RENDERERS.html(CASES[name] as RankingResult);
		assert.doesNotMatch(hostile, /<img/);
		assert.match(hostile, /&lt;img src=x onerror=y&gt;/);
	}
	const page = MEASURE_RENDERERS.html(CASES.hostile as RankingResult);
	assert.match(page, /<script><\/script>/);
});

test('every requested server is in the report of every scenario', () => {
	const text = toMarkdown(rankingDocument(CASES.usual as RankingResult));
	const tables = text.split('\n### `').slice(1);
	assert.equal(tables.length, 3);
	for (const table of tables)
		for (const name of [...NAMES, 'ergo']) assert.match(table, new RegExp(`\\| \`${name}\` `));
});

test('a narrow terminal keeps rank, server, requests per second and share', () => {
	const text = toTerminal(rankingDocument(CASES.usual as RankingResult), { colour: false, width: 60 });
	assert.match(text, /rank {2}server +requests\/s +of node-http/);
	assert.match(text, /1 {2}node-http +40,000 +100\.0 %/);
});

test('a terminal has room for latency before memory at rest, which every row has', () => {
	const usual = CASES.usual as RankingResult;
	const rows = usual.rows.map((row) =>
		row.alone === null
			? row
			: { ...row, alone: { ...row.alone, metrics: { ...row.alone.metrics, 'memory-at-rest': 48.5 } } },
	);
	const at = (width: number) => toTerminal(rankingDocument({ ...usual, rows }), { colour: false, width });
	assert.match(at(120), /CoV {2}CPU per request, µs {2}latency p99, ms\n/);
	assert.match(at(250), /peak memory, MB {2}memory at rest, MB\n/);
});

test("under a preset a table has the server's use of the whole machine, as pages give it", () => {
	const using = (result: RankingResult) => ({
		...result,
		rows: result.rows.map((row) =>
			row.alone === null ? row : { ...row, alone: { ...row.alone, metrics: { ...row.alone.metrics, 'cpu-used': 96 } } },
		),
	});
	const { cpus } = (CASES.preset as RankingResult).environment;
	const preset = toMarkdown(rankingDocument(using(CASES.preset as RankingResult)));
	assert.match(preset, new RegExp(`\\| CPU of the machine \\(${cpus} CPUs\\), % \\|`));
	assert.match(preset, new RegExp(`\\| ${(96 / cpus).toFixed(1)}\\d* \\|`));
	assert.doesNotMatch(toMarkdown(rankingDocument(using(CASES.usual as RankingResult))), /CPU of the machine/);
});

test('figures of several machines are not drawn side by side', () => {
	const result = CASES.gathered as RankingResult;
	assert.doesNotMatch(toTerminal(rankingDocument(result), { colour: false, width: 120 }), /█/);
	const charts = (one: RankingResult) => MEASURE_RENDERERS.html(one).split('<svg class="chart"').length;
	const asOfOne = { ...result, rows: result.rows.map(({ shard: _, ...row }) => row) };
	assert.ok(charts(result) < charts(asOfOne));
});

test('bars are as long as requests per second, to an eighth of a column', () => {
	const rows = (CASES.usual as RankingResult).rows.filter(({ scenario }) => scenario === 'ping');
	const [reference, koa] = drawBars(rows);
	assert.equal(reference, `  node-http  ${'█'.repeat(32)} 40,000 requests/s`);
	assert.equal(koa, `  koa        ${'█'.repeat(25)}▋ 32,000 requests/s`);
});
