/** What is known of one server in one scenario, and whether it needs another round. */
import { median } from 'simple-statistics';
import { chooseJudge } from '../judge/judging-metric.ts';
import { reachOf } from '../stats/location.ts';
import { formatPercent } from '../text/numbers.ts';
import type { MetricName } from '../types/metric.ts';
import type { MeasureSample } from '../types/ranking/measure.ts';
import type { MeasuredScenario, MeasureSetup } from '../types/ranking/measure-setup.ts';
import type { Fraction, Warning } from '../types/units.ts';
import { type LogShare, logShareOf, ratioOf, shareOf, spreadOf } from './log-share.ts';
import { countedSamples, isMissedRate, missedNotes } from './missed-rates.ts';
import { type OwnReference, weighReference } from './own-reference.ts';

/** What is not worth a word: a share may be off by that part of itself. */
const SLIGHT: Fraction = 0.03;

/** What a scenario asks for, as far as it decides how its rows are loaded and ranked. */
type AskedScenario = Partial<Pick<MeasuredScenario, 'metrics' | 'load' | 'workers' | 'inProcess'>>;

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
	/** How much the process of the reference beside it counts in the share, and not the mean of all of them. */
	readonly ownReference: Fraction;
}

/** What the state of a cell depends on besides its samples. */
export interface CellSetup {
	/** Which are ranked by a metric of their own, or loaded in another way than most. */
	readonly scenarios: readonly (AskedScenario & Pick<MeasuredScenario, 'name'>)[];
	readonly design?: MeasureSetup['design'];
}

/** Returns the state of every cell that has a sample, by id. Each row's spread is seen beside those of the other rows of its kind. */
export function cellStates(
	samples: readonly MeasureSample[],
	{ scenarios, design }: CellSetup,
): ReadonlyMap<string, CellState> {
	const asked = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
	const weighed = weigh(design === 'alternating' ? samples : []);
	const cells = [...Map.groupBy(samples, ({ server, scenario }) => `${server}/${scenario}`)].map(([id, own]) => {
		const scenario = asked.get(own[0]?.scenario ?? '');
		const fault = countedSamples(own).flatMap(({ faults }) => faults)[0] ?? null;
		const named = scenario?.metrics?.[0];
		const { judgedBy, warnings } =
			named === undefined ? judgeOf(own, isRated(scenario)) : { judgedBy: named, warnings: [] };
		const roundsBy = (metric: MetricName) =>
			fault === null ? own.flatMap((sample) => weighed(sample, metric)?.d.get(sample) ?? sample.d[metric] ?? []) : [];
		const d = roundsBy(judgedBy);
		const notes = fault !== null ? [] : design === 'alternating' ? notIdle(own) : unlikeAlone(own, d);
		const isAlone = own.every(({ server, reference, d }) => server === reference && (d[judgedBy] ?? null) === null);
		return {
			...{ id, rounds: own.length, isAlone, fault, judgedBy },
			warnings: [...warnings, ...notes, ...(fault === null ? missedNotes(own) : [])],
			...{ kind: kindOf(scenario), roundsBy },
			ownReference: (own[0] && weighed(own[0], judgedBy)?.weight) ?? 1,
		};
	});
	return new Map([...Map.groupBy(cells, ({ kind }) => kind).values()].flatMap(withShares));
}

/** Metrics of load in windows, in which processes of one server differ by luck. */
const LOADED: readonly MetricName[] = ['throughput', 'cpu-per-request'];

/** Returns what gives the weighed reference of a sample's scenario in a metric. */
function weigh(samples: readonly MeasureSample[]) {
	const keyOf = ({ reference, scenario }: MeasureSample, metric: MetricName) =>
		JSON.stringify([reference, scenario, metric]);
	const known = new Map(
		LOADED.flatMap((metric) =>
			[...Map.groupBy(samples, (sample) => keyOf(sample, metric))].map(
				([key, own]): readonly [string, OwnReference] => [key, weighReference(own, metric)],
			),
		),
	);
	return (sample: MeasureSample, metric: MetricName): OwnReference | undefined => known.get(keyOf(sample, metric));
}

interface Cell extends Omit<CellState, 'share' | 'halfWidth'> {
	readonly kind: string;
	/** Log ratios of its rounds in a metric, none of a row that broke. */
	readonly roundsBy: (metric: MetricName) => readonly number[];
}

