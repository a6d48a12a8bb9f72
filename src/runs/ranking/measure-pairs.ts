/** Measures pairs until every row is precise enough. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Laboratory } from '../../measure/laboratory.ts';
import { planRound } from '../../plan/plan-round.ts';
import { estimatePairs, type PairGroup } from '../../plan/ranking-pairs.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { type CellState, cellStates, openCells } from '../../rank/cell-state.ts';
import { nameRateFlags } from '../../rank/missed-rates.ts';
import { samplesOf } from '../../rank/turn-sample.ts';
import { formatDuration, formatPercent } from '../../text/numbers.ts';
import type { PairPlan } from '../../types/plan.ts';
import type { RankingSample } from '../../types/ranking/ranking.ts';
import type { EndReason } from '../../types/round.ts';
import type { Progress } from '../../types/run-services.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { RankingStore } from './ranking-store.ts';

/** More rows would scroll away. */
const SHOWN = 8;

const BAR_WIDTH = 20;

interface RankingProgress {
	readonly round: number;
	/** `open` are the cells that continue. */
	readonly cells: readonly string[];
	readonly open: readonly string[];
	readonly states: ReadonlyMap<string, CellState>;
	readonly left: Seconds;
}

export interface PairsRule {
	readonly precision: Fraction;
	readonly rounds: { readonly fewest: number; readonly most: number };
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/** If true, faults name the flag. */
	readonly isRateTyped?: boolean;
	/** Monotonic. */
	readonly clock?: () => Seconds;
}

/** `scenario` is null if scenarios share processes. */
export type LaboratoryOf = (group: PairGroup, scenario: string | null) => Laboratory;

/**
 * Runs rounds, stores samples after each pair, and resumes from them. Returns why it ended. Except the first, skips a
 * pair that would exceed the budget.
 */
export async function measurePairs(
	groups: readonly PairGroup[],
	laboratoryOf: LaboratoryOf,
	store: RankingStore,
	{ precision, rounds, progress, signal, isRateTyped = false, clock = monotonicSeconds }: PairsRule,
): Promise<EndReason> {
	const rule = { precision, ...rounds };
	const began = clock();
	const cells = groups.flatMap(({ plan }) => plan.cells.map(({ id }) => id));
	const units = groups.map((group) => ({
		group,
		laboratoryFor: once((scenario: string | null) => laboratoryOf(group, scenario)),
	}));
	const budget = groups[0]?.plan.budgetSeconds ?? 0;
	const secondsLeft = () => budget - (clock() - began);
	let measured = 0;
	/** Returns null when this part is done. */
	const finish = async (part: typeof units): Promise<EndReason | null> => {
		const partCells = part.flatMap(({ group }) => idsOf(group));
		const pauseSeconds = part[0]?.group.plan.timing.pauseSeconds ?? 0;
		let before = measured;
		for (let round = 1; ; round++) {
			const open = openCells(partCells, statesOf(store), rule);
			if (open.length === 0) return null;
			// There is no pause after rounds that an earlier run measured.
			if (measured > before && pauseSeconds > 0) await pause(pauseSeconds, signal);
			before = measured;
			for (const { group, laboratoryFor } of part) {
				const wanted = idsOf(group).filter((id) => open.includes(id) && roundsOf(store, id) < round);
				for (const pair of pairsOf(group, round, wanted)) {
					if (signal.aborted) return 'interrupted';
					if (measured > 0 && expectSeconds(group, store, pair.server, pair.turns.length) > secondsLeft())
						return 'budget';
					const states = statesOf(store);
					progress.status(
						describeMeasure({
							round,
							cells,
							open: openCells(cells, states, rule),
							states,
							left: expectLeft(groups, rounds, round, secondsLeft()),
						}),
					);
					try {
						const done = await laboratoryFor(scenarioOf(group, pair)).runRound({
							round,
							purpose: 'main',
							design: group.plan.design,
							pairs: [pair],
						});
						const samples = samplesOf(done, () => group.reference);
						await store.append({ kind: 'samples', samples: isRateTyped ? nameRateFlags(samples) : samples });
						measured++;
					} catch (error) {
						if (signal.aborted) return 'interrupted';
						throw error;
					}
				}
			}
		}
	};
	// Without a reference, the trials of a server follow each other. With a reference, rows take turns, so all see
	// the same times.
	const paired = units.filter(({ group }) => !group.isAlone);
	const alone = units.filter(({ group }) => group.isAlone).map((unit) => [unit]);
	for (const part of paired.length > 0 ? [paired, ...alone] : alone) {
		const ended = await finish(part);
		if (ended !== null) return ended;
	}
	return endOf(cells, store, rounds.most, precision);
}

