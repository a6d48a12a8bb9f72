/** Turns in worker processes, and without a socket, with real processes. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBench } from '../../src/measure/bench.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { samplesOf } from '../../src/rank/turn-sample.ts';
import type { Prepared, PreparedSide } from '../../src/types/prepared.ts';
import { SIDES, type Side } from '../../src/types/units.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO, shortTiming } from '../support/short-rounds.ts';

const PROGRAM = `
import { createServer } from 'node:http';
const server = createServer((_req, res) => {
	res.setHeader('content-type', 'application/json');
	res.end('{"ok":true}');
});
server.listen(Number(process.env.PORT), process.env.HOST);
export const inProcess = { fetch: async () => Response.json({ ok: process.env.WRONG === undefined }) };
process.once('SIGTERM', () => process.exit(0));
`;

/** Both sides run the program above, beside the shared code of built-in servers. */
function prepare(root: string, env: Readonly<Record<string, string>> = {}): Prepared {
	const cwd = join(root, 'servers/app');
	mkdirSync(cwd, { recursive: true });
	cpSync(join(TOOL_ROOT, 'servers/shared'), join(root, 'servers/shared'), { recursive: true });
	writeFileSync(join(cwd, 'server.mjs'), PROGRAM);
	const run = { argv: [process.execPath, 'server.mjs'] };
	const sideOf = (side: Side): PreparedSide => ({
		side,
		info: { revision: side, kind: 'dir', label: side, versions: {} },
		servers: { express: { name: 'express', cwd, run, env: side === 'head' ? env : {}, versions: {} } },
	});
	return { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 };
}

async function runTurns(env: Readonly<Record<string, string>> = {}) {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	try {
		const timing = shortTiming();
		const scenarios = [
			{ ...FIXTURE_SCENARIO, name: 'inside', inProcess: true as const },
			{ ...FIXTURE_SCENARIO, name: 'crowd', workers: 3, load: { connections: 6, pipelining: 1 } },
		];
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios },
			prepared: prepare(folder, env),
			timing,
		});
		const plan = { ...examplePlan(['express/inside', 'express/crowd']), timing: { ...timing('duet'), soloRounds: 1 } };
		const [pair] = planRound(plan, 1, ['express/inside', 'express/crowd'], 'main').pairs;
		assert.ok(pair);
		const turnOf = (name: string) => pair.turns.find(({ cell }) => cell === `express/${name}`) ?? assert.fail(name);
		const base = { round: 1, purpose: 'main', design: 'duet' } as const;
		const inTurn = { ...base, design: 'alternating' } as const;
		const inside = await laboratory.runRound({ ...inTurn, pairs: [{ ...pair, turns: [turnOf('inside')] }] });
		const alone = { ...turnOf('crowd'), only: 'head', soloFirst: 'head' } as const;
		const still = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios },
			prepared: prepare(folder, env),
			timing: (design) => ({ ...timing(design), windows: 0 }),
		});
		const crowd = await still.runRound({ ...base, pairs: [{ ...pair, turns: [alone] }] });
		return { inside, crowd };
	} finally {
		await bench.close();
	}
}

test('a program counts in its own process, and workers are reported one by one', async () => {
	const { inside, crowd } = await runTurns();
	const [insideCell] = inside.cells;
	assert.deepEqual(insideCell?.faults, []);
	assert.deepEqual(
		insideCell?.windows.map(({ kind }) => kind),
		['alternating', 'alternating', 'solo', 'solo'],
	);
	for (const side of SIDES) {
		for (const window of insideCell?.windows ?? []) {
			if (window.kind !== 'solo') assert.ok(window[side]?.completed, side);
			assert.equal(window[side]?.unexpected ?? 0, 0);
		}
	}
	const [sample] = samplesOf(inside, () => 'express');
	assert.ok((sample?.alone.server?.metrics.throughput ?? 0) > 0 && sample?.d.throughput !== null);

	const [many] = crowd.cells;
	assert.deepEqual(many?.faults, []);
	assert.equal(many?.workers?.length, 3);
	assert.ok(many?.windows.every(({ base, head }) => base === null && (head?.completed ?? 0) > 0));
	for (const worker of many?.workers ?? []) assert.ok(worker.memory === null || worker.memory > 0);
});

test('a program whose answers differ in its process is not measured', async () => {
	const { inside } = await runTurns({ WRONG: '1' });
	assert.deepEqual(inside.cells[0]?.windows, []);
	assert.deepEqual(
		inside.cells[0]?.faults.map(({ code, side }) => [code, side]),
		[['wrong-body', 'head']],
	);
});
