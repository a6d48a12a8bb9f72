/** The laboratory with real processes and real load. */
import { waitUntilAtRest } from '../process/at-rest.ts';
import type { Config, Scenario, ServerSpec } from '../types/config.ts';
import type { PairPlan, RoundPlan, Timing, Turn } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { RefusedCell } from '../types/result.ts';
import type { CellRound, Fault, Round } from '../types/round.ts';
import { SIDES, type Warning } from '../types/units.ts';
import { checkLoadedAnswers } from './answers/check-loaded-answers.ts';
import { verifyScenario } from './answers/verify-scenario.ts';
import type { TurnWatch } from './connections/turn-watch.ts';
import { type Generator, TurnFailed } from './generator-process.ts';
import type { Laboratory } from './laboratory.ts';
import { findEnded, type Pair, type StartContext, startPair } from './pair.ts';
import type { Untidy } from './server-process.ts';
import { countAnswers, countLoad } from './window-sums.ts';

export interface LaboratoryOptions {
	readonly config: Pick<Config, 'servers' | 'scenarios'>;
	readonly prepared: Prepared;
	/** Timing of each design that may be asked for. */
	readonly timing: (design: RoundPlan['design']) => Timing;
	readonly generator: Generator;
	readonly start: StartContext;
	/** `Date.now()` when measuring began. */
	readonly startedAt: number;
}

/** Who goes first does not matter when nothing is measured. */
const VERIFYING = { startFirst: 'base', slot: { base: 0, head: 1 } } as const;

/** Returns a laboratory that starts the prepared servers and loads them with the generator. */
export function createLaboratory(options: LaboratoryOptions): Laboratory {
	const warnings = new Map<string, Warning>();
	const note = (code: string, message: string) => warnings.set(`${code} ${message}`, { code, message });
	return {
		warnings: () => [...warnings.values()],
		async verify(server, cells) {
			const pair = await startPair(findServer(options, server), options.prepared, VERIFYING, options.start);
			if (isFaults(pair)) return cells.flatMap((cell) => refuse(cell.id, pair));
			await using running = pair;
			const refused: RefusedCell[] = [];
			for (const cell of cells) {
				const watch = options.start.connections?.begin(running, options.generator.pid);
				const { faults } = await verifyScenario(origins(running), findScenario(options, cell.scenario));
				refused.push(...refuse(cell.id, faults.length > 0 ? [...(await findCulprit(watch)), ...faults] : []));
				watch?.stop();
			}
			return refused;
		},
		async runRound(plan) {
			const began = performance.now();
			const startedAt = (Date.now() - options.startedAt) / 1000;
			const cells: CellRound[] = [];
			for (const pair of plan.pairs) cells.push(...(await runPair(options, plan, pair, note)));
			const seconds = (performance.now() - began) / 1000;
			return {
				round: plan.round,
				purpose: plan.purpose,
				startedAt,
				seconds,
				loadSeconds: countLoad(cells),
				cells,
			} satisfies Round;
		},
	};
}

/** Runs the turns of one pair; when a server breaks, its cell gets the fault and the other cells a fresh pair. */
async function runPair(
	options: LaboratoryOptions,
	plan: RoundPlan,
	pairPlan: PairPlan,
	note: (code: string, message: string) => void,
): Promise<CellRound[]> {
	const spec = findServer(options, pairPlan.server);
	const results: CellRound[] = [];
	let pair: Pair | null = null;
	let fresh = true;
	try {
		for (const turn of pairPlan.turns) {
			options.start.signal.throwIfAborted();
			if (pair === null) {
				const started = await startPair(spec, options.prepared, pairPlan, options.start);
				fresh = true;
				if (isFaults(started)) {
					results.push(faulty(options, plan, turn, started));
					continue;
				}
				pair = started;
			}
			const result = await runTurn(options, plan, turn, pair, fresh, note);
			results.push(result);
			fresh = false;
			if (findEnded(pair) !== null) {
				await pair[Symbol.asyncDispose]();
				pair = null;
			}
		}
	} finally {
		if (pair !== null) {
			await pair[Symbol.asyncDispose]();
			for (const side of SIDES) noteUntidy(pair[side].untidy, `${spec.name} (${side})`, note);
		}
	}
	return results;
}