async function pause(seconds: Seconds, signal: AbortSignal): Promise<void> {
	await delay(seconds * 1000, undefined, { signal }).catch((error) => {
		if (!signal.aborted) throw error;
	});
}

/** Null if processes serve all scenarios of a page. */
function scenarioOf({ plan, sharesProcesses }: PairGroup, { turns }: PairPlan): string | null {
	const cell = plan.cells.find(({ id }) => id === turns[0]?.cell);
	return sharesProcesses || cell === undefined ? null : cell.scenario;
}

/** The seed orders starts for each row (decision 0061). A server that is measured alone keeps its page's order. */
function pairsOf(group: PairGroup, round: number, wanted: readonly string[]): readonly PairPlan[] {
	const { pairs } = planRound(group.plan, round, wanted, 'main');
	const ordered = group.isAlone ? inOrder(pairs, wanted) : pairs;
	if (group.sharesProcesses) return ordered;
	return ordered.flatMap((pair) => pair.turns.map((turn) => ({ ...pair, turns: [turn] })));
}

/** Turns follow the order of the config and load only the server. */
function inOrder(pairs: readonly PairPlan[], wanted: readonly string[]): readonly PairPlan[] {
	return pairs.map((pair) => ({
		...pair,
		turns: pair.turns
			.toSorted((one, other) => wanted.indexOf(one.cell) - wanted.indexOf(other.cell))
			.map((turn) => ({ ...turn, only: 'head', soloFirst: 'head' })),
	}));
}

function once<K, T>(make: (key: K) => T): (key: K) => T {
	const made = new Map<K, T>();
	return (key) => {
		const value = made.get(key) ?? make(key);
		made.set(key, value);
		return value;
	};
}

function idsOf({ plan }: PairGroup): string[] {
	return plan.cells.map(({ id }) => id);
}

function samplesIn(store: RankingStore): readonly RankingSample[] {
	return store.log().lines.flatMap((line) => (line.kind === 'samples' ? line.samples : []));
}

function statesOf(store: RankingStore): ReadonlyMap<string, CellState> {
	return cellStates(samplesIn(store), store.log().header.setup);
}

function roundsOf(store: RankingStore, id: string): number {
	return Math.max(
		0,
		...samplesIn(store).flatMap(({ server, scenario, round }) => (`${server}/${scenario}` === id ? round : [])),
	);
}

/** The average of earlier rounds, or else the plan's estimate. */
function expectSeconds(group: PairGroup, store: RankingStore, server: string, turns: number): Seconds {
	const { plan } = group;
	const serverSamples = samplesIn(store).filter((sample) => sample.server === server);
	const seconds = serverSamples.reduce((sum, sample) => sum + sample.seconds, 0);
	if (serverSamples.length > 0) return (seconds / serverSamples.length) * turns;
	const cells = plan.cells.filter((cell) => cell.server === server).slice(0, turns);
	return estimatePairs([{ ...group, plan: { ...plan, cells } }], 1);
}

/**
 * Returns at most the time of a fixed number of rounds. Without one, it returns the budget, although precise rows may
 * end the run.
 */
function expectLeft(
	groups: readonly PairGroup[],
	{ fewest, most }: PairsRule['rounds'],
	round: number,
	budget: Seconds,
): Seconds {
	return fewest === most ? Math.min(budget, estimatePairs(groups, Math.max(1, most - round + 1))) : budget;
}

/** `rounds` if a row used all of them and is still imprecise. */
function endOf(cells: readonly string[], store: RankingStore, most: number, precision: Fraction): EndReason {
	const states = statesOf(store);
	const isSpent = cells.some((id) => {
		const state = states.get(id);
		return state !== undefined && state.rounds >= most && (state.halfWidth === null || state.halfWidth > precision);
	});
	return isSpent ? 'rounds' : 'decided';
}

function describeMeasure({ round, cells, open, states, left }: RankingProgress): string {
	const done = cells.length - open.length;
	const head = `${drawProgress(done, cells.length)} round ${round}: ${done} of ${cells.length} rows done, at most ${formatDuration(Math.max(0, left))} left`;
	const more = open.length > SHOWN ? [`  and ${open.length - SHOWN} more`] : [];
	return [head, ...open.slice(0, SHOWN).map((id) => `  ${id}  ${describeState(states.get(id))}`), ...more].join('\n');
}

/** Like `████░░░░░░`. */
function drawProgress(done: number, all: number): string {
	const full = all === 0 ? 0 : Math.floor((done / all) * BAR_WIDTH);
	return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}

function describeState(state: CellState | undefined): string {
	if (state === undefined || state.share === null) return 'measuring';
	const share = formatPercent(Math.exp(state.share.theta), 1);
	return `${share} of the reference ± ${formatPercent(state.halfWidth, 1)} after ${state.rounds} rounds`;
}
