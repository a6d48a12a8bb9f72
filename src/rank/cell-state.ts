/** What is known of one server in one scenario, and whether it needs another round. */
import { median } from 'simple-statistics';
import { chooseJudge } from '../judge/judging-metric.ts';
import { reachOf } from '../stats/location.ts';
import type { Spread } from '../stats/pooled-spread.ts';
import type { MetricName } from '../types/metric.ts';
import type { MeasureSample } from '../types/ranking/measure.ts';
import type { MeasuredScenario, MeasureSetup } from '../types/ranking/measure-setup.ts';
import type { Fraction, Warning } from '../types/units.ts';
import { type LogShare, logShareOf, spreadOf } from './log-share.ts';
import { countedSamples, isMissedRate, missedNotes } from './missed-rates.ts';
import { notIdle, unlikeAlone } from './share-notes.ts';

/** What is known of one server in one scenario against its reference. */
export interface CellState {
	readonly id: string;
	readonly rounds: number;
	/** Whether it was measured without a reference: it has no share, and needs no more rounds than any. */
	readonly isAlone: boolean;
	/** First fault of either side; null when the numbers mean something. */
	readonly fault: Warning | null;
	readonly judgedBy: MetricName;
	/** Why throughput is not believed, and the like. */
	readonly warnings: readonly Warning[];
	/** Null while the spread is not known. */
	readonly share: LogShare | null;
	/** Half the width of the 95 % interval as a part of the share; null with `share`. */
	readonly halfWidth: Fraction | null;
}

/** What the state of a cell depends on besides its samples. */
export interface CellSetup {
	/** Which are ranked by a metric of their own, or loaded at a fixed rate. */
	readonly scenarios: readonly (Pick<MeasuredScenario, 'name' | 'metrics'> & Partial<Pick<MeasuredScenario, 'load'>>)[];
	readonly design?: MeasureSetup['design'];
}

/** Returns the state of every cell that has a sample, by id. Each row's spread is seen beside those of all other rows. */
export function cellStates(
	samples: readonly MeasureSample[],
	{ scenarios, design }: CellSetup,
): ReadonlyMap<string, CellState> {
	const ranked = new Map(scenarios.map(({ name, metrics }) => [name, metrics?.[0]]));
	const rated = new Set(scenarios.flatMap(({ name, load }) => (load?.rate === undefined ? [] : [name])));
	const cells = [...Map.groupBy(samples, ({ server, scenario }) => `${server}/${scenario}`)].map(([id, own]) => {
		const fault = countedSamples(own).flatMap(({ faults }) => faults)[0] ?? null;
		const named = own[0] && ranked.get(own[0].scenario);
		const { judgedBy, warnings } =
			named === undefined ? judgeOf(own, rated.has(own[0]?.scenario ?? '')) : { judgedBy: named, warnings: [] };
		const d = fault === null ? own.flatMap((sample) => sample.d[judgedBy] ?? []) : [];
		const notes = fault !== null ? [] : design === 'alternating' ? notIdle(own) : unlikeAlone(own, d);
		const isAlone = own.every(({ server, reference, d }) => server === reference && (d[judgedBy] ?? null) === null);
		return {
			...{ id, rounds: own.length, isAlone, fault, judgedBy },
			...{ warnings: [...warnings, ...notes, ...(fault === null ? missedNotes(own) : [])], d, spread: spreadOf(d) },
		};
	});
	return new Map(
		cells.map(({ d, spread: own, ...cell }) => {
			const others = cells.flatMap(({ id, spread }): Spread[] => (id === cell.id || spread === null ? [] : [spread]));
			const share = own === null && d.length < 2 ? null : logShareOf(d, others);
			return [cell.id, { ...cell, share, halfWidth: share === null ? null : halfWidthOf(share) }];
		}),
	);
}

/** When a row has been measured enough. */
export interface MeasureRule {
	/** Largest half-width of a 95 % interval, as a part of the share. */
	readonly precision: Fraction;
	/** Rounds below which no row is done. */
	readonly fewest: number;
	readonly most: number;
}

/**
 * Returns which cells need another round: those with less than the fewest rounds, and those whose interval is wider than
 * `precision`. Like a baseline's rule it knows the spread of rounds and never where they lie, so it does not favour extreme
 * shares. What broke is done; a rate that was not held may be held in the next round, up to the fewest.
 */
export function openCells(
	cells: readonly string[],
	states: ReadonlyMap<string, CellState>,
	{ precision, fewest, most }: MeasureRule,
): readonly string[] {
	return cells.filter((id) => {
		const state = states.get(id);
		if (state === undefined) return true;
		if (state.rounds >= most) return false;
		if (state.fault !== null) return isMissedRate(state.fault) && state.rounds < fewest;
		if (state.rounds < fewest || state.isAlone) return state.rounds < fewest;
		return state.halfWidth === null || state.halfWidth > precision;
	});
}

/** From the standard error alone: sinh(t · se) is half of exp(t · se) − exp(−t · se). */
function halfWidthOf(share: LogShare): Fraction {
	return Math.sinh(reachOf(share));
}

/** Why a share is not that of requests per second, or is to be read with care. */
const WORDS: Readonly<Record<string, string>> = {
	'generator-bound':
		'The load generator was at its limit, which hides differences in requests per second. The share is that of CPU time per request.',
	'servers-wait': 'The servers left CPU time unused: they wait for timers, locks or I/O.',
};

/**
 * Servers in turn share no CPU. Unlike ones that were loaded at the same time got unequal parts of it, and CPU time per request is then
 * further from what they answer alone than requests per second are (decision 0045): a row is never judged by it for that reason. At
 * a fixed rate every server that holds it answers as often, and the CPU time it takes for that tells them apart.
 */
function judgeOf(samples: readonly MeasureSample[], isRated: boolean): Pick<CellState, 'judgedBy' | 'warnings'> {
	const middle = (key: 'generatorUtilisation' | 'serverUtilisation'): number | null => {
		const values = samples.flatMap(({ guards }) => guards[key] ?? []);
		return values.length === 0 ? null : median(values);
	};
	const guards = {
		generatorUtilisation: middle('generatorUtilisation'),
		serverUtilisation: middle('serverUtilisation'),
		cpuShare: null,
		nonExpected: 0,
		errors: 0,
		lag1: null,
	};
	const cpuKnown = samples.length > 0 && samples.every(({ d }) => typeof d['cpu-per-request'] === 'number');
	if (isRated && cpuKnown) return { judgedBy: 'cpu-per-request', warnings: [] };
	const { by, because } = chooseJudge('throughput', guards, 'duet', cpuKnown);
	const message = because === null ? undefined : WORDS[because];
	return { judgedBy: by, warnings: because === null || message === undefined ? [] : [{ code: because, message }] };
}
