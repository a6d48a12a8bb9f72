/** One round of servers that connect to their rival, or to themselves, through the whole laboratory. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { openBench } from '../../../src/measure/bench.ts';
import { planRound } from '../../../src/plan/plan-round.ts';
import type { CellRound } from '../../../src/types/round.ts';
import type { Sides } from '../../../src/types/units.ts';
import { examplePlan } from '../../plan/example-plan.ts';
import { type Bench, createBench } from '../../support/servers/servers.ts';
import { FIXTURE_SCENARIO, prepareFixture, shortTiming } from '../../support/short-rounds.ts';

/** Only Linux reports sockets, and its `ss` those of all processes. */
export const LINUX = {
	skip: process.platform !== 'linux' || (spawnSync('ss', ['-V']).error !== undefined && 'iproute2 is not installed'),
};

/** One round of servers with this behaviour, and the codes of the bench's remarks. */
export async function measure(behaviours: Sides<string>): Promise<Measured> {
	await using scope = await createBench();
	const measured = await measureOn(scope, behaviours);
	return measured;
}

/**
 * The same for several lanes at once, the later ones for longer: each is loaded by the time the first one's windows
 * end.
 */
export async function measureBeside(behaviours: readonly Sides<string>[]): Promise<Measured[]> {
	await using scope = await createBench();
	return await Promise.all(behaviours.map((sides, lane) => measureOn(scope, sides, 2 + 2 * lane, true)));
}

interface Measured {
	readonly cell: CellRound;
	readonly codes: string[];
}

async function measureOn(
	{ janitor, folder, controller }: Bench,
	behaviours: Sides<string>,
	windowSeconds = 0.5,
	sharesCpu = false,
): Promise<Measured> {
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	try {
		// Long enough for an event once a second.
		const timing = shortTiming({ leastSeconds: 1, windowSeconds });
		const plan = { ...examplePlan(['express/ping']), timing: timing('duet') };
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios: [FIXTURE_SCENARIO] },
			prepared: prepareFixture(behaviours),
			timing,
			sharesCpu,
		});
		const { cells } = await laboratory.runRound(planRound(plan, 1, ['express/ping'], 'main'));
		return { cell: cells[0] as CellRound, codes: bench.warnings().map(({ code }) => code) };
	} finally {
		await bench.close();
	}
}

/** Sides a round blames for connections. */
export function blamed({ faults }: CellRound): unknown[] {
	return faults.filter(({ code }) => code === 'foreign-connections').map(({ side }) => side);
}

/** A head that does `attack` is at fault. */
export function testAttack(attack: string): void {
	test(`a head that attacks its rival is at fault (${attack})`, LINUX, async () => {
		const { cell } = await measure({ base: '', head: attack });
		assert.deepEqual(blamed(cell), ['head'], JSON.stringify(cell.faults));
		const [first] = cell.faults;
		assert.match(first?.message ?? '', /^processes of the head server connected to the port of the base server/);
	});
}

/** Servers that both do `behaviour` are not at fault, and get at most one of `warnings`. */
export function testInnocent(behaviour: string, warnings: readonly string[] = []): void {
	test(`a server that is ${behaviour || 'good'} is not accused`, LINUX, async () => {
		const { cell, codes } = await measure({ base: behaviour, head: behaviour });
		assert.deepEqual(cell.faults, []);
		assert.deepEqual(
			codes.filter((code) => code !== 'sibling-thread' && !warnings.includes(code)),
			[],
		);
	});
}

/** A head that stops `target` is detected. */
export function testStopped(behaviour: string, target: string): void {
	test(`${target} does not stop unnoticed (${behaviour})`, LINUX, async () => {
		const { cell } = await measure({ base: '', head: behaviour });
		const stops = cell.faults.filter(({ code }) => code === 'stopped');
		assert.ok(
			stops.some(({ side, message }) => side === null && message.includes(`something stopped ${target} `)),
			JSON.stringify(cell.faults),
		);
	});
}
