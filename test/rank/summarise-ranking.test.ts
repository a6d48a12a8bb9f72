import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cellStates, openCells } from '../../src/rank/cell-state.ts';
import { mergeData } from '../../src/rank/read-log.ts';
import { rankingExitCode, summariseRanking } from '../../src/rank/summarise-ranking.ts';
import { samplesOf } from '../../src/rank/turn-sample.ts';
import { plain } from '../../src/report/document/table.ts';
import { buildMeasureReport } from '../../src/report/ranking/ranking-model.ts';
import type { RankingData } from '../../src/types/ranking/ranking.ts';
import { aloneAt, scriptData, scriptSample, scriptServer, scriptTrials } from '../support/ranking-cases.ts';
import { scriptRound } from '../support/rounds.ts';

const SERVERS = ['node-http', 'koa', 'express'].map((name) => scriptServer(name));
const usual = scriptData(SERVERS, [...scriptTrials('koa', 0.8, 0.01), ...scriptTrials('express', 0.4, 0.01)]);

describe('rows of a ranking', () => {
	const rowOf = (data: typeof usual, server: string, scenario = 'ping') =>
		summariseRanking(data).rows.find((row) => row.server === server && row.scenario === scenario);

	test('have the share of the reference, and solo figures', () => {
		const koa = rowOf(usual, 'koa');
		assert.equal(koa?.state, 'measured');
		assert.deepEqual(koa?.rank, { first: 2, last: 2 });
		assert.ok(koa?.share && koa.share.low < 0.8 && koa.share.high > 0.8 && Math.abs(koa.share.value - 0.8) < 1e-9);
		assert.equal(Math.round(koa?.alone?.metrics.throughput ?? 0), 32_000);
		assert.equal(koa?.throughputs.length, 3);
		assert.equal(koa?.rounds, 3);
	});

	test('the reference is 100 % of itself, its figures from all pairs', () => {
		const reference = rowOf(usual, 'node-http');
		assert.deepEqual(reference?.share, { value: 1, low: 1, high: 1 });
		assert.deepEqual(reference?.rank, { first: 1, last: 1 });
		assert.equal(reference?.throughputs.length, 6);
		assert.equal(reference?.rounds, 3);
	});

	test('a server with a fault is broken, with a reason that names servers instead of sides', () => {
		const fault = {
			code: 'wrong-status',
			side: 'head' as const,
			message: 'head gave a wrong answer to GET /ping: 500',
		};
		const broken = {
			...usual,
			samples: [...usual.samples, scriptSample({ server: 'koa', round: 4, share: 1, faults: [fault] })],
		};
		const koa = rowOf(broken, 'koa');
		assert.equal(koa?.state, 'broken');
		assert.equal(koa?.reason, 'koa gave a wrong answer to GET /ping: 500');
		assert.deepEqual([koa?.rank, koa?.share, koa?.alone], [null, null, null]);
		assert.deepEqual(rowOf(broken, 'express')?.rank, { first: 2, last: 2 });
	});

	test('keep every requested row', () => {
		const servers = [
			...SERVERS,
			scriptServer('ergo', { state: 'not-installed', reason: '404', versions: {} }),
			scriptServer('hono'),
		];
		const leftOut = {
			server: 'hono',
			scenario: 'ping',
			state: 'left-out',
			reason: 'no such route',
			side: null,
		} as const;
		const data = scriptData([...servers, scriptServer('late')], usual.samples, { unmeasured: [leftOut] });
		const states = ['ergo', 'hono', 'late'].map((name) => rowOf(data, name)).map((row) => [row?.state, row?.reason]);
		assert.deepEqual(states, [
			['not-installed', '404'],
			['left-out', 'no such route'],
			['not-reached', 'the run ended before it was measured'],
		]);
	});

	test('a row without an interval may have any place', () => {
		const data = scriptData(SERVERS, [
			...scriptTrials('koa', 0.8, 0.01),
			scriptSample({ server: 'express', round: 1, share: 0.4 }),
		]);
		const ranks = ['node-http', 'koa', 'express'].map((name) => rowOf(data, name)?.rank);
		assert.deepEqual(ranks, [
			{ first: 1, last: 2 },
			{ first: 2, last: 3 },
			{ first: 1, last: 3 },
		]);
	});

	test('a generator at its limit makes CPU per request the judge, and the row names it', () => {
		const bound = scriptTrials('koa', 0.8, 0.01).map((sample) => ({
			...sample,
			d: { ...sample.d, throughput: 0 },
			guards: { ...sample.guards, generatorUtilisation: 0.99 },
		}));
		const koa = rowOf(scriptData(SERVERS, bound), 'koa');
		assert.equal(koa?.judgedBy, 'cpu-per-request');
		assert.equal(koa?.warnings[0]?.code, 'generator-bound');
		assert.ok(koa?.share && Math.abs(koa.share.value - 0.8) < 1e-9);
	});

	test('at a fixed rate, which equalises answers, are ranked by CPU time, and lose no requests', () => {
		const at = (server: string, cpu: number, scenario: string) =>
			scriptTrials(server, 1, 0.002, scenario).map((sample) => ({
				...sample,
				d: { ...sample.d, 'cpu-per-request': Math.log(cpu) },
			}));
		const names = ['json-hello', 'middleware-5'];
		const samples = names.flatMap((name) => [...at('koa', 0.8, name), ...at('express', 0.4, name)]);
		const data = scriptData(SERVERS, samples);
		const scenarios = data.setup.scenarios.map((scenario) => ({
			...scenario,
			load: { connections: 50, pipelining: 1, rate: 2000 },
		}));
		const result = summariseRanking({ ...data, setup: { ...data.setup, scenarios } }, { wraps: { express: 'koa' } });
		assert.deepEqual(
			result.rows.slice(0, 3).map(({ server, rank, judgedBy }) => [server, rank?.first, judgedBy]),
			[
				['node-http', 1, 'throughput'],
				['koa', 2, 'cpu-per-request'],
				['express', 3, 'cpu-per-request'],
			],
		);
		assert.deepEqual(result.comparisons, []);
		const report = buildMeasureReport(result);
		assert.deepEqual([report.short, report.scenarios[0]?.ratios], [null, null]);
		assert.match(plain(report.scenarios[0]?.remarks[0] ?? []), /shares and ranks are those of CPU time per request/);
		assert.equal(report.byHand.length, 1, 'no command that would load otherwise');
	});

	test('unlike servers loaded at the same time are ranked by requests per second, with their solo figures beside them', () => {
		const { design: _, ...setup } = usual.setup;
		const before = { setup };
		const unlike = scriptTrials('koa', 0.6, 0.01).map((sample) => ({
			...sample,
			d: { ...sample.d, throughput: Math.log(0.5), 'cpu-per-request': Math.log(0.37) },
			guards: { ...sample.guards, cpuShare: 0.57 },
		}));
		const koa = rowOf(scriptData(SERVERS, unlike, before), 'koa');
		assert.equal(koa?.judgedBy, 'throughput');
		assert.ok(koa?.share && Math.abs(koa.share.value - 0.5) < 1e-9);
		assert.deepEqual(
			koa?.warnings.map(({ code }) => code),
			['unlike-alone'],
		);
		assert.match(
			koa?.warnings[0]?.message ?? '',
			/^Measured alone it answers 60 % \[5\d … 6\d\] of what the reference answers alone\. /,
		);
		const alike = rowOf(scriptData(SERVERS, scriptTrials('koa', 0.6, 0.01), before), 'koa');
		assert.deepEqual(alike?.warnings, []);
	});

	test('a server that works while the other is counted is named, with the effect on the share', () => {
		const notesWith = (resting: { readonly server: number | null; readonly reference: number | null }) =>
			rowOf(
				scriptData(
					SERVERS,
					scriptTrials('koa', 0.6, 0.01).map((sample) => ({ ...sample, guards: { ...sample.guards, resting } })),
				),
				'koa',
			)?.warnings.map(({ code, message }) => [code, message.split(' That ')[1]]);
		assert.deepEqual(notesWith({ server: 0.02, reference: null }), []);
		assert.deepEqual(notesWith({ server: 0.4, reference: 0.01 }), [
			['not-idle', 'slows the reference, so the share of this server is too high, by at most 40 % of itself.'],
		]);
		assert.deepEqual(notesWith({ server: 0, reference: 0.4 }), [
			['not-idle', 'slows this server, so its share is too low, by at most 66.7 % of itself.'],
		]);
	});
});

