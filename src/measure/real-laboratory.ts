/** The laboratory with real processes and real load. */
import { setTimeout as delay } from 'node:timers/promises';
import { packTurn } from '../formats/raw/packed-histogram.ts';
import { waitUntilAtRest } from '../process/at-rest.ts';
import type { Scenario } from '../types/config.ts';
import type { PairPlan, RoundPlan, Turn } from '../types/plan.ts';
import { type CellRound, DIFFERENCES, type Fault, type Round } from '../types/round.ts';
import { SIDES, type Sides, type Warning } from '../types/units.ts';
import { asksForCompression } from './answers/ask.ts';
import { checkLoadedAnswers, remarkOnLoadedAnswers } from './answers/check-loaded-answers.ts';
import { findChangedRows } from './answers/find-changed-rows.ts';
import { readCompressed } from './answers/read-compressed.ts';
import {
	type Asking,
	type BaseAnswers,
	learnerOf,
	type Verification,
	verifyScenario,
} from './answers/verify-scenario.ts';
import { verifyServer, WHEN_ASKED } from './answers/verify-server.ts';
import { findCulprits, withoutVictims } from './connections/turn-watch.ts';
import {
	crashesBehind,
	crashesOf,
	explained,
	isFaults,
	keepNotes,
	type Note,
	noteUntidy,
	startFreshPair,
} from './fresh-pair.ts';
import type { Learnt } from './generator/messages.ts';
import { firstRows, orderTurn } from './generator/order-turn.ts';
import { TurnFailed } from './generator-process.ts';
import { runInProcess } from './in-process-turn.ts';
import type { CoveringLaboratory, OnCell } from './laboratory.ts';
import { findEnded, type Pair } from './pair.ts';
import { countCell } from './probe/count-cell.ts';
import { coverCell } from './probe/cover-cell.ts';
import { profileRound } from './probe/profile-round.ts';
import { hostServer } from './start/host-server.ts';
import { firstAskOf, readStart } from './start/start-figures.ts';
import { timeHotReload, timeRestart, writeFirstContent } from './start/time-reload.ts';
import {
	countLoad,
	doesPutOff,
	faulty,
	findScenario,
	findServer,
	forFootprint,
	isLoaded,
	type LaboratoryOptions,
	needsOwnPair,
	ofCpu,
	origins,
	ownNames,
	readWorkers,
	scenarioOf,
	serverOf,
	startingOf,
	strays,
	unanswered,
	watchWorkers,
	withoutSolo,
	withReload,
} from './turn-parts.ts';
import { listenToVitals } from './vitals.ts';

const UNDER_LOAD = 'under load';
const WHEN_RELOADED = 'when it was reloaded';
/** A cause that kills both sides kills one a moment earlier, which is not to blame. */
const GRACE_MS = 2_000;

type Measuring = LaboratoryOptions &
	Required<Pick<LaboratoryOptions, 'disputed'>> & {
		/** Cells in which a side defers work. */
		readonly putOff: Set<string>;
	};

