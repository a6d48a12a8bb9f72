import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Laboratory } from '../../../src/measure/laboratory.ts';
import { type PairGroup, planPairs, timingOfMeasure } from '../../../src/plan/ranking-pairs.ts';
import { dataOf } from '../../../src/rank/read-log.ts';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { measurePairs } from '../../../src/runs/ranking/measure-pairs.ts';
import { LOG_FILE, openMeasureStore } from '../../../src/runs/ranking/ranking-store.ts';
import type { RoundPlan } from '../../../src/types/plan.ts';
import type { LogHeader } from '../../../src/types/ranking/ranking.ts';
import type { EndReason } from '../../../src/types/round.ts';
import { builtinScenario } from '../../config/example-catalogue.ts';
import { scriptData, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';
import { scriptRound } from '../../support/rounds.ts';

const SERVERS = { koa: 0.8, express: 0.4, hono: 0.82 } as const;
const PAIR_SECONDS = 6;
const { tool, createdAt, setup, environment } = scriptData([], scriptTrials('koa', 1, 0));
const header: LogHeader = {
	kind: 'benchgate-measure-log',
	schemaVersion: 1,
	tool,
	createdAt,
	seed: 1,
	setup,
	precision: 0.04,
};
const SESSION = {
	kind: 'session',
	environment,
	servers: ['node-http', ...Object.keys(SERVERS)].map((name) => scriptServer(name)),
	unmeasured: [],
	reproduce: 'npx benchgate measure',
} as const;

const group = (budgetSeconds = 600): PairGroup => ({
	reference: 'node-http',
	plan: {
		seed: 1,
		design: 'alternating',
		cells: Object.keys(SERVERS).map((server) => ({
			id: `${server}/ping`,
			server,
			scenario: 'ping',
			threshold: 0.05,
			tolerance: 0.025,
		})),
		oneSided: [],
		metrics: ['throughput'],
		looks: [],
		timing: timingOfMeasure({}),
		budgetSeconds,
	},
});

interface Script {
	/** Approximate standard deviation of a round's log ratio. */
	readonly noise?: number;
	/** Called before each pair is run. */
	readonly before?: (count: number) => void;
}

/** A laboratory whose pairs take no time, with a clock that advances for them. */
function scriptLaboratory({ noise = 0.01, before }: Script = {}) {
	const ran: string[] = [];
	let now = 0;
	const laboratory: Laboratory = {
		verify: async () => [],
		warnings: () => [],
		async runRound({ round, design, pairs }: RoundPlan) {
			before?.(ran.length + 1);
			const server = pairs[0]?.server as keyof typeof SERVERS;
			ran.push(`${server} ${round}`);
			now += PAIR_SECONDS;
			const d = Math.log(SERVERS[server]) + noise * ((round % 3) - 1);
			const scripted = scriptRound(round, { ping: { d, answers: 40_000 } }, { design });
			return {
				...scripted,
				seconds: PAIR_SECONDS,
				cells: scripted.cells.map((cell) => ({ ...cell, cell: `${server}/ping` })),
			};
		},
	};
	return { ran, laboratory, clock: () => now };
}

const RULE = { precision: 0.04, rounds: { fewest: 3, most: 100 }, progress: { step() {}, status() {} } };

async function run(
	folder: string | null,
	script: ReturnType<typeof scriptLaboratory>,
	{ budget = 600, rule = RULE, signal = new AbortController().signal } = {},
): Promise<{ ended: EndReason; store: Awaited<ReturnType<typeof openMeasureStore>> }> {
	const store = await openMeasureStore(folder, header);
	await store.append(SESSION);
	const ended = await measurePairs([group(budget)], () => script.laboratory, store, {
		...rule,
		signal,
		clock: script.clock,
	});
	await store.append({ kind: 'end', ended, warnings: [] });
	return { ended, store };
}

function folderFor(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-measure-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

describe('rounds of pairs', () => {
	test('end when every row is precise; a noisy run takes more', async () => {
		const calm = scriptLaboratory();
		assert.equal((await run(null, calm)).ended, 'decided');
		assert.equal(calm.ran.length, 9);
		const noisy = scriptLaboratory({ noise: 0.04 });
		assert.equal((await run(null, noisy)).ended, 'decided');
		assert.ok(noisy.ran.length > 9, String(noisy.ran.length));
	});

	test('name the flag of the rate, or else the key of the config', async () => {
		for (const isRateTyped of [true, false]) {
			const { laboratory } = scriptLaboratory();
			const missing: Laboratory = {
				...laboratory,
				async runRound(plan) {
					const { cells, ...round } = await laboratory.runRound(plan);
					const { cells: slow } = scriptRound(1, { ping: { d: 0, rate: { due: 1000, held: [1, 0.5] } } });
					return { ...round, cells: slow.map((cell, at) => ({ ...cell, cell: cells[at]?.cell ?? '' })) };
				},
			};
			const store = await openMeasureStore(null, header);
			await store.append(SESSION);
			const { signal } = new AbortController();
			assert.equal(await measurePairs([group()], () => missing, store, { ...RULE, isRateTyped, signal }), 'decided');
			const { rows } = summariseRanking(dataOf(store.log()));
			const koa = rows.find(({ server }) => server === 'koa');
			assert.equal(koa?.state, 'broken');
			assert.match(
				koa?.reason ?? '',
				isRateTyped ? /Lower --rate; raise --connections/ : /Lower load\.rate; raise load\./,
			);
			assert.equal(new Set(dataOf(store.log()).samples.map(({ round }) => round)).size, RULE.rounds.fewest);
		}
	});

	test('go through all servers before repeating one, in an order drawn for each round', async () => {
		const script = scriptLaboratory();
		await run(null, script);
		const rounds = [0, 1, 2].map((at) => script.ran.slice(3 * at, 3 * at + 3));
		for (const [at, round] of rounds.entries())
			assert.deepEqual(
				round.toSorted(),
				Object.keys(SERVERS)
					.toSorted()
					.map((server) => `${server} ${at + 1}`),
			);
		assert.ok(new Set(rounds.map((round) => round.map((pair) => pair.split(' ')[0]).join())).size > 1);
	});

	test('end with the budget, before a pair that would not fit', async () => {
		const script = scriptLaboratory();
		assert.equal((await run(null, script, { budget: 5 * PAIR_SECONDS + 1 })).ended, 'budget');
		assert.equal(script.ran.length, 5);
		const none = scriptLaboratory();
		assert.equal((await run(null, none, { budget: 1 })).ended, 'budget');
		assert.equal(none.ran.length, 1);
	});

	test('are as many as the trials, however noisy', async () => {
		const script = scriptLaboratory({ noise: 0.2 });
		assert.equal((await run(null, script, { rule: { ...RULE, rounds: { fewest: 4, most: 4 } } })).ended, 'rounds');
		assert.equal(script.ran.length, 12);
	});

	test('of servers that are loaded alone follow each other, with the pause of their page between them', async () => {
		const script = scriptLaboratory({ noise: 0.05 });
		const groups = Object.keys(SERVERS).map((server): PairGroup => {
			const { reference, plan } = group();
			const cells = plan.cells.filter((cell) => cell.server === server);
			return { reference, isAlone: true, plan: { ...plan, cells, timing: { ...plan.timing, pauseSeconds: 0.01 } } };
		});
		const store = await openMeasureStore(null, header);
		await store.append(SESSION);
		const began = performance.now();
		const signal = new AbortController().signal;
		const rule = { ...RULE, rounds: { fewest: 2, most: 2 }, signal, clock: script.clock };
		assert.equal(await measurePairs(groups, () => script.laboratory, store, rule), 'rounds');
		assert.deepEqual(script.ran, ['koa 1', 'koa 2', 'express 1', 'express 2', 'hono 1', 'hono 2']);
		assert.ok(performance.now() - began >= 3 * 9);
	});

	test('measured by an earlier run have no pause between them', async () => {
		const script = scriptLaboratory();
		const alone = (pauseSeconds: number): PairGroup => {
			const { reference, plan } = group();
			const timing = { ...plan.timing, pauseSeconds };
			return { reference, isAlone: true, plan: { ...plan, cells: plan.cells.slice(0, 1), timing } };
		};
		const store = await openMeasureStore(null, header);
		await store.append(SESSION);
		const hour = 3_600;
		for (const [pauseSeconds, trials] of [
			[0, 3],
			[hour, 4],
		] as const) {
			const rule = { ...RULE, rounds: { fewest: trials, most: trials }, clock: script.clock };
			const signal = AbortSignal.timeout(10_000);
			await measurePairs([alone(pauseSeconds)], () => script.laboratory, store, { ...rule, signal });
		}
		assert.deepEqual(script.ran, ['koa 1', 'koa 2', 'koa 3', 'koa 4']);
	});

	test('give each row its own processes, which receive its scenario; those of a page share some', async () => {
		const pairs: (readonly string[])[] = [];
		const laboratoryOf = (_: PairGroup, scenario: string | null): Laboratory => ({
			verify: async () => [],
			warnings: () => [],
			async runRound({ round, design, pairs: [pair] }: RoundPlan) {
				const turnCells = pair?.turns.map(({ cell }) => cell) ?? [];
				pairs.push([String(scenario), ...turnCells]);
				const turns = turnCells.map((cell) => [cell.replace('koa/', ''), { d: 0.01 * round }] as const);
				const scripted = scriptRound(round, Object.fromEntries(turns), { design });
				return { ...scripted, cells: scripted.cells.map((cell, at) => ({ ...cell, cell: turnCells[at] ?? '' })) };
			},
		});
		const { reference, plan } = group();
		const cells = ['ping', 'json'].map((scenario) => ({
			...{ id: `koa/${scenario}`, server: 'koa', scenario },
			...{ threshold: 0.05, tolerance: 0.025 },
		}));
		const pairOptions = { reference, plan: { ...plan, cells } };
		for (const request of [
			pairOptions,
			{ ...pairOptions, reference: 'koa', isAlone: true, sharesProcesses: true } as const,
		]) {
			const store = await openMeasureStore(null, header);
			await store.append(SESSION);
			const rule = { ...RULE, rounds: { fewest: 1, most: 1 }, signal: new AbortController().signal };
			await measurePairs([request], laboratoryOf, store, rule);
			assert.equal(dataOf(store.log()).samples.length, 2);
		}
		assert.deepEqual(pairs.slice(0, 2).toSorted(), [
			['json', 'koa/json'],
			['ping', 'koa/ping'],
		]);
		assert.deepEqual(pairs.slice(2), [['null', 'koa/ping', 'koa/json']]);
	});

	test('stop at Ctrl-C and keep the measured rounds', async () => {
		const abort = new AbortController();
		const script = scriptLaboratory({
			before(count) {
				if (count < 5) return;
				abort.abort();
				throw new Error('the server was killed');
			},
		});
		const { ended, store } = await run(null, script, { signal: abort.signal });
		assert.equal(ended, 'interrupted');
		assert.equal(dataOf(store.log()).samples.length, 4);
	});
});

test('of two servers that share a CPU unequally give the solo figures of each', async () => {
	// koa 2 and node:http of Node 24: in a duet koa gets 56 % of the CPU.
	const alone = { 'node-http': 40_000, koa: 24_800 };
	const besideShare = 0.5;
	const laboratory: Laboratory = {
		verify: async () => [],
		warnings: () => [],
		async runRound({ round, design, pairs }: RoundPlan) {
			const noise = 0.01 * ((round % 3) - 1);
			const isDuet = design === 'duet';
			const share = isDuet ? besideShare : alone.koa / alone['node-http'];
			const turn = {
				d: Math.log(share) + noise,
				cpu: Math.log(isDuet ? 0.39 : share) + noise,
				answers: alone['node-http'] / (isDuet ? 2 : 1),
				...(pairs[0]?.turns[0]?.soloFirst && { solo: [alone['node-http'], alone.koa] as const }),
			};
			const scripted = scriptRound(round, { ping: turn }, { design });
			return { ...scripted, cells: scripted.cells.map((cell) => ({ ...cell, cell: 'koa/ping' })) };
		},
	};
	const request = {
		servers: ['node-http', 'koa'].map((name) => ({ kind: 'built-in' as const, name })),
		scenarios: [builtinScenario('ping')],
		...{ seed: 1, budgetSeconds: 600, threshold: 0.05, tolerance: 0.025 },
	};
	const { groups } = planPairs(request, ['node-http', 'koa'], 'node-http', timingOfMeasure({}));
	const store = await openMeasureStore(null, header);
	await store.append({ ...SESSION, servers: ['node-http', 'koa'].map((name) => scriptServer(name)) });
	const signal = new AbortController().signal;
	await measurePairs(groups, () => laboratory, store, { ...RULE, signal });
	const rows = summariseRanking(dataOf(store.log())).rows;
	const koa = rows.find(({ server }) => server === 'koa');
	assert.ok(koa?.share && Math.abs(koa.share.value - 0.62) < 0.01, String(koa?.share?.value));
	assert.ok(koa.share.low < 0.62 && koa.share.high > 0.62);
	assert.equal(koa.judgedBy, 'throughput');
	assert.deepEqual(koa.warnings, []);
	const reference = rows.find(({ server }) => server === 'node-http');
	const rateOf = (row: typeof koa | undefined) => row?.alone?.metrics.throughput ?? 0;
	assert.ok(Math.abs(rateOf(koa) / rateOf(reference) - koa.share.value) < 0.02);
});

describe('the folder of a run', () => {
	test('has every pair before the next begins, and the same command continues after a kill', async (t) => {
		const folder = folderFor(t);
		const killed = scriptLaboratory({
			before(count) {
				if (count === 6) throw new Error('killed');
			},
		});
		await assert.rejects(run(folder, killed), /killed/);
		// A kill in the middle of a line.
		appendFileSync(join(folder, LOG_FILE), '{"kind":"samples","samples":[{"serv');
		const again = scriptLaboratory();
		const { ended, store } = await run(folder, again);
		assert.equal(ended, 'decided');
		assert.deepEqual([...killed.ran, ...again.ran].toSorted(), [...new Set([...killed.ran, ...again.ran])].toSorted());
		assert.equal(killed.ran.length + again.ran.length, 9);
		const whole = scriptLaboratory();
		const { store: unbroken } = await run(null, whole);
		const rowsOf = (log: typeof store) =>
			summariseRanking(dataOf(log.log())).rows.map(({ server, share, rank }) => ({ server, share, rank }));
		const close = (log: typeof store) =>
			JSON.stringify(rowsOf(log), (_, value) => (typeof value === 'number' ? Number(value.toFixed(9)) : value));
		assert.equal(close(store), close(unbroken));
		assert.equal(dataOf(store.log()).ended, 'decided');
	});

	test('of another run is not touched', async (t) => {
		const folder = folderFor(t);
		await run(folder, scriptLaboratory());
		const before = readFileSync(join(folder, LOG_FILE), 'utf8');
		const other = { ...header, setup: { ...setup, reference: 'koa' } };
		await assert.rejects(
			openMeasureStore(folder, other),
			/the folder holds another run: the reference is koa and not node-http/,
		);
		await assert.rejects(openMeasureStore(folder, { ...header, seed: 2 }), /its seed is 1/);
		assert.equal(readFileSync(join(folder, LOG_FILE), 'utf8'), before);
	});

	test('that cannot be made is reported with its flag', async (t) => {
		const folder = folderFor(t);
		appendFileSync(join(folder, 'file'), '');
		await assert.rejects(openMeasureStore(join(folder, 'file'), header), { where: `--out ${join(folder, 'file')}` });
	});
});
