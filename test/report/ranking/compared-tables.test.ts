/** The report of a run beside its scenario tables: a summary of servers, validators, costs of scenarios, callers. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { presetOf } from '../../../src/config/ranking/presets.ts';
import { timingOfMeasure } from '../../../src/plan/ranking-pairs.ts';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { toMarkdown } from '../../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../../src/report/document/terminal-writer.ts';
import { renderAutocannon } from '../../../src/report/ranking/autocannon-report.ts';
import { writeInterval, writeLoss } from '../../../src/report/ranking/compared/wrapper-tables.ts';
import { rankingDocument } from '../../../src/report/ranking/ranking-document.ts';
import { buildMeasureReport } from '../../../src/report/ranking/ranking-model.ts';
import { MEASURE_RENDERERS } from '../../../src/report/render-formats.ts';
import type { LoadTotals } from '../../../src/types/ranking/load-figures.ts';
import type { RankingResult, RankingSample } from '../../../src/types/ranking/ranking.ts';
import type { RankedScenario } from '../../../src/types/ranking/ranking-setup.ts';
import { aloneAt, scriptData, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';

const NO_SHAPE = { stages: null, warmupLoad: null, pauseSeconds: 0 };
const servers = ['node-http', 'koa', 'express'].map((name) => scriptServer(name));

/** The table below a title, a list of cells a line. */
function tableOf(markdown: string, title: string): string[][] {
	const [, section = ''] = markdown.split(`### ${title}\n\n`);
	const [head = ''] = section.split('\n\n');
	return head.split('\n').map((line) => line.slice(2, -2).split(' | '));
}

const terminal = (result: RankingResult) => toTerminal(rankingDocument(result), { colour: false, width: 120 });

describe('servers in short', () => {
	const samples = [
		...scriptTrials('koa', 0.8, 0.004),
		...scriptTrials('express', 0.4, 0.004),
		...scriptTrials('koa', 0.5, 0.004, 'json-post'),
		...scriptTrials('express', 1.2, 0.004, 'json-post'),
		...scriptTrials('koa', 0.999, 0.02, 'json-hello'),
	];
	const result = summariseRanking(scriptData(servers, samples));

	test('counts first places and finds the best and the weakest scenario of each', () => {
		assert.deepEqual(tableOf(toMarkdown(rankingDocument(result)), 'Servers in short').slice(2), [
			// 1, 1/1.2 and 1 of the first: the third root of 0.8333.
			['`node-http`', '3', '1', '1', '94 %', '100 % in `ping`', '83 % in `json-post`'],
			// 0.8, 0.5/1.2 and 0.999.
			['`koa`', '3', '–', '1', '69 %', '100 % in `json-hello`', '42 % in `json-post`'],
			// The square root of 0.4.
			['`express`', '2', '1', '–', '63 %', '100 % in `json-post`', '40 % in `ping`'],
		]);
	});

	test('leave out a scenario that only one server answered', () => {
		const only = samples
			.filter(({ server, scenario }) => server === 'koa' && scenario === 'json-hello')
			.map(
				(sample): RankingSample => ({
					...sample,
					...{ d: {}, reference: 'koa', scenario: 'startup' },
					alone: { ...sample.alone, reference: null },
				}),
			);
		const data = scriptData(servers, [...samples, ...only]);
		const scenarios = data.setup.scenarios.map((one) => (one.name === 'startup' ? { ...one, reference: 'koa' } : one));
		const more = summariseRanking({ ...data, setup: { ...data.setup, scenarios } });
		assert.deepEqual(
			tableOf(toMarkdown(rankingDocument(more)), 'Servers in short'),
			tableOf(toMarkdown(rankingDocument(result)), 'Servers in short'),
		);
	});

	test('are in every kind of report, except that of one scenario', () => {
		for (const text of [terminal(result), MEASURE_RENDERERS.html(result)]) assert.match(text, /Servers in short/);
		const one = summariseRanking(scriptData(servers, scriptTrials('koa', 0.8, 0.004)));
		for (const text of [terminal(one), MEASURE_RENDERERS.html(one), toMarkdown(rankingDocument(one))])
			assert.doesNotMatch(text, /Servers in short/);
	});

	test('of one server are its scenarios instead, a line each', () => {
		const alone = samples
			.filter(({ server }) => server === 'koa')
			.map(
				(sample): RankingSample => ({
					...sample,
					reference: 'koa',
					d: {},
					alone: { ...sample.alone, reference: null },
				}),
			);
		const data = scriptData(servers.slice(1, 2), alone);
		const setup = { ...data.setup, preset: 'seed-pikku-inprocess' };
		const one = summariseRanking({ ...data, setup });
		const table = tableOf(toMarkdown(rankingDocument(one)), 'Scenarios in short: koa');
		assert.deepEqual(table[0], [
			'scenario',
			'requests/s',
			'CPU per request, µs',
			'latency p50, ms',
			'latency mean, ms',
			'latency p99, ms',
		]);
		assert.deepEqual(
			table.slice(2).map(([name, rate]) => [name, rate]),
			[
				['`ping`', '32,002'],
				['`json-post`', '20,001'],
				['`json-hello`', '39,976'],
			],
		);
		assert.doesNotMatch(terminal(one), /Servers in short/);
		assert.match(terminal(one), /Scenarios in short: koa/);
		assert.match(MEASURE_RENDERERS.html(one), /aria-label="koa in each scenario, requests\/s"/);
		assert.doesNotMatch(MEASURE_RENDERERS.html(result), /in each scenario, requests/);
	});

	test('never compare requests per second of two machines', () => {
		const [first = [], second = []] = [0, 1].map((at) =>
			samples
				.filter(({ server }) => (server === 'koa') === (at === 0))
				.map(
					(sample): RankingSample => ({
						...sample,
						...{ d: {}, reference: sample.server, shard: at + 1 },
						alone: { ...sample.alone, reference: null },
					}),
				),
		);
		const data = scriptData(servers.slice(1), [...first, ...second]);
		const setup = { ...data.setup, preset: 'seed-blog' };
		const markdown = toMarkdown(rankingDocument(summariseRanking({ ...data, setup })));
		// Each is the first of its machine, or not compared.
		for (const [, , , , part] of tableOf(markdown, 'Servers in short').slice(2)) assert.equal(part, '100 %');
	});
});