/**
 * Returns the states of rows of one kind. A row that is ranked by CPU time per request, because the generator was at its limit, is
 * judged by what the others spread by in that, and lends them what it spreads by in requests per second: where a row is on the edge, only
 * its own interval changes.
 */
function withShares(cells: readonly Cell[]): readonly (readonly [id: string, state: CellState])[] {
	const lent = new Map(
		[...new Set(cells.map(({ judgedBy }) => judgedBy))].map((metric) => [
			metric,
			cells.flatMap(({ id, roundsBy }) => {
				const spread = spreadOf(roundsBy(metric));
				return spread === null ? [] : [{ id, spread }];
			}),
		]),
	);
	return cells.map(({ kind: _, roundsBy, ...cell }) => {
		const others = (lent.get(cell.judgedBy) ?? []).flatMap(({ id, spread }) => (id === cell.id ? [] : [spread]));
		const d = roundsBy(cell.judgedBy);
		const share = d.length < 2 ? null : logShareOf(d, others);
		return [cell.id, { ...cell, share, halfWidth: share === null ? null : halfWidthOf(share) }];
	});
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

// What kind of row a scenario has: rows of one kind are loaded and ranked alike, so their rounds spread alike.

/**
 * Returns what rows have in common that spread alike: how they are loaded, and what they are ranked by where that is asked for. The setup
 * alone says it, so no row changes its kind from one round to the next (decision 0067).
 */
export function kindOf(scenario: AskedScenario | undefined): string {
	return [
		scenario?.metrics?.[0] ?? 'loaded',
		...(isRated(scenario) ? ['at a fixed rate'] : []),
		...(scenario?.inProcess ? ['in process'] : []),
		...(scenario?.workers === undefined ? [] : ['in worker processes']),
	].join(' ');
}

/** Returns whether requests are sent at a fixed rate. */
function isRated(scenario: AskedScenario | undefined): boolean {
	return scenario?.load?.rate !== undefined;
}

// What to know of a share: how the two servers it was measured between were in each other's way.

/** Says how much CPU a server or its reference used while the other was counted, where that is enough to be seen in the share. */
function notIdle(samples: readonly MeasureSample[]): readonly Warning[] {
	const usedBy = (who: 'server' | 'reference'): Fraction => {
		const known = samples.flatMap(({ guards }) => guards.resting?.[who] ?? []);
		return known.length === 0 ? 0 : median(known);
	};
	const [server, reference] = [usedBy('server'), usedBy('reference')];
	const messages = [
		...(server > SLIGHT
			? [
					`It used ${formatPercent(server, 1)} of a CPU while the reference was loaded and nothing was asked of it. That slows the reference, so the share of this server is too high${atMost(server, server)}.`,
				]
			: []),
		...(reference > SLIGHT
			? [
					`The reference used ${formatPercent(reference, 1)} of a CPU while nothing was asked of it. That slows this server, so its share is too low${atMost(reference, reference / (1 - reference))}.`,
				]
			: []),
	];
	return messages.map((message) => ({ code: 'not-idle', message }));
}

/** Who has 1 − u of a CPU answers that much less, so a share is too high by u of itself at most, or too low by u / (1 − u). */
function atMost(used: Fraction, reach: Fraction): string {
	return used < 1 ? `, by at most ${formatPercent(reach, 1)} of itself` : '';
}

/**
 * For servers that were loaded at the same time, as in runs of older versions: says how much a server answers
 * alone in percent of the reference alone, where that is surely another share than beside it.
 */
function unlikeAlone(samples: readonly MeasureSample[], d: readonly number[]): readonly Warning[] {
	const ratios = samples.flatMap(({ alone: { server, reference } }) => {
		const [own, others] = [server?.metrics.throughput, reference?.metrics.throughput];
		return own && others ? [Math.log(own / others)] : [];
	});
	const [beside, alone] = [logShareOf(d, []), logShareOf(ratios, [])];
	if (beside === null || alone === null) return [];
	const apart = ratioOf(alone, beside);
	if (apart.low <= 1 + SLIGHT && apart.high >= 1 - SLIGHT) return [];
	const { low, high } = shareOf(alone);
	const [middle, ...ends] = [Math.exp(alone.theta), low, high].map((share) => (share * 100).toFixed(0));
	const message = `Measured alone it answers ${middle} % [${ends.join(' … ')}] of what the reference answers alone. The share differs from that, because two servers that are not alike do not share a CPU evenly.`;
	return [{ code: 'unlike-alone', message }];
}
