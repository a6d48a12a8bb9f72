/** Examples of a ranking and the page of published ratios are what their data and renderers say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { measureDocs } from '../../scripts/published/measure-docs-files.ts';
import { reasonsOf, renderPublished, setBeside } from '../../scripts/published/published-page.ts';
import { explains, type PublishedPage, publishedRatios } from '../../scripts/published/published-pages.ts';
import { PRESET_NAMES, presetOf } from '../../src/config/measure/presets.ts';
import { summariseMeasure } from '../../src/rank/summarise-measure.ts';
import type { MeasureSample } from '../../src/types/ranking/measure.ts';
import { scriptData, scriptServer, scriptTrials } from '../support/measure-cases.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const PAGES = 'docs/published/pages.json';
const { pages } = JSON.parse(read(PAGES)) as { readonly pages: readonly PublishedPage[] };

for (const { path, text } of measureDocs(read('docs/examples/measure.json'), read(PAGES))) {
	test(`${path} is made from its data: npm run docs:measure`, () => assert.equal(read(path), text));
}

test('a file that is no ranking is refused', () => {
	assert.throws(
		() => measureDocs('{"kind":"benchgate-result"}', read(PAGES)),
		/no result of `benchgate measure --json`/,
	);
});

describe('published pages', () => {
	for (const { name, preset, figures, pairs, artefacts } of pages) {
		test(`${name} names a preset, and servers and scenarios of it or of its figures`, () => {
			assert.ok((PRESET_NAMES as readonly string[]).includes(preset), preset);
			const known = new Set(figures.map(({ server }) => server));
			for (const server of pairs.flat()) assert.ok(known.has(server), server);
			const scenarios = new Set(figures.map(({ scenario }) => scenario));
			for (const artefact of artefacts) {
				for (const server of artefact.servers ?? []) assert.ok(known.has(server), server);
				for (const scenario of artefact.scenarios ?? []) assert.ok(scenarios.has(scenario), scenario);
			}
			const { scenarios: loaded } = presetOf(preset as (typeof PRESET_NAMES)[number]);
			for (const scenario of scenarios) assert.ok(loaded.includes(scenario), scenario);
			const keys = figures.map(({ scenario, server }) => `${server}/${scenario}`);
			assert.equal(new Set(keys).size, keys.length);
		});
	}

	test('figures in sentences about a page are those of its tables', () => {
		const figureOf = (name: string, scenario: string, server: string): number =>
			pages
				.find((page) => page.name === name)
				?.figures.find((one) => one.scenario === scenario && one.server === server)?.requests ?? Number.NaN;
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

	test('an artefact is named as a reason only where it changes a ratio as it does differ', () => {
		const reasons = (published: number, ours: number, effect: 'higher' | 'lower' | 'nearer-1' | null) =>
			explains(effect, published, ours);
		assert.deepEqual([reasons(2, 1, 'higher'), reasons(1, 2, 'higher')], [true, false]);
		assert.deepEqual([reasons(2, 1, 'lower'), reasons(1, 2, 'lower')], [false, true]);
		// Half as fast looks less slow, twice as fast looks less fast.
		assert.deepEqual([reasons(0.8, 0.5, 'nearer-1'), reasons(1.5, 2, 'nearer-1')], [true, true]);
		assert.deepEqual([reasons(0.3, 0.5, 'nearer-1'), reasons(2.5, 2, 'nearer-1')], [false, false]);
		assert.deepEqual([reasons(2, 1, null), reasons(1, 2, null)], [false, false]);
	});

	test('a ratio that differs names its reasons, those that are only possible apart; one that does not names none', () => {
		const servers = ['node-http', 'koa', 'express'].map((name) => scriptServer(name));
		const samples = [...scriptTrials('koa', 0.6, 0.001), ...scriptTrials('express', 0.3, 0.001)];
		const at = (published: number) => {
			const page: PublishedPage = {
				...{ name: 'x', preset: 'seed-blog', machine: 'y', pairs: [['koa', 'express']] },
				figures: [
					{ scenario: 'ping', server: 'koa', requests: 100 * published },
					{ scenario: 'ping', server: 'express', requests: 100 },
				],
				artefacts: [{ text: 'a', effect: 'nearer-1' }, { text: 'b' }, { text: 'c', effect: 'higher' }],
			};
			const result = summariseMeasure(scriptData(servers, samples));
			const [beside] = setBeside(page, result);
			assert.ok(beside);
			return [reasonsOf(beside), renderPublished([page], result)] as const;
		};
		assert.deepEqual(at(1.2)[0], { surely: [1], perhaps: [2] });
		assert.deepEqual(at(3)[0], { surely: [3], perhaps: [2] });
		assert.deepEqual(at(2)[0], { surely: [], perhaps: [] });
		assert.match(at(1.2)[1], /\| no \| 1; perhaps 2 \|/);
		assert.match(at(1.2)[1], /Of the 1 ratio that differs, 1 does so in the way/);
		assert.match(at(2)[1], /\| yes \| – \|/);
		assert.doesNotMatch(at(2)[1], /that differ/);
	});

	test('ours says where it is that of CPU time, because the generator was at its limit', () => {
		const [page] = pages.filter(({ name }) => name.startsWith('Express'));
		assert.ok(page);
		const servers = ['node-http', 'fastify', 'express'].map((name) => scriptServer(name));
		const busy = scriptTrials('fastify', 0.9, 0.001, 'hello-text').map((sample) => ({
			...sample,
			guards: { ...sample.guards, generatorUtilisation: 0.99 },
		}));
		const of = (samples: readonly MeasureSample[]) =>
			renderPublished(
				[page],
				summariseMeasure(scriptData(servers, [...samples, ...scriptTrials('express', 0.4, 0.001, 'hello-text')])),
			);
		assert.match(of(busy), /2\.25, by CPU time/);
		assert.doesNotMatch(of(scriptTrials('fastify', 0.9, 0.001, 'hello-text')), /by CPU time/);
	});

	test('a ratio has the artefacts that are about it, and those about all', () => {
		const page: PublishedPage = {
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
				...{ scenario: 'ping', server: 'koa', of: 'express', ratio: 1.5 },
				artefacts: [
					{ number: 1, effect: null },
					{ number: 3, effect: 'lower' },
				],
			},
		]);
		const servers = ['node-http', 'koa', 'express'].map((name) => scriptServer(name));
		const samples = [...scriptTrials('koa', 0.6, 0.001), ...scriptTrials('express', 0.42, 0.001)];
		const [beside] = setBeside(page, summariseMeasure(scriptData(servers, samples)));
		assert.equal(beside?.ours?.value.toFixed(2), '1.43');
		assert.ok(beside?.ours && beside.ours.low < beside.ours.value && beside.ours.value < beside.ours.high);
		assert.deepEqual([beside?.close, beside?.reason], ['yes', null]);
		const at = (ratio: number) => {
			const figures = [{ scenario: 'ping', server: 'koa', requests: 100 * ratio }, ...page.figures.slice(1, 2)];
			return setBeside({ ...page, figures }, summariseMeasure(scriptData(servers, samples)))[0]?.close;
		};
		assert.deepEqual([2.8, 3.4].map(at), ['yes', 'no']);
		const wide = [...scriptTrials('koa', 0.6, 0.3), ...scriptTrials('express', 0.42, 0.3)];
		const [open] = setBeside(
			{ ...page, figures: [{ scenario: 'ping', server: 'koa', requests: 400 }, ...page.figures.slice(1, 2)] },
			summariseMeasure(scriptData(servers, wide)),
		);
		assert.equal(open?.close, 'open');
		const [alone] = setBeside(page, summariseMeasure(scriptData(servers.slice(0, 2), samples)));
		assert.deepEqual([alone?.ours, alone?.reason, alone?.close], [null, 'express not asked for', null]);
	});
});
