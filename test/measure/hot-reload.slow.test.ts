/** Hot reload of real servers under `node --watch`, and of those that never show a change. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBench } from '../../src/measure/bench.ts';
import { isFaults, startFreshPair } from '../../src/measure/fresh-pair.ts';
import { hostServer } from '../../src/measure/start/host-server.ts';
import { contentFile, timeHotReload, writeFirstContent } from '../../src/measure/start/time-reload.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { listTree } from '../../src/process/process-tree.ts';
import type { Prepared, PreparedServer } from '../../src/types/prepared.ts';
import type { SideStart } from '../../src/types/round.ts';
import { SIDES, type Sides } from '../../src/types/units.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { installBuiltin, TEST_NODE } from '../support/servers/installed-server.ts';
import { createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO, shortTiming } from '../support/short-rounds.ts';

const SCENARIO = { ...FIXTURE_SCENARIO, name: 'hot-reload', metrics: ['hot-reload'] as const };
const SPEC = { kind: 'built-in', name: 'app' } as const;

/** A pair of two servers under one name, as in a ranking. */
function pairUp(servers: Sides<Pick<PreparedServer, 'cwd' | 'run'>>): Prepared {
	const [base, head] = SIDES.map((side) => {
		const server = { ...servers[side], name: 'app', env: {}, versions: {} };
		const info = { revision: side, kind: 'dir', label: side, versions: {} } as const;
		return { side, info, servers: { app: server } };
	});
	assert.ok(base && head);
	return { sides: { base, head }, warnings: [], installs: 0 };
}

test('the reload of built-in servers is timed until their answers have the new content', async () => {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const installed = await Promise.all(['node-http', 'express'].map((name) => installBuiltin(name)));
	const [base, head] = installed.map(({ folder: cwd, argv }) => ({ cwd, run: { argv } }));
	assert.ok(base && head);
	const bench = await openBench({
		cacheFolder: folder,
		node: TEST_NODE,
		janitor,
		vitals: true,
		signal: controller.signal,
	});
	try {
		const timing = shortTiming();
		const config = { servers: [SPEC], scenarios: [SCENARIO] };
		const laboratory = bench.laboratory({ config, prepared: pairUp({ base, head }), timing });
		const usual = examplePlan(['app/hot-reload']);
		const cells = usual.cells.map((cell) => ({ ...cell, metrics: SCENARIO.metrics }));
		const round = planRound({ ...usual, timing: timing('duet'), cells }, 1, ['app/hot-reload'], 'main');
		const [turn] = (await laboratory.runRound(round)).cells;
		assert.ok(turn?.start);
		assert.deepEqual([turn.faults, turn.windows, turn.vitals], [[], [], undefined]);
		for (const side of SIDES) {
			const figures: SideStart = turn.start[side];
			assert.ok((figures.hotReload ?? 0) > 0);
			assert.deepEqual([figures.seconds, figures.memory], [null, null]);
		}
		const odd = laboratory.warnings().filter(({ code }) => code !== 'sibling-thread');
		assert.deepEqual(odd, []);
	} finally {
		await bench.close();
		for (const { root } of installed) rmSync(root, { recursive: true, force: true });
	}
});

const LISTEN = "listen(Number(process.env.PORT), process.env.HOST);\nprocess.on('SIGTERM', STOP);\n";
const ENDS = LISTEN.replace('STOP', '() => process.exit(0)');
const PROGRAMS = {
	good: `import { createServer } from 'node:http';\ncreateServer((_, res) => res.end('ok')).${ENDS}`,
	stays: `import { createServer } from 'node:http';\ncreateServer((_, res) => res.end('ok')).${LISTEN.replace('STOP', '() => console.error("not now")')}`,
	mute: `import { createServer } from 'node:net';\nconst OK = 'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\nconnection: close\\r\\n\\r\\nok';\ncreateServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(OK))).${ENDS}`,
};

test('a server that never shows the new content is at fault, with a reason, and ends like any other', async () => {
	await using scope = await createBench();
	const root = mkdtempSync(join(tmpdir(), 'benchgate-reload-'));
	symlinkSync(join(TOOL_ROOT, 'servers/shared'), join(root, 'shared'));
	for (const [name, program] of Object.entries(PROGRAMS)) {
		mkdirSync(join(root, name));
		writeFileSync(join(root, name, 'server.mjs'), program);
	}
	const outcomeOf = async (head: keyof typeof PROGRAMS) => {
		const run = { argv: [TEST_NODE, 'server.mjs'] };
		const prepared = pairUp({ base: { cwd: join(root, 'good'), run }, head: { cwd: join(root, head), run } });
		const hosted = hostServer(prepared, 'app', SCENARIO, { folder: scope.folder });
		writeFirstContent(scope.folder);
		const { server: _, ready: _ready, port: _port, slot: _slot, side: _side, ...context } = scope.options('base');
		const plan = { startFirst: 'base', slot: { base: 0, head: 1 } } as const;
		const start = { ...context, slots: ['a', 'b'] as const };
		const pair = await startFreshPair(SPEC, hosted, plan, start, () => {});
		assert.ok(!isFaults(pair));
		try {
			const { signal } = scope.controller;
			const setting = { folder: scope.folder, first: 'head', deadlineMs: 2_000, signal } as const;
			const { start: figures, faults } = await timeHotReload(pair, SCENARIO.request, setting);
			assert.ok((figures.base.hotReload ?? 0) > 0);
			assert.equal(figures.head.hotReload, null);
			assert.deepEqual(
				faults.map(({ code, side }) => [code, side]),
				[['not-reloaded', 'head']],
			);
			// One change per measurement, after the initial content.
			assert.match(readFileSync(contentFile(scope.folder, 'base'), 'utf8'), /^export default [4-9];/);
			return faults[0]?.message ?? '';
		} finally {
			await pair[Symbol.asyncDispose]();
			for (const side of SIDES) assert.deepEqual(listTree(pair[side].pid), []);
		}
	};
	try {
		assert.equal(
			await outcomeOf('mute'),
			'head did not say which content it has: its answer has no header x-benchgate-content, which node:http would send',
		);
		const message = await outcomeOf('stays');
		assert.match(message, /^head did not answer with a changed file within 2 s of the change; it printed: not now/);
		assert.doesNotMatch(message, /Restarting|Change detected/);
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
});