export function createLaboratory(options: LaboratoryOptions): CoveringLaboratory {
	const warnings = new Map<string, Warning>();
	const putOff = new Set<string>();
	const disputed = options.disputed ?? new Map<string, BaseAnswers>();
	const noteOf = (server: string) => keepNotes(warnings, (remark) => options.words?.(remark, server) ?? remark);
	return {
		warnings: () => [...warnings.values()],
		cover: (cell, extent, side = 'base') => coverCell(options, cell, extent, side),
		count: (cell) => countCell(options, cell),
		profile: (cell, order) => profileRound(options, cell, order),
		verify: (server, cells) => verifyServer(options, server, cells, noteOf(server), disputed),
		async runRound(plan, onCell) {
			const began = performance.now();
			const startedAt = (Date.now() - options.startedAt) / 1000;
			const cells: CellRound[] = [];
			for (const pair of plan.pairs)
				cells.push(...(await runPair({ ...options, disputed, putOff }, plan, pair, noteOf(pair.server), onCell)));
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

/** A cell whose server breaks gets the fault; the others get a fresh pair. */
async function runPair(
	options: Measuring,
	plan: RoundPlan,
	pairPlan: PairPlan,
	note: Note,
	onCell?: OnCell,
): Promise<CellRound[]> {
	const spec = findServer(options, pairPlan.server);
	const results: CellRound[] = [];
	let pair: Pair | null = null;
	let start: CellRound['start'];
	/** Index of the turn that reports the pair's start. */
	let first = 0;
	const end = async (living: Pair) => {
		const firstRound = results[first];
		const firstScenario = firstRound && findScenario(options, scenarioOf(firstRound.cell));
		if (firstScenario && (plan.restart || firstScenario.metrics?.includes('reload')) && findEnded(living) === null) {
			const ask = firstAskOf(firstScenario, options.start.signal);
			const reload = await timeRestart(
				spec,
				options.prepared,
				living,
				pairPlan,
				startingOf(options, firstScenario),
				ask,
			);
			results[first] = withReload(firstRound, reload);
		}
		await living[Symbol.asyncDispose]();
		for (const side of SIDES) noteUntidy(living[side].untidy, `${spec.name} (${side})`, note);
	};
	try {
		for (const [at, turn] of pairPlan.turns.entries()) {
			options.start.signal.throwIfAborted();
			onCell?.(turn.cell);
			const scenario = findScenario(options, scenarioOf(turn.cell));
			if (pair !== null && needsOwnPair(scenario)) {
				await end(pair);
				pair = null;
			}
			if (pair === null) {
				const isTimed = plan.startInTurn || scenario.metrics?.includes('cold-start');
				const firstAsk = isTimed ? firstAskOf(scenario, options.start.signal) : undefined;
				const setting = { only: turn.only, folder: options.start.logFolder };
				const prepared = hostServer(options.prepared, spec.name, scenario, setting);
				if (scenario.metrics?.includes('hot-reload')) writeFirstContent(options.start.logFolder);
				const started = await startFreshPair(spec, prepared, pairPlan, startingOf(options, scenario), note, firstAsk);
				if (isFaults(started)) {
					// Tried twice already.
					const failed = needsOwnPair(scenario) ? [turn] : pairPlan.turns.slice(at);
					results.push(...failed.map((each) => faulty(options, plan, each, started)));
					if (failed.length === pairPlan.turns.length - at) return results;
					continue;
				}
				pair = started;
				start = await readStart(pair);
				first = results.length;
			}
			const readVitals = listenToVitals(pair, startingOf(options, scenario).vitals);
			const isLast = at === pairPlan.turns.length - 1 || needsOwnPair(scenario);
			const watchesRest = plan.round === 1 || isLast || options.putOff.has(turn.cell);
			const loaded = await runTurn(options, plan, turn, pair, { fresh: start !== undefined, rest: watchesRest }, note);
			if (doesPutOff(loaded)) options.putOff.add(turn.cell);
			results.push(packTurn({ ...(start && { start }), ...loaded, ...readVitals(loaded.windows) }));
			start = undefined;
			if (findEnded(pair) !== null || needsOwnPair(scenario)) {
				await end(pair);
				pair = null;
			}
		}
		if (pair !== null) await end(pair);
		pair = null;
	} finally {
		await pair?.[Symbol.asyncDispose]();
	}
	return results;
}

/** A clock may tick between the answers. */
async function verifyTwice(
	pair: Sides<string>,
	scenario: Scenario,
	asking: Asking,
	earlier: BaseAnswers | undefined,
): Promise<Verification> {
	const first = await verifyScenario(pair, scenario, { ...asking, ...(earlier && { earlier }) });
	const isDispute = first.disputed && first.faults.every(({ code }) => DIFFERENCES.includes(code));
	if (!isDispute || first.faults.length === 0) return first;
	return await verifyScenario(pair, scenario, { ...asking, earlier: first.disputed });
}

function withRequests(verified: Verification, { base, head }: NonNullable<Learnt>): Verification {
	const mix = verified.mix?.map((entry, at) => {
		const [baseRequest, headRequest] = [base[at], head[at]];
		return baseRequest && headRequest ? { ...entry, request: { base: baseRequest, head: headRequest } } : entry;
	});
	return { ...verified, ...(mix && { mix }) };
}

async function runTurn(
	options: Measuring,
	plan: RoundPlan,
	turn: Turn,
	pair: Pair,
	{ fresh, rest: watchesRest }: { readonly fresh: boolean; readonly rest: boolean },
	note: Note,
): Promise<CellRound> {
	const scenario = findScenario(options, scenarioOf(turn.cell));
	const waitForRest = () => waitUntilAtRest(pair);
	const traffic = options.traffic?.(scenario);
	const names = ownNames(options, serverOf(turn.cell));
	const { unrelated } = options.prepared;
	const asking = { first: turn.clientFirst, rest: waitForRest, rows: firstRows(scenario, traffic), names, unrelated };
	const watch = options.start.connections?.begin(pair, options.generator.pid);
	const verified = await verifyTwice(origins(pair), scenario, asking, options.disputed.get(turn.cell));
	if (verified.disputed) options.disputed.set(turn.cell, verified.disputed);
	if (verified.faults.length > 0) {
		const broke = [...(await crashesBehind(pair, WHEN_ASKED, verified.faults)), ...explained(pair, verified.faults)];
		const faults = withoutVictims(await findCulprits(watch), broke);
		watch?.stop();
		return faulty(options, plan, turn, faults);
	}
	if (scenario.metrics?.includes('hot-reload')) {
		watch?.stop();
		const setting = { folder: options.start.logFolder, first: turn.clientFirst, signal: options.start.signal };
		const { start, faults } = await timeHotReload(pair, scenario.request, setting);
		return { ...faulty(options, plan, turn, [...crashesOf(pair, WHEN_RELOADED), ...faults]), start };
	}
	const isBare = scenario.metrics !== undefined;
	const held = pair.base.held && pair.head.held;
	const footprint = turn.footprint ?? plan.footprint;
	if (isBare && footprint === undefined) {
		watch?.stop();
		return faulty(options, plan, turn, []);
	}
	const usual = options.timing(plan.design);
	const timing = isBare ? forFootprint(usual) : usual;
	if (scenario.inProcess) {
		watch?.stop();
		const setting = { turn, design: plan.design, timing, request: verified.request, statuses: scenario.expect.status };
		const outcome = await runInProcess(pair, {
			...setting,
			startedAt: options.startedAt,
			signal: options.start.signal,
		});
		return {
			...faulty(options, plan, turn, [...crashesOf(pair, UNDER_LOAD), ...outcome.faults]),
			windows: outcome.windows,
		};
	}
	const since = scenario.workers === undefined ? null : watchWorkers(pair.head.pid);
	const broken = new AbortController();
	const ended = SIDES.map((side) => pair[side].exited);
	const grace = Promise.any(ended).then(() => delay(GRACE_MS, undefined, { signal: options.start.signal, ref: false }));
	void Promise.race([Promise.all(ended), grace]).then(
		() => broken.abort('a server ended under load'),
		() => {},
	);
	const learning: Fault[] = [];
	const learner = learnerOf(origins(pair), scenario, (faults) => learning.push(...faults));
	try {
		const report = await options.generator.runTurn(
			orderTurn(scenario, traffic, verified, pair, {
				turn: isBare ? withoutSolo(turn) : turn,
				design: plan.design,
				timing,
				footprint,
				fresh,
				affinity: options.start.affinity,
				held,
				rest: watchesRest && !isBare && plan.design === 'duet' && turn.only === undefined,
				startedAt: options.startedAt,
			}),
			AbortSignal.any([options.start.signal, broken.signal]),
			(ports) => watch?.opened(ports),
			learner,
		);
		const workers = since && readWorkers(pair.head.pid, since);
		const seen = await watch?.finish();
		for (const { code, message } of seen?.warnings ?? []) note(code, message);
		const after = asksForCompression(scenario)
			? (await verifyTwice(origins(pair), scenario, asking, options.disputed.get(turn.cell))).faults
			: [];
		const knownAnswers = { ...verified, ...(traffic && { data: traffic.data }) };
		const read = await readCompressed(scenario, report, knownAnswers);
		// The learnt values in these requests may have expired.
		const now = traffic && (await learner?.());
		const loaded = { traffic, verified: now ? withRequests(verified, now) : verified, report: read };
		const judged = checkLoadedAnswers(scenario, read, knownAnswers).filter(({ side }) => isLoaded(turn, side));
		const changed = judged.length === 0 ? await findChangedRows(origins(pair), scenario, loaded, waitForRest) : [];
		const answers = explained(pair, [...judged, ...changed]);
		const faults = withoutVictims(seen?.faults ?? [], [
			...crashesOf(pair, UNDER_LOAD),
			...strays(report, options.start.affinity.serverCpu),
			...learning,
			...answers,
			...after,
		]);
		const { windows, memoryPeak, memoryAfterLoad, memoryAfter } = report;
		// Meaningless after a single window; memory after 100,000 requests replaces it.
		const memory = isBare ? {} : { memoryAfterLoad };
		const more = {
			...memory,
			...(memoryAfter && { memoryAfter }),
			...(workers && { workers }),
			...ofCpu(report, pair),
		};
		const remarks = [...(verified.remarks ?? []), ...remarkOnLoadedAnswers(scenario, read, knownAnswers)];
		const isRemarked = faults.length === 0 && remarks.length > 0 && turn.only === undefined;
		const reportedRemarks = isRemarked ? { remarks } : {};
		return { ...faulty(options, plan, turn, faults), windows, memoryPeak, ...more, ...reportedRemarks };
	} catch (error) {
		options.start.signal.throwIfAborted();
		if (!(error instanceof TurnFailed)) throw error;
		const crashes = crashesOf(pair, UNDER_LOAD);
		const broke = crashes.length > 0 ? crashes : unanswered(error);
		return faulty(options, plan, turn, withoutVictims(await findCulprits(watch), broke));
	} finally {
		watch?.stop();
	}
}