test('a gain has a minus sign in its figure and interval, and a value near zero has none', () => {
	assert.deepEqual([0.2, -0.031, -0.0004, 0].map(writeLoss), ['20.0 %', '−3.1 %', '0.0 %', '0.0 %']);
	assert.equal(writeInterval({ value: -0.031, low: -0.0624, high: -0.0003 }), '[−6.2 … 0.0]');
	assert.equal(writeInterval({ value: -0.031, low: null, high: null }), '–');
});

describe('validators', () => {
	const serverWith = (name: string, versions: Record<string, string>, direct = Object.keys(versions)) =>
		scriptServer(name, { versions, direct });
	const all = [
		serverWith('node-http', { ajv: '8.20.0' }),
		// Brings Ajv along.
		serverWith('fastify', { fastify: '5.12.8', ajv: '8.20.0' }, ['fastify']),
		serverWith('fastify-zod', { fastify: '5.12.8', ajv: '8.20.0', zod: '4.6.7' }, ['fastify', 'zod']),
		serverWith('by-hand', {}),
	];
	const trials = (scenario: string) => [
		...scriptTrials('fastify', 0.9, 0.004, scenario),
		...scriptTrials('fastify-zod', 0.6, 0.004, scenario),
		...scriptTrials('by-hand', 0.3, 0.004, scenario),
	];

	test('stand side by side, each with the validator of its packages', () => {
		const result = summariseRanking(scriptData(all, trials('validate-10')));
		assert.deepEqual(tableOf(toMarkdown(rankingDocument(result)), 'Validators').slice(2), [
			['1', 'ajv 8.20.0', '`node-http`', '40,000', '100.0 %'],
			['2', 'ajv 8.20.0', '`fastify`', '36,000', '90.0 %'],
			['3', 'zod 4.6.7', '`fastify-zod`', '24,000', '60.0 %'],
			['4', '–', '`by-hand`', '12,000', '30.0 %'],
		]);
		for (const text of [terminal(result), MEASURE_RENDERERS.html(result)]) assert.match(text, /Validators/);
	});

	test('have no table if all use the same one, or if other work was measured', () => {
		const one = summariseRanking(scriptData(all.slice(0, 2), scriptTrials('fastify', 0.9, 0.004, 'validate-10')));
		const other = summariseRanking(scriptData(all, trials('ping')));
		for (const result of [one, other]) assert.doesNotMatch(toMarkdown(rankingDocument(result)), /### Validators/);
	});
});

test('every pair of scenarios that explains a difference has its table and its chart', () => {
	const pairs = [
		['middleware-5', 'json-hello', 'What five middlewares cost'],
		['middleware-20', 'middleware-0', 'What twenty middlewares cost'],
		['middleware-3', 'chain-inline', 'What three middlewares cost over the same work in the handler'],
		['production-stack', 'full-pipeline', 'What the production stack costs'],
		['logging', 'ping', 'What a log costs'],
		['serialise', 'json-nested', 'What JSON.stringify costs over the serialiser of the framework'],
		['many-routes-1000', 'many-routes-10', 'What a thousand routes cost over ten'],
	] as const;
	const samples = pairs.flatMap(([row, against]) => [
		...scriptTrials('koa', 0.6, 0.004, row),
		...scriptTrials('koa', 0.8, 0.004, against),
	]);
	const result = summariseRanking(scriptData(servers.slice(0, 2), samples));
	const [markdown, html] = [toMarkdown(rankingDocument(result)), MEASURE_RENDERERS.html(result)];
	for (const [row, against, title] of pairs) {
		const [head, , , koa] = tableOf(markdown, title);
		assert.deepEqual(head, ['server', `${against}, requests/s`, `${row}, requests/s`, 'loss']);
		assert.deepEqual(koa, ['`koa`', '32,000', '24,000', '25.0 %']);
		assert.ok(html.includes(`${against} and ${row}, requests/s`), `a chart of ${row}`);
	}
});

describe('who calls', () => {
	function resultOf(changes: Partial<RankedScenario>, preset: string | null = null): RankingResult {
		const koaSamples = scriptTrials('koa', 0.8, 0.004).map((sample) =>
			preset === null ? sample : { ...sample, reference: 'koa', d: {}, alone: { ...sample.alone, reference: null } },
		);
		const data = scriptData(preset === null ? servers.slice(0, 2) : servers.slice(1, 2), koaSamples);
		const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, ...changes }));
		return summariseRanking({ ...data, setup: { ...data.setup, preset, scenarios } });
	}

	test('is shown beside a request: a program called in its process has no connections', () => {
		const dry = resultOf({ inProcess: true });
		for (const text of [
			toMarkdown(rankingDocument(dry)),
			terminal(dry),
			MEASURE_RENDERERS.html(dry),
			renderAutocannon(dry),
		]) {
			assert.match(text, /one call after the other in its process, without a socket/);
			assert.doesNotMatch(text, /50 connections/);
		}
		assert.match(toMarkdown(rankingDocument(dry)), /\| `ping` \| `GET \/ping` \| – \| – \|/);
	});

	test('is otherwise shown as connections, pipelining and rate', () => {
		const captionOf = (load: RankedScenario['load']) => /exercises \((.*)\)/.exec(terminal(resultOf({ load })))?.[1];
		assert.equal(captionOf({ connections: 50, pipelining: 1 }), '50 connections');
		assert.equal(captionOf({ connections: 1, pipelining: 10 }), '1 connection, pipelining 10');
		assert.equal(captionOf({ connections: 20, pipelining: 1, rate: 5000 }), '20 connections, at 5,000 requests/s');
		const starts = resultOf({ metrics: ['cold-start'] });
		assert.match(toMarkdown(rankingDocument(starts)), /\(without load\)/);
		assert.match(
			toMarkdown(rankingDocument(resultOf({ metrics: ['memory-at-rest', 'memory-after-100k'] }))),
			/\(50 connections\)/,
		);
	});

	test('a preset, which has no shares, has bars of requests per second', () => {
		const html = MEASURE_RENDERERS.html(resultOf({ reference: null, inProcess: true }, 'seed-pikku-inprocess'));
		assert.match(html, /aria-label="Requests per second, each server alone"/);
		assert.doesNotMatch(html, /Share of the reference/);
		assert.doesNotMatch(MEASURE_RENDERERS.html(resultOf({})), /Requests per second, each server alone/);
	});

	test('calls that replace a duration are shown as such, if all rows of a run are calls', () => {
		const dry = resultOf({ reference: null, inProcess: true }, 'seed-pikku-inprocess');
		const calls = { warmup: 1_000, counted: 10_000 };
		const withCalls = (result: RankingResult) => ({
			...result,
			setup: { ...result.setup, timing: timingOfMeasure({ isAlone: true, shape: { ...NO_SHAPE, calls } }) },
		});
		const markdown = toMarkdown(rankingDocument(withCalls(dry)));
		assert.match(markdown, /- Load: 10,000 calls in each round, after 1,000 that are not counted\n/);
		assert.match(markdown, /asked alone in its process, 10,000 calls one after the other, with fresh processes/);
		assert.match(markdown, /\n1,000 calls before are not counted\.\n/);
		assert.match(
			renderAutocannon(withCalls(dry)),
			/Running 10,000 calls of koa @ GET \/ping\none call after the other/,
		);
		assert.doesNotMatch(toMarkdown(rankingDocument(withCalls(resultOf({})))), /10,000 calls/);
	});

	test('another load program is named with the load', () => {
		const result = resultOf({});
		const setup = { ...result.setup, driver: 'k6' as const };
		assert.match(toMarkdown(rankingDocument({ ...result, setup })), /- Loaded by: k6\n/);
		assert.doesNotMatch(toMarkdown(rankingDocument(result)), /Loaded by/);
	});
});

