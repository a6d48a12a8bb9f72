import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderRankingJson } from '../../src/formats/json-files.ts';
import { cellStates, openCells } from '../../src/rank/cell-state.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import { samplesOf } from '../../src/rank/turn-sample.ts';
import { plain } from '../../src/report/document/table.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import { rankingDocument } from '../../src/report/ranking/ranking-document.ts';
import { buildMeasureReport } from '../../src/report/ranking/ranking-model.ts';
import { MEASURE_RENDERERS } from '../../src/report/render-formats.ts';
import type { RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptData, scriptServer } from '../support/ranking-cases.ts';
import { scriptRound } from '../support/rounds.ts';

const WORKERS = [1, 2, 4, 8];
/** Requests per second by number of workers. */
const RATES: Readonly<Record<number, number>> = { 1: 10_000, 2: 19_000, 4: 30_000, 8: 31_000 };

function samplesFor(workers: number, generator = 0.5): RankingSample[] {
	return [1, 2, 3].flatMap((at) => {
		const rate = RATES[workers] ?? 0;
		const { cells, ...round } = scriptRound(at, {
			[`cluster-${workers}`]: { d: 0, windows: [], solo: [rate, rate] },
		});
		// The workers are loaded without a reference.
		const unpaired = cells.map((cell) => ({
			...cell,
			windows: cell.windows
				.filter(({ base }) => base === null)
				.map((window) => ({ ...window, generatorUtilisation: generator })),
			workers: Array.from({ length: workers }, (_, worker) => ({
				cpus: 0.9 - worker / 100,
				memory: 50e6 + worker * 1e6,
			})),
		}));
		return samplesOf({ ...round, cells: unpaired }, () => 'app');
	});
}

function resultOf(samples: readonly RankingSample[], cpus: number, workerCpus?: number) {
	const data = scriptData([scriptServer('app')], samples);
	const scenarios = data.setup.scenarios.map((scenario) => ({
		...scenario,
		reference: null,
		workers: Number(scenario.name.split('-')[1]),
	}));
	return summariseRanking({
		...data,
		environment: { ...data.environment, cpus, ...(workerCpus !== undefined && { workerCpus }) },
		setup: { ...data.setup, scenarios },
	});
}

const all = WORKERS.flatMap((workers) => samplesFor(workers));

test('speed-up and efficiency are relative to one worker, and absent for more workers than CPUs', () => {
	const [scaling] = resultOf(all, 5).scalings;
	assert.equal(scaling?.server, 'app');
	assert.deepEqual(
		scaling?.steps.map(({ workers, throughput, speedUp, efficiency, oversubscribed }) => [
			workers,
			throughput,
			speedUp,
			efficiency,
			oversubscribed,
		]),
		[
			[1, 10_000, 1, 1, false],
			[2, 19_000, 1.9, 0.95, false],
			[4, 30_000, 3, 0.75, false],
			[8, 31_000, null, null, true],
		],
	);
	const [, two] = scaling?.steps ?? [];
	assert.deepEqual(two?.memory, { sum: 101e6, most: 51e6 });
	assert.deepEqual([two?.cpus?.sum.toFixed(2), two?.cpus?.least.toFixed(2), two?.cpus?.most], ['1.79', '0.89', 0.9]);
});

test('two CPUs are enough for one worker, as the load generator has the other', () => {
	const [scaling] = resultOf(all, 2).scalings;
	assert.deepEqual(
		scaling?.steps.map(({ oversubscribed, speedUp }) => [oversubscribed, speedUp]),
		[
			[false, 1],
			[true, null],
			[true, null],
			[true, null],
		],
	);
});

test('workers have the CPUs given to them, not all but one of the machine', () => {
	const crowded = resultOf(all, 16, 2).scalings[0]?.steps.map(({ oversubscribed }) => oversubscribed);
	assert.deepEqual(crowded, [false, false, true, true]);
});

test('rows with more workers than CPUs have no ratio', () => {
	const other = all.map((sample) => ({ ...sample, server: 'other', reference: 'other' }));
	const data = scriptData([scriptServer('app'), scriptServer('other')], [...all, ...other]);
	const scenarios = data.setup.scenarios.map((scenario) => ({
		...scenario,
		reference: null,
		workers: Number(scenario.name.split('-')[1]),
	}));
	const result = summariseRanking(
		{
			...data,
			environment: { ...data.environment, cpus: 5 },
			setup: { ...data.setup, preset: 'seed-vext-page', scenarios },
		},
		{ wraps: { app: 'other' }, percentOf: ['other'], highlight: 'app' },
	);
	assert.deepEqual(
		result.comparisons.map(({ row }) => row.scenario),
		['cluster-1', 'cluster-2', 'cluster-4'],
	);
	const report = buildMeasureReport(result);
	const eight = report.scenarios.find(({ name }) => name === 'cluster-8');
	assert.equal(eight?.ratios, null);
	assert.deepEqual(
		eight?.rows.map(({ state, rank }) => [state, rank]),
		[
			['measured', null],
			['measured', null],
		],
	);
	assert.deepEqual(eight?.table.rows[0]?.slice(0, 2).map(plain), ['–', 'app']);
	const { rows: places, note } = report.ranking;
	assert.match(plain(places.find(([name]) => plain(name ?? []) === 'cluster-4')?.[1] ?? []), /30,000/);
	assert.deepEqual(places.at(-1)?.map(plain), ['cluster-8', '–', '–']);
	assert.match(note, /more worker processes than CPUs for them have no places/);
	assert.deepEqual(eight?.remarks.map(plain), [
		'Oversubscribed: there are more worker processes than CPUs for them, so these rows have no place and are in no ratio.',
	]);
	assert.deepEqual(
		report.short?.rows.map((cells) => plain(cells[1] ?? [])),
		['3', '3'],
	);
	const percent = report.comparisons.find(({ title }) => title === 'Percent of other');
	assert.deepEqual(percent?.rows[0]?.map(plain), ['app', '100.0 %', '100.0 %', '100.0 %', '–']);
	const last = report.highlight?.rows.find(([name]) => plain(name ?? []) === 'cluster-8');
	assert.equal(plain(last?.[1] ?? []), 'oversubscribed');
	assert.deepEqual(last?.slice(-2).map(plain), ['–', '–']);
});

