/** Examples of a ranking and the page of published ratios are what their data and renderers say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { measureDocs } from '../../scripts/published/measure-docs-files.ts';
import { setBeside } from '../../scripts/published/published-page.ts';
import { type PublishedPage, publishedRatios } from '../../scripts/published/published-pages.ts';
import { PRESET_NAMES, presetOf } from '../../src/config/measure/presets.ts';
import { summariseMeasure } from '../../src/rank/summarise-measure.ts';
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
			artefacts: [{ text: 'all' }, { text: 'other', scenarios: ['other'] }, { text: 'host', servers: ['express'] }],
		};
		assert.deepEqual(publishedRatios(page), [
			{ scenario: 'ping', server: 'koa', of: 'express', ratio: 1.5, artefacts: [1, 3] },
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