test("a server's report on its garbage collection has a word beside its number", () => {
	const shares = { koa: 0.4, express: 4.2 } as const;
	const samples = Object.entries(shares).flatMap(([server, share]) =>
		scriptTrials(server, 0.5, 0.004).map((sample): RankingSample => {
			const figures = aloneAt(20_000);
			const gcFigures = { ...figures, metrics: { ...figures.metrics, 'gc-share': share, 'gc-count': 100 * share } };
			return { ...sample, alone: { ...sample.alone, server: gcFigures } };
		}),
	);
	const markdown = toMarkdown(rankingDocument(summariseRanking(scriptData(servers, samples))));
	assert.match(markdown, /\| GC share, % \| collections, a turn \|/);
	assert.match(markdown, /\| 0\.4\d* \(low\) \| 40 \|/);
	assert.match(markdown, /\| 4\.2\d* \(medium\) \| 420 \|/);
});

test('a run reports the number of counted answers, and the share of correct ones', () => {
	const totals = { requests: 1000, bytes: 150_000, seconds: 1, errors: 0, unexpected: 0 };
	const resultWith = (of: (server: string) => LoadTotals) => {
		const samples = [...scriptTrials('koa', 0.8, 0.004), ...scriptTrials('express', 0.4, 0.004)];
		return summariseRanking(
			scriptData(
				servers.slice(1),
				samples.map((sample): RankingSample => {
					const server = sample.alone.server && { ...sample.alone.server, totals: of(sample.server) };
					return { ...sample, alone: { server, reference: null } };
				}),
			),
		);
	};
	const right = toMarkdown(rankingDocument(resultWith(() => ({ ...totals, statuses: { 200: 1000 } }))));
	assert.match(right, /- Counted answers: 6,000, all with a status that was expected\.\n/);
	assert.doesNotMatch(right, /checks passed|statuses|errors/);
	const wrong = toMarkdown(
		rankingDocument(
			resultWith((server) =>
				server === 'koa'
					? { ...totals, errors: 1, timeouts: 1, unexpected: 1, statuses: { 201: 50, 429: 950 } }
					: { ...totals, statuses: { 429: 1000 } },
			),
		),
	);
	assert.match(
		wrong,
		/- Counted answers: 6,000; 6 requests failed or got a wrong answer, see the column of checks\.\n/,
	);
	// 999 of 1001.
	assert.match(wrong, /\| `koa` .*\| 429: 95 %, 201: 5 % \| 3 \(3 timeouts\) \| 99\.80 % \|\n/);
	assert.match(wrong, /\| `express` .*\| 429: 100 % \| 0 \| 100\.00 % \|\n/);
	const lossy = toMarkdown(
		rankingDocument(resultWith((server) => (server === 'koa' ? { ...totals, resent: 4 } : totals))),
	);
	assert.match(lossy, /\| sent again \|/);
	assert.match(lossy, /\| `koa` .*\| 12 \|\n/);
	const untold = toMarkdown(rankingDocument(resultWith(() => ({ ...totals, errors: 1 }))));
	assert.match(untold, /\| `koa` .*\| 3 \| 99\.90 % \|\n/, 'who does not tell of timeouts has errors alone');
	// A program that counts in its own process can name a status freely.
	const odd = { 200: 998, '<b>@all</b>\u001b[2J': 2, 404: 0 };
	const hostile = resultWith(() => ({ ...totals, statuses: odd }));
	assert.match(toMarkdown(rankingDocument(hostile)), /\| 200: [^|]*, other: [^|]* \|\n/);
	for (const text of [toMarkdown(rankingDocument(hostile)), terminal(hostile)]) {
		assert.ok(!text.includes('@all') && !text.includes('\u001b') && !text.includes('404: '));
	}
});