describe('a round of windows in turn', () => {
	const inTurn = (windows: readonly number[]) =>
		samplesOf(
			scriptRound(1, { ping: { d: Math.log(0.5), windows, answers: 800, otherCpu: 0.2 } }, { design: 'alternating' }),
			() => 'node-http',
		)[0];

	test('has the share and the solo figures of the same windows', () => {
		const sample = inTurn([0, 0, 0, 0]);
		assert.ok(Math.abs((sample?.d.throughput ?? 0) - Math.log(0.5)) < 1e-9);
		assert.equal(sample?.alone.reference?.metrics.throughput, 800);
		assert.equal(sample?.alone.server?.metrics.throughput, 400);
		assert.equal(sample?.alone.reference?.totals?.requests, 3200);
		assert.deepEqual(sample?.alone.server?.rates?.requests.samples, 4);
		assert.equal(sample?.guards.busy, 1);
	});

	test('counts a stop of a server in a single window in full: the share is that of the requests', () => {
		const sample = inTurn([0, 0, 0, Math.log(0.2)]);
		const rates = [sample?.alone.server, sample?.alone.reference].map((alone) => alone?.metrics.throughput ?? 0);
		assert.ok(Math.abs((sample?.d.throughput ?? 0) - Math.log((rates[0] ?? 0) / (rates[1] ?? 1))) < 1e-9);
		assert.ok(Math.abs(Math.exp(sample?.d.throughput ?? 0) - 0.4) < 1e-9);
	});

	test('reports the CPU use of each side at rest', () => {
		const round = scriptRound(1, { ping: { d: 0 } }, { design: 'alternating' });
		const [cell] = round.cells;
		assert.ok(cell);
		const windows = cell.windows.map((window) => ({
			...window,
			base: window.base && { ...window.base, restingCpuSeconds: 0.3 },
			head: window.head && { ...window.head, restingCpuSeconds: 0.01 },
		}));
		const [sample] = samplesOf({ ...round, cells: [{ ...cell, windows }] }, () => 'node-http');
		assert.deepEqual(sample?.guards.resting, { server: 0.3, reference: 0.01 });
		assert.equal('resting' in (inTurn([0])?.guards ?? {}), false);
	});
});

