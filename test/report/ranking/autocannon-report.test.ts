import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRESET_NAMES, presetOf } from '../../../src/config/ranking/presets.ts';
import { timingOfMeasure } from '../../../src/plan/ranking-pairs.ts';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { boxTable, renderAutocannon } from '../../../src/report/ranking/autocannon-report.ts';
import type { AloneFigures, RateFigures } from '../../../src/types/ranking/load-figures.ts';
import { assertGolden } from '../../support/golden.ts';
import { aloneAt, scriptData, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';

const ratesAround = (mean: number): RateFigures => ({
	samples: 10,
	mean,
	sd: mean / 20,
	min: 0.9 * mean,
	p1: 0.9 * mean,
	p2_5: 0.91 * mean,
	p50: mean,
	p97_5: 1.08 * mean,
});

/** Ten seconds of load with a known rate in each. */
function longAt(rate: number, errors = 0) {
	const alone = aloneAt(rate);
	return {
		...alone,
		latency: alone.latency && { ...alone.latency, p97_5: alone.latency.p99 * 0.9, sd: alone.latency.mean / 3 },
		rates: { requests: ratesAround(rate), bytes: ratesAround(150 * rate) },
		totals: { requests: 10 * rate, bytes: 1500 * rate, seconds: 10, errors, unexpected: errors / 2 },
	};
}

const SERVERS = [
	scriptServer('node-http'),
	scriptServer('koa'),
	scriptServer('ergo', { state: 'not-installed', reason: 'npm does not serve it', versions: {} }),
];

test('the tables are as reviewed, with unmeasured figures marked as such', () => {
	const short = scriptTrials('koa', 0.8, 0.004);
	const long = scriptTrials('koa', 0.7, 0.01, 'json-hello').map((sample) => ({
		...sample,
		alone: { server: longAt(28_000, 700), reference: longAt(40_000) },
	}));
	const text = renderAutocannon(summariseRanking(scriptData(SERVERS, [...short, ...long])));
	assertGolden('measure/autocannon.txt', text);
	assert.match(text, /│ Req\/Sec +│ not measured │/);
	const { setup } = scriptData(SERVERS, short);
	const brief = { ...setup, timing: timingOfMeasure({ durationSeconds: 1 }) };
	const briefly = renderAutocannon(summariseRanking(scriptData(SERVERS, short, { setup: brief })));
	assert.match(
		briefly,
		/were not sampled: a server is loaded for less than 2 s in a round\. --duration 2s samples them\./,
	);
	assert.match(text, /# of samples: 30, of 3 rounds\n\n840k requests in 30s, 126 MB read\n2k errors/);
});

test('a row agrees with its totals, whichever round is the median', () => {
	const samples = scriptTrials('koa', 0.7, 0.01).map((sample, at) => ({
		...sample,
		alone: { server: longAt([20_000, 30_000, 31_000][at] ?? 0), reference: longAt(40_000) },
	}));
	const text = renderAutocannon(summariseRanking(scriptData(SERVERS, samples)));
	const koa = text.split('of koa @')[1] ?? '';
	assert.match(koa, /│ Req\/Sec [^\n]*│ 27,000 +│ 5,153 +│ 18,000 +│/);
	assert.match(koa, /\n810k requests in 30s, /);
	assert.match(text, /\nkoa req\/sec: 27,000\n/);
});

test('for a preset whose page shows the median round, the row is that round and the totals state that they cover all rounds', () => {
	const samples = scriptTrials('koa', 0.7, 0.01).map((sample, at) => ({
		...sample,
		alone: { server: longAt([20_000, 30_000, 31_000][at] ?? 0), reference: null },
	}));
	const data = scriptData(SERVERS, samples);
	const preset = PRESET_NAMES.find((name) => presetOf(name).aggregate === 'median-round');
	assert.ok(preset);
	const text = renderAutocannon(summariseRanking({ ...data, setup: { ...data.setup, preset } }));
	assert.match(text, /│ Req\/Sec [^\n]*│ 30,000 +│ [0-9,]+ +│ 27,000 +│/);
	assert.match(text, /# of samples: 10, of the median one of 3 rounds; the totals are of all\n/);
});

test('starts and memory are shown without load figures', () => {
	const samples = scriptTrials('koa', 0.8, 0.01, 'startup').map((sample) => {
		const bare = (alone: AloneFigures | null) =>
			alone && { ...alone, metrics: { 'cold-start': 118 }, bytesPerSecond: 0 };
		return { ...sample, alone: { server: bare(sample.alone.server), reference: bare(sample.alone.reference) } };
	});
	const data = scriptData(SERVERS, samples);
	const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, metrics: ['cold-start' as const] }));
	const text = renderAutocannon(summariseRanking({ ...data, setup: { ...data.setup, scenarios } }));
	assert.match(text, /Running koa @ GET \/startup\n\nno load: cold start 118 ms\n/);
	assert.match(text, /│ koa +│ 118 ms +│/);
	assert.doesNotMatch(text, /requests in|req\/sec|Req\/Sec/);
});

test('timeouts are separate from other errors if they were counted', () => {
	const textWith = (timeouts?: number) => {
		const longRun = longAt(28_000, 700);
		const server = { ...longRun, totals: { ...longRun.totals, ...(timeouts !== undefined && { timeouts }) } };
		const samples = scriptTrials('koa', 0.7, 0.01).map((sample) => ({ ...sample, alone: { server, reference: null } }));
		return renderAutocannon(summariseRanking(scriptData(SERVERS, samples)));
	};
	assert.match(textWith(0), /\n2k errors \(0 timeouts\)\n/);
	assert.match(textWith(100), /\n2k errors \(300 timeouts\)\n/);
	assert.match(textWith(), /\n2k errors \(timeouts among them\)\n/);
});

test('foreign text never reaches the terminal unescaped', () => {
	const hostile = '\u001b[2J\u202eevil\nname';
	const samples = scriptTrials('koa', 0.8, 0.01).map((sample) => ({ ...sample, server: hostile }));
	const servers = [scriptServer('node-http'), scriptServer(hostile)];
	const text = renderAutocannon(summariseRanking(scriptData(servers, samples)));
	for (const part of ['\u001b', '\u202e', 'evil\nname']) assert.ok(!text.includes(part));
});

test('a table is as wide as its cells, whatever they contain', () => {
	assert.equal(
		boxTable(['Stat', 'Avg'], [['速度', '1']]),
		['┌──────┬─────┐', '│ Stat │ Avg │', '├──────┼─────┤', '│ 速度 │ 1   │', '└──────┴─────┘'].join('\n'),
	);
});