async function runTurn(
	options: LaboratoryOptions,
	plan: RoundPlan,
	turn: Turn,
	pair: Pair,
	fresh: boolean,
	note: (code: string, message: string) => void,
): Promise<CellRound> {
	const scenario = findScenario(options, scenarioOf(turn.cell));
	const rest = () => waitUntilAtRest(SIDES.map((side) => pair[side].pid));
	const asking = { first: turn.clientFirst, rest };
	const watch = options.start.connections?.begin(pair, options.generator.pid);
	const verified = await verifyScenario(origins(pair), scenario, asking);
	if (verified.faults.length > 0)
		return faulty(options, plan, turn, [...(await findCulprit(watch)), ...verified.faults]);
	const timing = options.timing(plan.design);
	const broken = new AbortController();
	const stop = (side: string) => broken.abort(`the ${side} server ended under load`);
	for (const side of SIDES) void pair[side].exited.then(() => stop(side));
	try {
		const report = await options.generator.runTurn(
			{
				turn,
				design: plan.design,
				targets: {
					base: { origin: pair.base.origin, pid: pair.base.pid, request: verified.request.base },
					head: { origin: pair.head.origin, pid: pair.head.pid, request: verified.request.head },
				},
				load: scenario.load,
				timing,
				warmup: fresh ? timing.firstWarmup : timing.warmup,
				serverCpu: options.start.affinity.serverCpu,
				awake: options.start.affinity.generatorAlone,
				statuses: scenario.expect.status,
				sampleBodies: !asksForCompression(scenario),
				runStartedAt: options.startedAt,
			},
			AbortSignal.any([options.start.signal, broken.signal]),
			(ports) => watch?.opened(ports),
		);
		const seen = await watch?.finish(countAnswers(report.windows));
		for (const { code, message } of seen?.warnings ?? []) note(code, message);
		const after = asksForCompression(scenario) ? (await verifyScenario(origins(pair), scenario, asking)).faults : [];
		const faults = [
			...crashOf(pair),
			...(seen?.faults ?? []),
			...checkLoadedAnswers(scenario, report, verified.usual),
			...after,
		];
		return { ...faulty(options, plan, turn, faults), windows: report.windows, memoryPeak: report.memoryPeak };
	} catch (error) {
		options.start.signal.throwIfAborted();
		if (!(error instanceof TurnFailed)) throw error;
		const broke = [...(await findCulprit(watch)), ...crashOf(pair)];
		return faulty(
			options,
			plan,
			turn,
			broke.length > 0 ? broke : [{ code: 'no-answer', side: null, message: error.message }],
		);
	} finally {
		watch?.stop();
	}
}

/** Whoever made the other side break is named before what broke. */
async function findCulprit(watch: TurnWatch | undefined): Promise<Fault[]> {
	const { faults = [] } = (await watch?.finish({ base: 0, head: 0 })) ?? {};
	return faults.filter(({ side }) => side !== null);
}

function crashOf(pair: Pair): Fault[] {
	const ended = findEnded(pair);
	return ended
		? [{ code: 'crashed', side: ended.side, message: `the ${ended.side} server crashed under load: ${ended.how}` }]
		: [];
}

/** A cell's round without windows. */
function faulty(options: LaboratoryOptions, plan: RoundPlan, turn: Turn, faults: readonly Fault[]): CellRound {
	return {
		cell: turn.cell,
		round: plan.round,
		purpose: plan.purpose,
		design: plan.design,
		windows: [],
		memoryPeak: { base: null, head: null },
		faults,
		pinned: options.start.affinity.pinned,
	};
}

function noteUntidy(untidy: Untidy, name: string, note: (code: string, message: string) => void): void {
	if (untidy.hungOnTerm)
		note(
			'hung-on-sigterm',
			`${name} did not exit within 2 s of SIGTERM and was killed, which costs time in every round`,
		);
	if (untidy.survived)
		note('survived-kill', `${name} was still there some seconds after it was killed, and was left alone`);
	if (untidy.escaped > 0) note('leaked-children', `${name} left processes behind, which were killed`);
}

function asksForCompression(scenario: Scenario): boolean {
	return Object.keys(scenario.request.headers).some((name) => name.toLowerCase() === 'accept-encoding');
}

function origins(pair: Pair) {
	return { base: pair.base.origin, head: pair.head.origin };
}

function isFaults(outcome: Pair | readonly Fault[]): outcome is readonly Fault[] {
	return Array.isArray(outcome);
}

function refuse(cell: string, faults: readonly Fault[]): RefusedCell[] {
	return faults[0] ? [{ cell, fault: faults[0] }] : [];
}

function findServer(options: LaboratoryOptions, name: string): ServerSpec {
	const found = options.config.servers.find((server) => server.name === name);
	if (!found) throw new Error(`no server named ${name}`);
	return found;
}

function findScenario(options: LaboratoryOptions, name: string): Scenario {
	const found = options.config.scenarios.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`no scenario named ${name}`);
	return found;
}

function scenarioOf(cell: string): string {
	return cell.slice(cell.indexOf('/') + 1);
}