describe('servers that were each measured alone, as on a page', () => {
	/** Figures of a server's start; two of its processes were started side by side. */
	const startOf = (server: string, ms: number) =>
		[1, 2].map((round) => {
			const figures = { ...aloneAt(1), metrics: { 'cold-start': ms, 'memory-at-rest': ms / 2 }, latency: null };
			return {
				...scriptSample({ server, scenario: 'startup', round, share: 1 }),
				...{ reference: server, d: { 'cold-start': 0.01 * round } },
				alone: { server: figures, reference: figures },
			};
		});
	const loadOf = (server: string, share: number) =>
		scriptTrials(server, share, 0.01).map((sample) => ({
			...sample,
			...{ reference: server, d: {} },
			alone: { ...sample.alone, reference: null },
		}));
	const data = scriptData(SERVERS, [
		...loadOf('koa', 0.8),
		...loadOf('express', 0.4),
		...startOf('koa', 90),
		...startOf('express', 60),
	]);
	const setup = {
		...data.setup,
		preset: 'seed-vext-page',
		scenarios: data.setup.scenarios.map((scenario) => ({
			...scenario,
			reference: null,
			servers: scenario.name === 'ping' ? ['koa', 'express', 'node-http'] : ['koa', 'express'],
			...(scenario.name === 'startup' && { metrics: ['cold-start', 'memory-at-rest'] as const }),
		})),
	};
	const { rows } = summariseRanking({ ...data, setup });
	const placesOf = (name: string) =>
		rows.filter(({ scenario }) => scenario === name).map(({ server, rank }) => [server, rank?.first ?? null]);

	test('are ranked by the metric of the scenario, and have no share of themselves', () => {
		assert.deepEqual(placesOf('startup'), [
			['koa', 2],
			['express', 1],
		]);
		assert.deepEqual(
			rows.flatMap(({ share }) => share ?? []),
			[],
		);
		const koa = rows.find(({ server, scenario }) => server === 'koa' && scenario === 'startup');
		assert.equal(koa?.alone?.metrics['cold-start'], 90);
	});

	test('have rows only for requested scenarios', () => {
		assert.deepEqual(placesOf('ping'), [
			['node-http', null],
			['koa', 1],
			['express', 2],
		]);
	});

	test('have a row if they were measured, even if the run began without them', () => {
		const begun = setup.scenarios.map((scenario) => ({ ...scenario, servers: ['koa'] }));
		const { rows } = summariseRanking({ ...data, setup: { ...setup, scenarios: begun } });
		assert.deepEqual(
			rows.map(({ server, scenario }) => `${server}/${scenario}`),
			['koa/ping', 'express/ping', 'koa/startup', 'express/startup'],
		);
	});

	test('have the memory at rest of their process in every scenario', () => {
		const rest = rows
			.filter(({ scenario }) => scenario === 'ping')
			.map(({ alone }) => alone?.metrics['memory-at-rest']);
		assert.deepEqual(rest, [undefined, 45, 30]);
	});

	test('merged with others have the requested rows of all runs', () => {
		const part = (server: string) => ({
			...data,
			setup: {
				...setup,
				scenarios: setup.scenarios.map((scenario) => ({
					...scenario,
					servers: scenario.servers.filter((name) => name === server),
				})),
			},
		});
		const merged = mergeData([part('koa'), part('express')], ['a', 'b']);
		assert.deepEqual(
			merged.setup.scenarios.map(({ servers }) => servers),
			[
				['koa', 'express'],
				['koa', 'express'],
			],
		);
		const all = { ...data, setup: { ...setup, scenarios: setup.scenarios.map(({ servers: _, ...rest }) => rest) } };
		assert.deepEqual(mergeData([part('koa'), all], ['a', 'b']).setup.scenarios[0]?.servers, [
			'koa',
			'node-http',
			'express',
		]);
	});
});

