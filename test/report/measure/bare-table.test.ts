import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMeasureJson } from '../../../src/formats/measure/measure-file.ts';
import { summariseMeasure } from '../../../src/rank/summarise-measure.ts';
import { samplesOf } from '../../../src/rank/turn-sample.ts';
import { renderMeasureHtml } from '../../../src/report/measure/measure-html.ts';
import { renderMeasureMarkdown } from '../../../src/report/measure/measure-markdown.ts';
import { renderMeasure } from '../../../src/report/measure/measure-terminal.ts';
import { scriptData, scriptServer } from '../../support/measure-cases.ts';
import { scriptRound } from '../../support/rounds.ts';

/** Beside node-http, which starts in 0.1 s. */
const SECONDS = { koa: 0.2, express: 0.4 } as const;

function samples() {
	return Object.entries(SECONDS).flatMap(([server, seconds]) =>
		[1, 1.02, 0.98].flatMap((factor, at) => {
			const { cells, ...round } = scriptRound(at + 1, {
				startup: { d: 0, windows: [], start: { seconds: [0.1, seconds * factor], reload: [0.12, seconds * 1.1] } },
			});
			const own = cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app', server) }));
			return samplesOf({ ...round, cells: own }, () => 'node-http');
		}),
	);
}

test('a scenario that measures starts is ranked by them, in its own unit, without requests per second', () => {
	const data = scriptData(
		['node-http', 'koa', 'express'].map((name) => scriptServer(name)),
		samples(),
	);
	const setup = {
		...data.setup,
		scenarios: data.setup.scenarios.map((scenario) => ({ ...scenario, metrics: ['cold-start', 'reload'] as const })),
	};
	const result = summariseMeasure({ ...data, setup });
	assert.deepEqual(
		result.rows.map(({ server, rank, share, judgedBy }) => [server, rank?.first, share?.value.toFixed(2), judgedBy]),
		[
			['node-http', 1, '1.00', 'cold-start'],
			['koa', 2, '0.50', 'cold-start'],
			['express', 3, '0.25', 'cold-start'],
		],
	);
	const markdown = renderMeasureMarkdown(result);
	assert.match(markdown, /\| rank \| server \| cold start \| of node-http \| 95 % interval \|.* reload, ms \|/);
	assert.match(markdown, /`koa` \| 200 ms \| 50\.0 % \|/);
	assert.match(markdown, /without load/);
	assert.doesNotMatch(markdown, /times as fast/);
	assert.match(markdown, /Medians over rounds/);
	// The pages that have starts give means.
	const alone = setup.scenarios.map((scenario) => ({ ...scenario, reference: null }));
	const preset = { ...setup, preset: 'seed-vext-page', scenarios: alone };
	assert.match(renderMeasureMarkdown(summariseMeasure({ ...data, setup: preset })), /Means over rounds/);
	for (const text of [renderMeasure(result, { colour: false, width: 120 }), renderMeasureHtml(result)]) {
		assert.match(text, /200(\.0)? ms/);
		assert.doesNotMatch(text, /NaN|undefined|ms\/s/);
	}
	assert.equal(JSON.parse(renderMeasureJson(result)).rows.length, 3);
});