test('a page’s highlights have shares of the servers that it names, and not of itself', () => {
	const samples = [...scriptTrials('koa', 0.8, 0.004), ...scriptTrials('express', 0.4, 0.004)].map((sample) => ({
		...sample,
		...{ reference: sample.server, d: {} },
		alone: { ...sample.alone, reference: null },
	}));
	const data = scriptData(servers.slice(1), samples);
	const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, reference: null }));
	const setup = { ...data.setup, reference: 'express', preset: 'seed-ergo', scenarios };
	const request = { highlight: 'express', percentOf: ['koa'] };
	const markdown = toMarkdown(rankingDocument(summariseRanking({ ...data, setup }, request)));
	const absent = data.servers.map((server) =>
		server.name === 'express' ? { ...server, state: 'not-installed' as const, reason: '404' } : server,
	);
	const without = toMarkdown(rankingDocument(summariseRanking({ ...data, servers: absent, setup }, request)));
	assert.doesNotMatch(without, /Highlights/);
	assert.deepEqual(tableOf(markdown, 'Highlights: express'), [
		['scenario', 'rank', 'requests/s', 'of koa', 'of the first'],
		[':-', '-:', '-:', '-:', '-:'],
		['`ping`', '2', '16,001', '50.0 %', '50.0 % of `koa`'],
	]);
});

