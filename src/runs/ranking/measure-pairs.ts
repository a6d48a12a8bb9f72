/** Rounds of all pairs until every row is precise enough, the budget is spent, or the signal aborts. */
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
import type { MeasureSample } from '../../types/ranking/measure.ts';
import type { EndReason } from '../../types/round.ts';
import type { Progress } from '../../types/run-services.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { MeasureStore } from './ranking-store.ts';

/** Rows shown while measuring; more would scroll away. */
const SHOWN = 8;

/** Columns of the bar of the whole run. */
const BAR_WIDTH = 20;

/** How far a run is. */
interface MeasureProgress {
	readonly round: number;
	/** Cells of the run, and those that go on. */
	readonly cells: readonly string[];
	readonly open: readonly string[];
	readonly states: ReadonlyMap<string, CellState>;
	readonly left: Seconds;
}

/** When rounds end. */
export interface PairsRule {
	readonly precision: Fraction;
	readonly rounds: { readonly fewest: number; readonly most: number };
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/** Whether a fixed rate came from a flag, which faults then name. */
	readonly isRateTyped?: boolean;
	/** Monotonic seconds; the machine's unless given. */
	readonly clock?: () => Seconds;
}

/** Returns what measures the rows of a group: those in one scenario, or in any where they share processes. */
export type LaboratoryOf = (group: PairGroup, scenario: string | null) => Laboratory;

/**
 * Runs rounds and adds what they say to the store, one pair of processes at a time, so that a kill costs no more than the pair at
 * hand. Goes on from what the store has. Returns why it ended. A pair that would not fit into the budget is not begun; the
 * first one always is.
 */
