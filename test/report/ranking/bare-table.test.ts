import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderRankingJson } from '../../../src/formats/json-files.ts';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { samplesOf } from '../../../src/rank/turn-sample.ts';
import { toMarkdown } from '../../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../../src/report/document/terminal-writer.ts';
import { rankingDocument } from '../../../src/report/ranking/ranking-document.ts';
import { MEASURE_RENDERERS } from '../../../src/report/render-formats.ts';
import { scriptData, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';
import { scriptRound } from '../../support/rounds.ts';

/** Beside node-http, which starts in 0.1 s. */
const SECONDS = { koa: 0.2, express: 0.4 } as const;

function samples() {
	return Object.entries(SECONDS).flatMap(([server, seconds]) =>
		[1, 1.02, 0.98].flatMap((factor, at) => {
			const { cells, ...round } = scriptRound(at + 1, {
				startup: { d: 0, windows: [], start: { seconds: [0.1, seconds * factor], reload: [0.12, seconds * 1.1] } },
			});
			const renamed = cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app', server) }));
			return samplesOf({ ...round, cells: renamed }, () => 'node-http');
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
	const result = summariseRanking({ ...data, setup });
	assert.deepEqual(
		result.rows.map(({ server, rank, share, judgedBy }) => [server, rank?.first, share?.value.toFixed(2), judgedBy]),
		[
			['node-http', 1, '1.00', 'cold-start'],
			['koa', 2, '0.50', 'cold-start'],
			['express', 3, '0.25', 'cold-start'],
		],
	);
	const markdown = toMarkdown(rankingDocument(result));
	assert.match(markdown, /\| rank \| server \| cold start \| of node-http \| 95 % interval \|.* reload, ms \|/);
	assert.match(markdown, /`koa` \| 200 ms \| 50\.0 % \|/);
	assert.match(markdown, /without load/);
	assert.doesNotMatch(markdown, /times as fast/);
	assert.match(markdown, /Medians over rounds/);
	// The pages that have starts give means.
	const alone = setup.scenarios.map((scenario) => ({ ...scenario, reference: null }));
	const preset = { ...setup, preset: 'seed-vext-page', scenarios: alone };
	assert.match(toMarkdown(rankingDocument(summariseRanking({ ...data, setup: preset }))), /Means over rounds/);
	for (const text of [
		toTerminal(rankingDocument(result), { colour: false, width: 120 }),
		MEASURE_RENDERERS.html(result),
	]) {
		assert.match(text, /200(\.0)? ms/);
		assert.doesNotMatch(text, /NaN|undefined|ms\/s/);
	}
	assert.equal(JSON.parse(renderRankingJson(result)).rows.length, 3);
});

test('hot reload is ranked beside the reference, one row per server, and memory of a server is not compared with it', () => {
	const samples = Object.entries(SECONDS).flatMap(([server, seconds]) =>
		[1, 1.02, 0.98].flatMap((factor, at) => {
			const { cells, ...round } = scriptRound(at + 1, {
				'hot-reload': { d: 0, windows: [], start: { hotReload: [0.3, 0.2 + seconds * factor] } },
				footprint: { d: 0, windows: [], start: { memory: [40e6, 60e6] } },
			});
			const renamed = cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app', server) }));
			return samplesOf({ ...round, cells: renamed }, () => 'node-http');
		}),
	);
	const data = scriptData(
		['node-http', 'koa', 'express'].map((name) => scriptServer(name)),
		samples,
	);
	const scenarios = data.setup.scenarios.map((scenario) => ({
		...scenario,
		metrics: scenario.name === 'hot-reload' ? (['hot-reload'] as const) : (['memory-at-rest'] as const),
	}));
	const result = summariseRanking({ ...data, setup: { ...data.setup, scenarios } });
	const rows = result.rows.filter(({ scenario }) => scenario === 'hot-reload');
	assert.deepEqual(
		rows.map(({ server, rank, share, alone }) => [
			...[server, rank?.first, share?.value.toFixed(2)],
			...[alone?.metrics['hot-reload']?.toFixed(0), alone?.metrics['memory-at-rest']],
		]),
		[
			['node-http', 1, '1.00', '300', null],
			['koa', 2, '0.75', '400', null],
			['express', 3, '0.50', '600', null],
		],
	);
	const markdown = toMarkdown(rankingDocument(result));
	assert.match(markdown, /\| rank \| server \| hot reload \| of node-http \| 95 % interval \| peak memory, MB \|\n/);
	assert.match(markdown, /NODE_ENV=production \(for hot reload NODE_ENV=development\) and few/);
	assert.match(markdown, /50 % of node-http is twice as much\. 200 ms of each hot reload are node --watch waiting\./);
});

describe('starts and memory beside load', () => {
	const METRICS = { startup: ['cold-start'], footprint: ['memory-at-rest'] } as const;
	const bare = Object.entries(SECONDS).flatMap(([server, seconds]) =>
		[1, 1.02, 0.98].flatMap((factor, at) => {
			const { cells, ...round } = scriptRound(at + 1, {
				startup: { d: 0, windows: [], start: { seconds: [0.1, seconds * factor] } },
				footprint: { d: 0, windows: [], start: { memory: [40e6, 300e6 * seconds * factor] } },
			});
			const renamed = cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app', server) }));
			return samplesOf({ ...round, cells: renamed }, () => 'node-http');
		}),
	);
	const load = ['json-hello', 'full-pipeline'].flatMap((scenario) => [
		...scriptTrials('koa', 0.8, 0.004, scenario),
		...scriptTrials('express', 0.4, 0.004, scenario),
	]);
	const names = ['node-http', 'koa', 'express'];
	const data = scriptData(
		names.map((name) => scriptServer(name)),
		[...load, ...bare],
	);
	const scenarios = data.setup.scenarios.map((scenario) => {
		const metrics = METRICS[scenario.name as keyof typeof METRICS];
		return metrics ? { ...scenario, metrics } : scenario;
	});
	const paired = { ...data, setup: { ...data.setup, scenarios } };
	const linesOf = (run: typeof paired) => toMarkdown(rankingDocument(summariseRanking(run))).split('\n');
	const situationsOf = (run: typeof paired) =>
		linesOf(run).filter((line) => /^\| (processes that start often|little memory) /.test(line));

	test('name the metric in which the second server is worse, if less is better', () => {
		const expected = [
			'| processes that start often | `startup` | `node-http` | `koa` (200 ms, the first 100 ms) |',
			'| little memory | `footprint` | `node-http` | `koa` (60.0 MB, the first 40.0 MB) |',
		];
		assert.deepEqual(situationsOf(paired), expected);
		assert.ok(linesOf(paired).some((line) => /Of times and memory, which are better smaller, it has/.test(line)));
		// A preset has figures and no shares.
		const alone = scenarios.map((scenario) => ({ ...scenario, reference: null }));
		const preset = { ...paired, setup: { ...paired.setup, preset: 'seed-vext-page', scenarios: alone } };
		assert.deepEqual(situationsOf(preset), expected);
	});

	test('are shares if the figures come from two machines', () => {
		const gathered = paired.samples.map((sample) => ({ ...sample, shard: sample.server === 'koa' ? 2 : 1 }));
		assert.match(situationsOf({ ...paired, samples: gathered })[0] ?? '', /`koa` \(2\.0 times as much\) \|$/);
	});

	test('are not averaged with requests per second', () => {
		const lines = linesOf(paired);
		const koa = lines.slice(lines.indexOf('### Servers in short')).find((line) => line.startsWith('| `koa` |'));
		assert.match(koa ?? '', /^\| `koa` \| 2 \| – \| – \| 80 % \|/);
		assert.ok(lines.some((line) => /Scenarios that measure starts or memory are not among them/.test(line)));
		assert.ok(
			lines.some((line) =>
				/on average over the 2 of 4 scenarios that compare requests\/s: node-http 100 %, koa 80 %/.test(
					line.replaceAll('`', ''),
				),
			),
		);
	});

	test('have their own names in highlights and percentages', () => {
		const tableOf = (run: typeof paired, title: string) => {
			const lines = toMarkdown(
				rankingDocument(summariseRanking(run, { highlight: 'koa', percentOf: ['node-http'] })),
			).split('\n');
			return lines.slice(lines.indexOf(`### ${title}`) + 2).slice(0, 8);
		};
		const highlights = tableOf(paired, 'Highlights: koa');
		assert.match(highlights[0] ?? '', /^\| scenario \| rank \| measured \|/);
		assert.ok(highlights.some((line) => /^\| `startup` \| 2 \| 200 ms cold start \| 50\.0 % \|/.test(line)));
		assert.ok(highlights.some((line) => /^\| `json-hello` \| 2 \| 32,000 requests\/s \|/.test(line)));
		assert.ok(highlights.some((line) => /Of times and memory less is better/.test(line)));
		const [head] = tableOf(paired, 'Percent of node-http');
		const named = '| server | json-hello | full-pipeline | startup (cold start) | footprint (memory at rest) |';
		assert.equal(head, named);
		// A preset has no shares, so there is no percentage of starts and memory.
		const alone = scenarios.map((scenario) => ({ ...scenario, reference: null }));
		const preset = { ...paired, setup: { ...paired.setup, preset: 'seed-vext-page', scenarios: alone } };
		assert.equal(tableOf(preset, 'Percent of node-http')[0], '| server | json-hello | full-pipeline |');
	});
});