describe('which server for what', () => {
	const samples = ['json-hello', 'full-pipeline', 'ping'].flatMap((scenario) => [
		...scriptTrials('koa', 0.8, 0.004, scenario),
		...scriptTrials('express', scenario === 'json-hello' ? 1.001 : 0.4, 0.004, scenario),
	]);

	test('names the first server in scenarios like a situation, and the figure of the next one', () => {
		const result = summariseRanking(scriptData(servers, samples));
		assert.deepEqual(tableOf(toMarkdown(rankingDocument(result)), 'Which server for what').slice(2), [
			['small JSON answers', '`json-hello`', '`express` and `node-http`', '`koa` (79.9 %)'],
			['JSON bodies that are validated', '`full-pipeline`', '`node-http`', '`koa` (80.0 %)'],
		]);
		for (const text of [terminal(result), MEASURE_RENDERERS.html(result)]) assert.match(text, /Which server for what/);
	});

	test('is absent for a single situation', () => {
		const one = samples.filter(({ scenario }) => scenario !== 'json-hello');
		assert.doesNotMatch(
			toMarkdown(rankingDocument(summariseRanking(scriptData(servers, one)))),
			/Which server for what/,
		);
	});
});

test('scenarios that call a server without a socket are listed beside it', () => {
	const data = scriptData(
		[scriptServer('node-http', { inProcess: 'request listener' }), scriptServer('koa', { inProcess: 'app.inject' })],
		scriptTrials('koa', 0.8, 0.004),
	);
	const markdownOf = (changes: Partial<RankedScenario>) => {
		const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, ...changes }));
		return toMarkdown(rankingDocument(summariseRanking({ ...data, setup: { ...data.setup, scenarios } })));
	};
	assert.match(markdownOf({ inProcess: true }), /\| rank \| server \| asked by \|/);
	assert.match(markdownOf({ inProcess: true }), /\| `koa` \| `app\.inject` \|/);
	assert.doesNotMatch(markdownOf({}), /asked by/);
});