test('a row with the generator at its limit has no ratio, and at one worker leaves the others without', () => {
	const ratios = (bound: number) => {
		const samples = WORKERS.flatMap((workers) => samplesFor(workers, workers === bound ? 0.99 : 0.5));
		return resultOf(samples, 17).scalings[0]?.steps.map(({ speedUp, generatorBound }) => [speedUp, generatorBound]);
	};
	assert.deepEqual(ratios(4)?.[2], [null, true]);
	assert.deepEqual(ratios(4)?.[1], [1.9, false]);
	assert.deepEqual(
		ratios(1)?.map(([speedUp]) => speedUp),
		[null, null, null, null],
	);
});

test('a report shows the table, and the JSON file has it', () => {
	const result = resultOf(all, 5);
	const text = toTerminal(rankingDocument(result), { colour: false, width: 160 });
	assert.match(text, /Worker processes of app/);
	assert.match(text, /^ +8 .* oversubscribed/m);
	assert.match(text, /1\.90 +95 %/);
	// Two workers use 0.9 and 0.89 of five CPUs.
	assert.match(text, /^ +2 .* 1\.79 +36 % /m);
	assert.doesNotMatch(text, /NaN|undefined/);
	assert.equal(JSON.parse(renderRankingJson(result)).scalings[0].steps.length, 4);
});

test('a page draws a line a server, dashed where there are more workers than CPUs', () => {
	const html = MEASURE_RENDERERS.html(resultOf(all, 5));
	assert.match(html, /aria-label="Worker processes: requests\/s by workers; dashed: more workers than CPUs"/);
	const lines = [...html.matchAll(/<polyline class="([^"]*)" points="([^"]*)"/g)].map(([, style, points = '']) => [
		style,
		points.split(' ').length,
	]);
	// Four CPUs are left for workers: one, two and four of them, then from four to eight.
	assert.deepEqual(lines, [
		['line-0', 3],
		['line-0 dashed', 2],
	]);
	assert.doesNotMatch(MEASURE_RENDERERS.html(resultOf(all, 17)), /dashed: more/);
	assert.doesNotMatch(MEASURE_RENDERERS.html(resultOf(samplesFor(1), 17)), /<polyline/);
});

test('rows without a reference are ranked by figures if they had enough CPUs, and done after the fewest rounds', () => {
	const { rows } = resultOf(all, 5);
	assert.deepEqual(
		rows.map(({ state, rank, share }) => [state, rank?.first, share]),
		WORKERS.map((workers) => ['measured', workers > 4 ? undefined : 1, null]),
	);
	const open = (samples: readonly RankingSample[]) =>
		openCells(['app/cluster-2'], cellStates(samples, { scenarios: [] }), { precision: 0.04, fewest: 3, most: 100 });
	assert.deepEqual(open(samplesFor(2)), []);
	assert.deepEqual(open(samplesFor(2).slice(0, 2)), ['app/cluster-2']);
});

test('machines of a gathered ranking share no axis and no number of CPUs', () => {
	const { rows, ...rest } = resultOf(all, 5);
	const gathered = { ...rest, rows: rows.map((row, at) => ({ ...row, shard: 1 + (at % 2) })) };
	assert.match(toTerminal(rankingDocument(gathered), { colour: false, width: 160 }), /Worker processes of app/);
	assert.doesNotMatch(toTerminal(rankingDocument(gathered), { colour: false, width: 160 }), /of the machine/);
	assert.doesNotMatch(MEASURE_RENDERERS.html(gathered), /Worker processes: requests\/s by workers/);
});

test('in a gathered ranking each server has the CPUs of its machine, and rates of two machines give no places', () => {
	const other = all.map((sample) => ({ ...sample, server: 'other', reference: 'other', shard: 2 }));
	const samples = [...all.map((sample) => ({ ...sample, shard: 1 })), ...other];
	const data = scriptData([scriptServer('app'), scriptServer('other')], samples);
	const scenarios = data.setup.scenarios.map((scenario) => ({
		...scenario,
		reference: null,
		workers: Number(scenario.name.split('-')[1]),
	}));
	const shards = ([5, 3] as const).map((cpus, at) => ({
		shard: at + 1,
		state: 'complete' as const,
		servers: [at === 0 ? 'app' : 'other'],
		environment: { ...data.environment, cpus },
	}));
	const environment = { ...data.environment, cpus: 5 };
	const { scalings, rows } = summariseRanking({
		...data,
		...{ environment, shards },
		setup: { ...data.setup, scenarios },
	});
	const crowded = scalings.map(({ steps }) => steps.map(({ oversubscribed }) => oversubscribed));
	assert.deepEqual(crowded, [
		[false, false, false, true],
		[false, false, true, true],
	]);
	assert.deepEqual(
		rows.map(({ state, rank }) => [state, rank]),
		rows.map(() => ['measured', null]),
	);
});