test('a busy machine is reported, because solo figures depend on it', () => {
	const busy = usual.samples.map((sample) => ({ ...sample, guards: { ...sample.guards, busy: 0.75 } }));
	assert.match(
		summariseRanking({ ...usual, samples: busy }).warnings[0]?.message ?? '',
		/more than 5 % of a CPU in 75 % of/,
	);
	assert.deepEqual(summariseRanking(usual).warnings, []);
});

test('comparisons: scenarios of one server, and a wrapper against its host with an interval', () => {
	const samples = [
		...scriptTrials('koa', 0.8, 0.01, 'json-hello'),
		...scriptTrials('koa', 0.6, 0.01, 'middleware-5'),
		...scriptTrials('express', 0.4, 0.01, 'json-hello'),
	];
	const { comparisons } = summariseRanking(scriptData(SERVERS, samples), {
		wraps: { koa: 'node-http', express: 'koa' },
	});
	const [loss, over, inside] = comparisons.filter(({ row }) => row.server !== 'node-http');
	assert.equal(loss?.kind, 'middleware-loss');
	assert.equal(loss?.loss.value.toFixed(3), '0.250');
	assert.deepEqual([loss?.loss.low, loss?.grade], [null, null]);
	assert.equal(over?.kind, 'wrapper');
	assert.equal(over?.loss.value.toFixed(3), '0.200');
	assert.equal(over?.grade, 'bad');
	assert.ok((over?.loss.low ?? 1) < 0.2 && (over?.loss.high ?? 0) > 0.2);
	assert.ok(comparisons.some(({ row, against }) => row.server === 'express' && against.server === 'koa'));
	assert.ok(inside);
});