describe('the load profile of a page', () => {
	const profileOf = (preset: Parameters<typeof presetOf>[0]) => {
		const { load, durationSeconds, warmupSeconds, ...shape } = presetOf(preset);
		const staged = shape.stages !== null;
		const timing = timingOfMeasure({
			isAlone: true,
			durationSeconds,
			warmupSeconds: staged ? 0 : warmupSeconds,
			shape,
		});
		const data = scriptData(servers, scriptTrials('koa', 0.8, 0.004));
		const inProcess = shape.calls === null ? {} : { inProcess: true as const };
		const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, load, ...inProcess, reference: null }));
		const setup = { ...data.setup, timing, preset, scenarios };
		return tableOf(toMarkdown(rankingDocument(summariseRanking({ ...data, setup }))), 'Load profile').slice(2);
	};

	test('has warm-up, measurement and pause', () => {
		assert.deepEqual(profileOf('seed-vext-runner'), [
			['warm-up', '5 s', '10', 'no'],
			['measurement', '15 s', '50 × 10', 'yes'],
			['pause before the next trial', '2 s', '–', 'no'],
		]);
		assert.deepEqual(profileOf('seed-blog'), [['measurement', '10 s', '100', 'yes']]);
	});

	test('has the stages of connections that come and go, all of them counted', () => {
		assert.deepEqual(profileOf('seed-ergo'), [
			['climb', '30 s', '0 → 50', 'yes'],
			['steady', '1 min', '50', 'yes'],
			['way down', '10 s', '50 → 0', 'yes'],
		]);
	});

	test('has calls where a program is asked in its process', () => {
		assert.deepEqual(profileOf('seed-pikku-inprocess'), [
			['warm-up', '1,000 calls', '–', 'no'],
			['measurement', '10,000 calls', '–', 'yes'],
		]);
	});

	test('belongs only to a run with a preset', () => {
		const result = summariseRanking(scriptData(servers, scriptTrials('koa', 0.8, 0.004)));
		assert.doesNotMatch(toMarkdown(rankingDocument(result)), /Load profile/);
	});
});

test('Markdown names eight packages of a server and where to find the others, and the page has all of them', () => {
	const names = Array.from({ length: 11 }, (_, at) => `package-${at + 1}`);
	const versions = Object.fromEntries(names.map((name) => [name, '1.2.3']));
	const many = [scriptServer('node-http'), scriptServer('koa', { versions, direct: names })];
	const result = summariseRanking(scriptData(many, scriptTrials('koa', 0.8, 0.004)));
	const markdown = toMarkdown(rankingDocument(result));
	assert.match(markdown, /package-8 1\.2\.3 and 3 more \|/);
	assert.match(markdown, /Read from what was installed\. The HTML page and the JSON file have all of them\./);
	assert.match(
		MEASURE_RENDERERS.html(result),
		/package-8 1\.2\.3, package-9 1\.2\.3, package-10 1\.2\.3, package-11 1\.2\.3</,
	);
});

test('the method explains how servers are isolated, and which work validators share', () => {
	const own = scriptData(servers, scriptTrials('koa', 0.8, 0.004));
	for (const data of [
		own,
		{ ...own, setup: { ...own.setup, preset: 'seed-blog', timing: timingOfMeasure({ isAlone: true }) } },
	]) {
		const { method } = buildMeasureReport(summariseRanking(data));
		for (const sentence of [
			/without containers\..*another CPU.*loopback.*NODE_ENV=production.*--memory-limit/,
			/the same keys, types, lengths, ranges and patterns.*They differ in what they take for an e-mail address/,
		]) {
			assert.equal(method.filter((paragraph) => sentence.test(paragraph)).length, 1);
		}
	}
});