export async function measurePairs(
	groups: readonly PairGroup[],
	laboratoryOf: LaboratoryOf,
	store: MeasureStore,
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
	const left = () => budget - (clock() - began);
	let measured = 0;
	/** Returns why the whole run ends now; null when these are done. */
	const finish = async (part: typeof units): Promise<EndReason | null> => {
		const own = part.flatMap(({ group }) => idsOf(group));
		const pauseSeconds = part[0]?.group.plan.timing.pauseSeconds ?? 0;
		let before = measured;
		for (let round = 1; ; round++) {
			const open = openCells(own, statesOf(store), rule);
			if (open.length === 0) return null;
			// Rounds that the store has were measured long ago.
			if (measured > before && pauseSeconds > 0) await pause(pauseSeconds, signal);
			before = measured;
			for (const { group, laboratoryFor } of part) {
				const wanted = idsOf(group).filter((id) => open.includes(id) && roundsOf(store, id) < round);
				for (const pair of pairsOf(group, round, wanted)) {
					if (signal.aborted) return 'interrupted';
					if (measured > 0 && expectSeconds(group, store, pair.server, pair.turns.length) > left()) return 'budget';
					const states = statesOf(store);
					progress.status(
						describeMeasure({
							round,
							cells,
							open: openCells(cells, states, rule),
							states,
							left: expectLeft(groups, rounds, round, left()),
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
	// Trials of a page's server follow each other; with a reference all rows get one round after the other, so that all see the same times.
	const paired = units.filter(({ group }) => !group.isAlone);
	const alone = units.filter(({ group }) => group.isAlone).map((unit) => [unit]);
	for (const part of paired.length > 0 ? [paired, ...alone] : alone) {
		const ended = await finish(part);
		if (ended !== null) return ended;
	}
	return endOf(cells, store, rounds.most, precision);
}

/** Resolves after `seconds`, or as soon as the signal aborts. */
async function pause(seconds: Seconds, signal: AbortSignal): Promise<void> {
	await delay(seconds * 1000, undefined, { signal }).catch((error) => {
		if (!signal.aborted) throw error;
	});
}

/** The scenario that a pair of processes is for; null where it is for all of a page. */
function scenarioOf({ plan, sharesProcesses }: PairGroup, { turns }: PairPlan): string | null {
	const cell = plan.cells.find(({ id }) => id === turns[0]?.cell);
	return sharesProcesses || cell === undefined ? null : cell.scenario;
}

/** Processes start as the seed says, for each row anew (decision 0061); where nothing is beside a server the order of a page is kept. */
function pairsOf(group: PairGroup, round: number, wanted: readonly string[]): readonly PairPlan[] {
	const { pairs } = planRound(group.plan, round, wanted, 'main');
	const ordered = group.isAlone ? inOrder(pairs, wanted) : pairs;
	if (group.sharesProcesses) return ordered;
	return ordered.flatMap((pair) => pair.turns.map((turn) => ({ ...pair, turns: [turn] })));
}

/** Turns in the order of a config, of which only the server itself is loaded. */
function inOrder(pairs: readonly PairPlan[], wanted: readonly string[]): readonly PairPlan[] {
	return pairs.map((pair) => ({
		...pair,
		turns: pair.turns
			.toSorted((one, other) => wanted.indexOf(one.cell) - wanted.indexOf(other.cell))
			.map((turn) => ({ ...turn, only: 'head', soloFirst: 'head' })),
	}));
}

/** Makes for each key what `make` makes, when it is asked for, and once. */
function once<K, T>(make: (key: K) => T): (key: K) => T {
	const made = new Map<K, T>();
	return (key) => {
		const known = made.get(key) ?? make(key);
		made.set(key, known);
		return known;
	};
}

function idsOf({ plan }: PairGroup): string[] {
	return plan.cells.map(({ id }) => id);
}

function samplesIn(store: MeasureStore): readonly MeasureSample[] {
	return store.log().lines.flatMap((line) => (line.kind === 'samples' ? line.samples : []));
}

function statesOf(store: MeasureStore): ReadonlyMap<string, CellState> {
	return cellStates(samplesIn(store), store.log().header.setup);
}

function roundsOf(store: MeasureStore, id: string): number {
	return Math.max(
		0,
		...samplesIn(store).flatMap(({ server, scenario, round }) => (`${server}/${scenario}` === id ? round : [])),
	);
}

/** What the pair took in earlier rounds; before its first one the estimate of the plan. */
function expectSeconds(group: PairGroup, store: MeasureStore, server: string, turns: number): Seconds {
	const { plan } = group;
	const known = samplesIn(store).filter((sample) => sample.server === server);
	const seconds = known.reduce((sum, sample) => sum + sample.seconds, 0);
	if (known.length > 0) return (seconds / known.length) * turns;
	const cells = plan.cells.filter((cell) => cell.server === server).slice(0, turns);
	return estimatePairs([{ ...group, plan: { ...plan, cells } }], 1);
}

/** What the fewest rounds still take, where the budget has more: precise rows may end the run then. */
function expectLeft(
	groups: readonly PairGroup[],
	{ fewest, most }: PairsRule['rounds'],
	round: number,
	budget: Seconds,
): Seconds {
	return fewest === most ? Math.min(budget, estimatePairs(groups, Math.max(1, most - round + 1))) : budget;
}

/** Nothing is open any more: every row is precise, or some had all the rounds they may have. */
function endOf(cells: readonly string[], store: MeasureStore, most: number, precision: Fraction): EndReason {
	const states = statesOf(store);
	const isSpent = cells.some((id) => {
		const state = states.get(id);
		return state !== undefined && state.rounds >= most && (state.halfWidth === null || state.halfWidth > precision);
	});
	return isSpent ? 'rounds' : 'decided';
}

// The live status of a ranking.

/** Returns the live status of a ranking: how many rows are done, how long it may take, and what is known of the open ones. */
function describeMeasure({ round, cells, open, states, left }: MeasureProgress): string {
	const done = cells.length - open.length;
	const head = `${drawProgress(done, cells.length)} round ${round}: ${done} of ${cells.length} rows done, at most ${formatDuration(Math.max(0, left))} left`;
	const more = open.length > SHOWN ? [`  and ${open.length - SHOWN} more`] : [];
	return [head, ...open.slice(0, SHOWN).map((id) => `  ${id}  ${describeState(states.get(id))}`), ...more].join('\n');
}

/** Returns a bar that is as full as `done` is of `all`: `████░░░░░░`. */
function drawProgress(done: number, all: number): string {
	const full = all === 0 ? 0 : Math.floor((done / all) * BAR_WIDTH);
	return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}

function describeState(state: CellState | undefined): string {
	if (state === undefined || state.share === null) return 'measuring';
	const share = formatPercent(Math.exp(state.share.theta), 1);
	return `${share} of the reference ± ${formatPercent(state.halfWidth, 1)} after ${state.rounds} rounds`;
}
