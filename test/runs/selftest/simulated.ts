/** Trials of a machine with a known spread between rounds, and an exact or inexact injection. */

import { type SelftestContext, summariseSelftest } from '../../../src/judge/selftest/summarise-selftest.ts';
import type { Laboratory } from '../../../src/measure/laboratory.ts';
import { DROPS, type Schedule } from '../../../src/plan/plan-trials.ts';
import { createCalibrator } from '../../../src/runs/selftest/calibrator.ts';
import { runTrial, runTrials, type TrialContext } from '../../../src/runs/selftest/run-selftest.ts';
import { createRandom } from '../../../src/stats/random.ts';
import type { Config } from '../../../src/types/config.ts';
import type { Cell } from '../../../src/types/plan.ts';
import type { SelftestResult } from '../../../src/types/selftest.ts';
import { scriptRound } from '../../support/rounds.ts';

const SECONDS_PER_ROUND = 4;

export interface Simulation {
	/** Standard deviation of a round's d. */
	readonly sd?: number;
	/** Mean of d of a server against itself. */
	readonly bias?: number;
	/** Factor on the injected CPU time, by the number of rounds so far; 1 for an exact injection. */
	readonly strength?: (rounds: number) => number;
	readonly budget?: number;
	readonly cpu?: boolean;
	/** Rounds after which the user interrupts. */
	readonly interruptAfter?: number;
	readonly broken?: boolean;
	readonly seed?: number;
	readonly onDecision?: TrialContext['onDecision'];
}

export const CONFIG: Config = {
	subject: '.',
	servers: [{ kind: 'built-in', name: 'app' }],
	scenarios: [],
	threshold: 0.05,
	tolerance: 0.025,
	prepareTimeoutSeconds: 900,
	budgetSeconds: 1200,
	design: 'duet',
	gate: { onInconclusive: 'pass', metrics: ['throughput'] },
	seed: 7,
	rounds: 20,
};

const CELLS: readonly Cell[] = ['ping', 'json-post'].map((scenario) => ({
	id: `app/${scenario}`,
	server: 'app',
	scenario,
	threshold: 0.05,
	tolerance: 0.025,
}));

export const CONTEXT: SelftestContext = {
	config: CONFIG,
	drops: DROPS,
	tool: { name: 'benchgate', version: '1.2.3' },
	createdAt: '2026-11-21T09:30:00.000Z',
	environment: {
		os: 'Linux',
		kernel: '6.1.0',
		cpuModel: 'Example CPU @ 2.40GHz',
		cpus: 4,
		memoryBytes: 16 * 2 ** 30,
		node: '24.21.0',
		loadAverage: 0.25,
		pinning: 'both servers on CPU 0, generator on CPU 1',
	},
	pinning: { available: true, note: 'both servers on CPU 0, generator on CPU 1' },
	instructionCounters: { available: false, note: 'the kernel or hypervisor offers none' },
	warnings: [],
	reproduce: 'npx benchgate selftest --server app --scenario ping,json-post --seed 7',
	measuringSeconds: 1193.4,
};

/** Runs a whole selftest against simulated rounds, with the real trials, decisions and summary. */
export async function simulate(simulation: Simulation = {}): Promise<SelftestResult> {
	const { sd = 0.02, bias = 0, strength = () => 1, budget = 1200, interruptAfter = Infinity, seed = 7 } = simulation;
	const random = createRandom(seed);
	const stop = new AbortController();
	let now = 0;
	let rounds = 0;
	const config = { ...CONFIG, budgetSeconds: budget, seed };
	const schedule: Schedule = { cells: CELLS.map(({ id }) => id), drops: DROPS, seed };
	const laboratory = (amount: number): Laboratory => ({
		verify: async () => [],
		warnings: () => [],
		async runRound(plan) {
			now += SECONDS_PER_ROUND;
			if (++rounds > interruptAfter) stop.abort(new Error('interrupted'));
			stop.signal.throwIfAborted();
			const [turn] = plan.pairs[0]?.turns ?? [];
			const scenario = turn?.cell.slice('app/'.length) ?? '';
			const d = bias - Math.log1p(amount * strength(rounds)) + sd * random.normal();
			const faults = simulation.broken
				? [{ code: 'crashed', side: 'head', message: 'head: <b>gone</b>' } as const]
				: [];
			const cpu = simulation.cpu === false ? null : d;
			return scriptRound(plan.round, { [scenario]: { d, cpu, faults } }, plan);
		},
	});
	const calibrator = createCalibrator({ laboratory, signal: stop.signal, onProbe: () => {} });
	const { trials, ended } = await runTrials({
		schedule,
		budgetSeconds: budget,
		clock: () => now,
		signal: stop.signal,
		roundsBefore: ({ drop }) => calibrator.roundsNeeded('app', drop),
		run: (trial, secondsLeft) =>
			runTrial(trial, secondsLeft, {
				config,
				cells: CELLS,
				laboratory,
				calibrator,
				clock: () => now,
				signal: stop.signal,
				onDecision: simulation.onDecision ?? (() => {}),
			}),
		onTrial: () => {},
	});
	return summariseSelftest({ ...CONTEXT, config }, trials, ended);
}