test('a wrapper has no overhead in a scenario without requests', () => {
	const samples = ['ping', 'startup'].flatMap((scenario) => [
		...scriptTrials('koa', 0.8, 0.01, scenario).map((sample) => ({ ...sample, d: { ...sample.d, 'cold-start': -1 } })),
		...scriptTrials('express', 0.4, 0.01, scenario).map((sample) => ({
			...sample,
			d: { ...sample.d, 'cold-start': -2 },
		})),
	]);
	const data = scriptData(SERVERS, samples);
	const scenarios = data.setup.scenarios.map((scenario) =>
		scenario.name === 'startup' ? { ...scenario, metrics: ['cold-start'] as const } : scenario,
	);
	const { comparisons } = summariseRanking(
		{ ...data, setup: { ...data.setup, scenarios } },
		{ wraps: { express: 'koa' } },
	);
	assert.deepEqual(
		comparisons.map(({ kind, row }) => [kind, row.scenario]),
		[['wrapper', 'ping']],
	);
});

describe('rounds continue', () => {
	const RULE = { precision: 0.04, fewest: 3, most: 10 };
	const openOf = (samples: ReturnType<typeof scriptTrials>) =>
		openCells(['koa/ping'], cellStates(samples, { scenarios: [] }), RULE);

	test('until they are enough and the interval is narrow', () => {
		assert.deepEqual(openOf([]), ['koa/ping']);
		assert.deepEqual(openOf(scriptTrials('koa', 0.8, 0.01).slice(0, 2)), ['koa/ping']);
		assert.deepEqual(openOf(scriptTrials('koa', 0.8, 0.01)), []);
		assert.deepEqual(openOf(scriptTrials('koa', 0.8, 0.1)), ['koa/ping']);
	});

	test('not after a break', () => {
		const fault = { code: 'crashed', side: 'head' as const, message: 'it crashed' };
		assert.deepEqual(openOf([scriptSample({ server: 'koa', round: 1, share: 1, faults: [fault] })]), []);
	});

	test('whatever the share: the rule sees the spread alone', () => {
		for (const share of [0.1, 1, 3]) assert.deepEqual(openOf(scriptTrials('koa', share, 0.01)), []);
	});
});

test('a round becomes samples without its windows', () => {
	const round = scriptRound(2, { ping: { d: Math.log(0.5), solo: [20_000, 10_000] } });
	const [sample] = samplesOf(round, () => 'node-http');
	assert.ok(sample);
	assert.deepEqual([sample.server, sample.scenario, sample.round], ['app', 'ping', 2]);
	assert.ok(Math.abs((sample.d.throughput ?? 0) - Math.log(0.5)) < 1e-9);
	assert.equal(sample.alone.reference?.metrics.throughput, 20_000);
	assert.equal(sample.alone.server?.metrics.throughput, 10_000);
	assert.equal(sample.alone.server?.latency?.p50, 1);
	assert.equal(sample.alone.server?.bytesPerSecond, 1e6);
	assert.deepEqual(sample.faults, []);
	assert.ok(JSON.stringify(sample).length < 3000);
});

