/** docs/published-ratios.md matches its data, and the data about published pages are consistent. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { writeMeasured } from '../../scripts/published/measured-run.ts';
import {
	measuredPath,
	RATIOS_PAGE,
	ratiosPage,
	readMeasured,
	readPages,
} from '../../scripts/published/published-files.ts';
import { explains, type PublishedPage, publishedRatios, readFigure } from '../../scripts/published/published-pages.ts';
import { PRESET_NAMES, presetOf } from '../../src/config/ranking/presets.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const pages = readPages();

test(`${RATIOS_PAGE} is made from its data: npm run docs:ratios`, () => {
	assert.equal(read(RATIOS_PAGE), ratiosPage());
});

for (const id of [undefined, ...pages.map((page) => page.id)]) {
	const measured = readMeasured(id);
	if (measured.runs.length === 0) continue;
	test(`${measuredPath(id)} is the output of npm run docs:ratios`, () => {
		assert.equal(read(measuredPath(id)), writeMeasured(measured));
	});
}

describe('published pages', () => {
	for (const { id, name, preset, also, figures, pairs, scenarioPairs = [], artefacts } of pages) {
		test(`${name} names a preset, and servers and scenarios of it or of its figures`, () => {
			assert.match(id, /^[a-z]+$/);
			const serverNames = new Set(figures.map(({ server }) => server));
			for (const server of pairs.flat()) assert.ok(serverNames.has(server), server);
			const scenarios = new Set(figures.map(({ scenario }) => scenario));
			for (const scenario of scenarioPairs.flat()) assert.ok(scenarios.has(scenario), scenario);
			for (const artefact of artefacts) {
				for (const server of artefact.servers ?? []) assert.ok(serverNames.has(server), server);
				for (const scenario of artefact.scenarios ?? []) assert.ok(scenarios.has(scenario), scenario);
			}
			const loaded = [preset, also ?? preset].flatMap((one) => {
				assert.ok((PRESET_NAMES as readonly string[]).includes(one), one);
				return presetOf(one as (typeof PRESET_NAMES)[number]).scenarios;
			});
			// The ramp is the request of full-pipeline with the stages of its preset.
			if (also === 'seed-ergo-ramp') loaded.push('concurrency-ramp');
			for (const scenario of scenarios) assert.ok(loaded.includes(scenario), scenario);
			const keys = figures.map((one) => `${one.server}/${one.scenario}/${readFigure(one).metric}`);
			assert.equal(new Set(keys).size, keys.length);
		});
	}

	test('figures in sentences about a page match its tables', () => {
		const figureOf = (name: string, scenario: string, server: string): number =>
			pages
				.find((page) => page.name === name)
				?.figures.filter((one) => one.scenario === scenario && one.server === server)
				.map((one) => readFigure(one).value)[0] ?? Number.NaN;
		const ergo = (scenario: string, server: string) => figureOf('ergo', scenario, server);
		const vext = (scenario: string, server: string) => figureOf('VextJS', scenario, server);
		const first = ['hono', 'koa', 'node-http', 'ergo', 'fastify'].map((server) => ergo('ping', server));
		const claims: readonly (readonly [words: string, isSo: boolean])[] = [
			['lie within 6 % of each other', Math.max(...first) / Math.min(...first) < 1.065],
			[
				'answers 2.4 times',
				(ergo('production-stack', 'node-http') / ergo('production-stack', 'ergo')).toFixed(1) === '2.4',
			],
			[
				'make 34.7 %',
				(100 - (100 * vext('middleware-5', 'vext-fastify')) / vext('json-hello', 'vext-fastify')).toFixed(1) === '34.7',
			],
			[
				'about a quarter of Fastify',
				['koa-2', 'express'].every(
					(one) => Math.abs(vext('json-hello', one) / vext('json-hello', 'fastify') - 0.25) < 0.05,
				),
			],
			['743,892 requests/s of 8 workers', vext('cluster-8', 'vext-native') === 743_892],
			['VextJS on Fastify answers more', vext('json-hello', 'vext-fastify') > vext('json-hello', 'fastify')],
			[
				'Fastify alone answers less there',
				figureOf('Pikku', 'ping', 'fastify') < figureOf('Pikku', 'ping', 'pikku-fastify'),
			],
		];
		const sentences = pages.flatMap(({ artefacts }) => artefacts.map(({ text }) => text)).join(' ');
		for (const [words, isSo] of claims) {
			assert.ok(sentences.includes(words), words);
			assert.ok(isSo, words);
		}
	});

	test('an artefact is a reason only if it changes the ratio in the direction of the difference', () => {
		const reasons = (published: number, ours: number, effect: 'higher' | 'lower' | 'nearer-1' | null) =>
			explains(effect, published, ours);
		assert.deepEqual([reasons(2, 1, 'higher'), reasons(1, 2, 'higher')], [true, false]);
		assert.deepEqual([reasons(2, 1, 'lower'), reasons(1, 2, 'lower')], [false, true]);
		// Half as fast looks less slow, twice as fast looks less fast.
		assert.deepEqual([reasons(0.8, 0.5, 'nearer-1'), reasons(1.5, 2, 'nearer-1')], [true, true]);
		assert.deepEqual([reasons(0.3, 0.5, 'nearer-1'), reasons(2.5, 2, 'nearer-1')], [false, false]);
		assert.deepEqual([reasons(2, 1, null), reasons(1, 2, null)], [false, false]);
	});

	test('a ratio has the artefacts about it, and those about all', () => {
		const page: PublishedPage = {
			id: 'x',
			name: 'x',
			preset: 'seed-blog',
			machine: 'y',
			pairs: [['koa', 'express']],
			figures: [
				{ scenario: 'ping', server: 'koa', requests: 300 },
				{ scenario: 'ping', server: 'express', requests: 200 },
				{ scenario: 'other', server: 'koa', requests: 100 },
			],
			artefacts: [
				{ text: 'all' },
				{ text: 'other', scenarios: ['other'] },
				{ text: 'host', servers: ['express'], effect: 'lower' },
			],
		};
		assert.deepEqual(publishedRatios(page), [
			{
				...{ metric: 'throughput', scenario: 'ping', server: 'koa', of: 'express', ofScenario: 'ping', ratio: 1.5 },
				artefacts: [
					{ number: 1, effect: null },
					{ number: 3, effect: 'lower' },
				],
			},
		]);
	});

	test('ratios exist for other metrics too, and for two scenarios of one server', () => {
		const page: PublishedPage = {
			...{ id: 'x', name: 'x', preset: 'seed-blog', machine: 'y' },
			pairs: [['koa', 'express']],
			scenarioPairs: [['middleware-5', 'ping']],
			figures: [
				{ scenario: 'ping', server: 'koa', requests: 400 },
				{ scenario: 'middleware-5', server: 'koa', requests: 100 },
				{ scenario: 'footprint', server: 'koa', metric: 'memory-at-rest', value: 30 },
				{ scenario: 'footprint', server: 'koa', metric: 'memory-after-100k', value: 60 },
				{ scenario: 'footprint', server: 'express', metric: 'memory-at-rest', value: 40 },
			],
			artefacts: [],
		};
		assert.deepEqual(
			publishedRatios(page).map(({ metric, scenario, ofScenario, ratio }) => [metric, scenario, ofScenario, ratio]),
			[
				['memory-at-rest', 'footprint', 'footprint', 0.75],
				['throughput', 'middleware-5', 'ping', 0.25],
			],
		);
	});
});
