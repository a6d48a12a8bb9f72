/** Blame: how the laboratory judges real servers that break, on one side or on both. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Bench, openBench } from '../../src/measure/bench.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { timingFor } from '../../src/plan/timing.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../src/types/prepared.ts';
import type { Fault } from '../../src/types/round.ts';
import { SIDES, type Side, type Sides, type Warning } from '../../src/types/units.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { behavingServer, createBench } from '../support/servers/servers.ts';

const SCENARIO = {
	...builtinScenario('ping'),
	expect: { status: [200], json: { ok: true } },
	load: { connections: 2, pipelining: 1 },
};
const WARMUP = { requests: 50, leastSeconds: 0.05, mostSeconds: 0.1 };
const TIMING = {
	...timingFor({ design: 'duet' }),
	...{ firstWarmup: WARMUP, warmup: WARMUP, settleSeconds: 0.05, windowSeconds: 2, windows: 2, soloRounds: 0 },
};
const CELLS = ['api/ping', 'api/again'].map((id) => ({
	...{ id, server: 'api', scenario: id.slice(4), threshold: 0.05, tolerance: 0.025 },
}));
const SERVER = {
	kind: 'custom',
	name: 'api',
	command: '',
	cwd: '.',
	env: {},
	ready: { timeoutSeconds: 30 },
} as const;

/** Shell: fails at every start except the one with this number, counted in a file. */
function startsOnly(folder: string, side: Side, number: number): PreparedServer {
	const server = behavingServer('', 'api');
	const file = join(folder, `starts-${side}`);
	const count = `echo x >> ${file}; test "$(wc -l < ${file})" -eq ${number}`;
	const run = { shell: `${count} || { echo not now; exit 7; }; exec ${process.execPath} behaviour.mjs` };
	return { ...server, run };
}

function prepare(servers: Sides<PreparedServer>): Prepared {
	const sideOf = (side: Side): PreparedSide => ({
		side,
		info: { revision: side, kind: 'dir', label: side, versions: {} },
		servers: { api: servers[side] },
	});
	return { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 };
}

type Told = readonly (readonly [side: Side | null, code: string])[];
const blameIn = (faults: readonly Fault[]): Told => faults.map(({ side, code }) => [side, code] as const);

interface Seen {
	/** Of each cell, before any load. */
	readonly refused: readonly Told[];
	/** Of the first cell in one round; empty when it was refused. */
	readonly loaded: Told;
	readonly warnings: readonly Warning[];
}

/** The outcome of both servers in their own laboratory. */
async function look(make: (folder: string) => Sides<PreparedServer>): Promise<Seen> {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench: Bench = await openBench({
		cacheFolder: folder,
		node: process.execPath,
		janitor,
		signal: controller.signal,
	});
	try {
		const scenarios = [SCENARIO, { ...SCENARIO, name: 'again' }];
		const config = { servers: [SERVER], scenarios };
		const laboratory = bench.laboratory({ config, prepared: prepare(make(folder)), timing: () => TIMING });
		const refusals = await laboratory.verify('api', CELLS);
		const refused = refusals.map(({ fault, others = [] }) => blameIn([fault, ...others]));
		const plan = { ...examplePlan(['api/ping']), timing: TIMING };
		const sound = refusals.every(({ cell }) => cell !== 'api/ping');
		const round = sound ? await laboratory.runRound(planRound(plan, 1, ['api/ping'], 'main')) : null;
		return { refused, loaded: blameIn(round?.cells[0]?.faults ?? []), warnings: laboratory.warnings() };
	} finally {
		await bench.close();
	}
}

const alike = (behaviour: string) => () => ({
	base: behavingServer(behaviour, 'api'),
	head: behavingServer(behaviour, 'api'),
});
const onHead = (behaviour: string) => () => ({
	base: behavingServer('', 'api'),
	head: behavingServer(behaviour, 'api'),
});

test('a start that fails once is tried again with fresh processes, and reported', async () => {
	const { refused, warnings } = await look((folder) => ({
		base: behavingServer('', 'api'),
		head: startsOnly(folder, 'head', 2),
	}));
	assert.deepEqual(refused, []);
	const [late, ...others] = warnings.filter(({ code }) => code === 'started-late');
	assert.deepEqual(others, []);
	assert.match(
		late?.message ?? '',
		/at the first, the head server api exited at start: exit code 7; it printed: not now$/,
	);
});

test('a side that never starts is blamed alone, for every cell of the server', async () => {
	const { refused } = await look(onHead('exit-at-start'));
	assert.deepEqual(refused, [[['head', 'exited-at-start']], [['head', 'exited-at-start']]]);
});

test('two sides that start only without each other are both at fault', async () => {
	const { refused } = await look((folder) => ({
		base: startsOnly(folder, 'base', 1),
		head: startsOnly(folder, 'head', 2),
	}));
	const both = [
		['head', 'exited-at-start'],
		['base', 'exited-at-start'],
	];
	assert.deepEqual(
		refused.map((faults) => faults.toSorted().reverse()),
		[both, both],
	);
});

test('both sides are named when both answer wrongly', async () => {
	const faults = SIDES.map((side) => [side, 'wrong-status']);
	assert.deepEqual((await look(alike('wrong-status'))).refused, [faults, faults]);
});

test('a crash under load is the fault of the crashed side; of both if the same request kills both', async () => {
	assert.deepEqual((await look(onHead('crash-soon'))).loaded, [['head', 'crashed']]);
	assert.deepEqual((await look(alike('crash-soon'))).loaded, [
		['base', 'crashed'],
		['head', 'crashed'],
	]);
});

test('a side that answers only errors once it is loaded is named', async () => {
	assert.deepEqual((await look(onHead('reset-later'))).loaded, [['head', 'no-answer']]);
});