describe('merged runs', () => {
	test('have the servers, scenarios and rounds of all', () => {
		const other = scriptData(
			[scriptServer('node-http'), scriptServer('hono')],
			scriptTrials('hono', 0.9, 0.01, 'json-post'),
		);
		const merged = summariseRanking(mergeData([usual, other], ['a', 'b']));
		assert.deepEqual([merged.runs, summariseRanking(usual).runs], [2, undefined]);
		assert.match(buildMeasureReport(merged).end, /^3 rounds in .*; 2 runs put together\. /);
		assert.deepEqual(
			merged.servers.map(({ name }) => name),
			['node-http', 'koa', 'express', 'hono'],
		);
		assert.equal(
			merged.rows.find(({ server, scenario }) => server === 'hono' && scenario === 'json-post')?.state,
			'measured',
		);
		assert.deepEqual(merged.warnings, []);
	});

	test('end as the run with the most open rows, and keep the narrowest precision', () => {
		const merged = (...changes: Partial<RankingData>[]) => {
			const [first = usual, ...others] = changes.map((change) => ({ ...usual, ...change }));
			const { ended, precision } = mergeData([first, ...others], ['a', 'b', 'c']);
			return [ended, precision];
		};
		assert.deepEqual(merged({ precision: 0.04 }, { precision: 0.02, ended: 'budget' }), ['budget', 0.02]);
		assert.deepEqual(merged({ ended: 'rounds', precision: 0.02 }, { precision: 0.04 }), ['rounds', 0.02]);
		assert.equal(merged({ ended: 'rounds' }, { ended: 'budget' }, { ended: 'interrupted' })[0], 'interrupted');
		assert.equal(merged({}, {})[0], 'decided');
	});

	test('have the rounds of all, those of the reference too, which every run loads', () => {
		const more = { ...usual, samples: usual.samples.map((sample) => ({ ...sample, seconds: sample.seconds + 1 })) };
		const { rows, rounds } = summariseRanking(mergeData([usual, more], ['a', 'b']));
		const once = summariseRanking(usual).rows;
		assert.deepEqual(
			rows.map((row) => row.rounds),
			once.map((row) => 2 * row.rounds),
		);
		assert.equal(rounds, 2 * Math.max(...once.map((row) => row.rounds)));
	});

	test('have a row of a server only if a run requested it: a merge adds no break', () => {
		const other = scriptData(
			[scriptServer('node-http'), scriptServer('hono')],
			scriptTrials('hono', 0.9, 0.01, 'json-post'),
		);
		const { rows } = summariseRanking(mergeData([usual, other], ['a', 'b']));
		assert.deepEqual(
			rows.map(({ server, scenario }) => `${server}/${scenario}`),
			['node-http/ping', 'koa/ping', 'express/ping', 'node-http/json-post', 'hono/json-post'],
		);
		assert.deepEqual(
			rows.filter(({ state }) => state !== 'measured'),
			[],
		);
	});

	test('of different load are refused, and of different machines reported', () => {
		const [scenario] = usual.setup.scenarios;
		assert.ok(scenario);
		const load = { connections: 10, pipelining: 1 };
		const otherwise = { ...usual, setup: { ...usual.setup, scenarios: [{ ...scenario, load }] } };
		assert.throws(() => mergeData([usual, otherwise], ['a', 'b']), /cannot be merged with a: ping is loaded/);
		const byWrk = { ...usual, setup: { ...usual.setup, driver: 'wrk' as const } };
		assert.throws(() => mergeData([usual, byWrk], ['a', 'b']), /with a: it was loaded by wrk and not by benchgate/);
		const { design: _, ...beside } = usual.setup;
		assert.throws(
			() => mergeData([usual, { ...usual, setup: beside }], ['a', 'b']),
			/one loaded servers in turn with the reference, and the other beside it/,
		);
		const { processes: __, ...sharing } = usual.setup;
		assert.throws(
			() => mergeData([usual, { ...usual, setup: sharing }], ['a', 'b']),
			/one gave each row processes of its own, and the other did not/,
		);
		const { afterwork: ___, ...unseen } = usual.setup;
		assert.throws(
			() => mergeData([usual, { ...usual, setup: unseen }], ['a', 'b']),
			/one counted what servers still did after their windows, and the other did not/,
		);
		assert.throws(
			() => mergeData([usual, { ...usual, setup: { ...usual.setup, vitals: 'node' as const } }], ['a', 'b']),
			/one had servers report their garbage collection, and the other did not/,
		);
		const elsewhere = { ...usual, environment: { ...usual.environment, cpus: 64 } };
		assert.equal(mergeData([usual, elsewhere], ['a', 'b']).warnings[0]?.code, 'several-machines');
	});
});

test('the exit code reflects whether any row was measured', () => {
	const { rows } = summariseRanking(usual);
	assert.equal(rankingExitCode({ ended: 'decided', rows }), 0);
	assert.equal(rankingExitCode({ ended: 'interrupted', rows }), 130);
	assert.equal(rankingExitCode({ ended: 'decided', rows: [] }), 3);
});
