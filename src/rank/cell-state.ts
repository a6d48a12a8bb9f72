import { median } from 'simple-statistics';
import { chooseJudge } from '../judge/judging-metric.ts';
import { reachOf } from '../stats/location.ts';
import { formatPercent } from '../text/numbers.ts';
import type { MetricName } from '../types/metric.ts';
import type { RankingSample } from '../types/ranking/ranking.ts';
import type { RankedScenario, RankingSetup } from '../types/ranking/ranking-setup.ts';
import type { Fraction, Warning } from '../types/units.ts';
import { countedSamples, isMissedRate, missedNotes } from './missed-rates.ts';
import { type OwnReference, weighReference } from './own-reference.ts';
import { type LogShare, logShareOf, ratioOf, shareOf, spreadOf } from './ratios.ts';

/** State of each cell of a ranking. */

/** Relative error of a share above which there is a warning. */
const SLIGHT: Fraction = 0.03;

type AskedScenario = Partial<Pick<RankedScenario, 'metrics' | 'load' | 'workers' | 'inProcess'>>;

export interface CellState {
	readonly id: string;
	readonly rounds: number;
	/** Without a reference there is no share, so the fewest rounds are enough. */
	readonly isAlone: boolean;
	readonly fault: Warning | null;
	readonly judgedBy: MetricName;
	readonly warnings: readonly Warning[];
	/** Null while the spread is unknown. */
	readonly share: LogShare | null;
	/** Half the 95 % interval as a fraction of the share. */
	readonly halfWidth: Fraction | null;
	/** Weight of the reference process beside the row (see `weighReference`). */
	readonly ownReference: Fraction;
}

export interface CellSetup {
	/** Scenarios with the default metric and load may be omitted. */
	readonly scenarios: readonly (AskedScenario & Pick<RankedScenario, 'name'>)[];
	readonly design?: RankingSetup['design'];
}

/** Returns the states of all cells with samples, by cell id. Rows of one kind use each other's spreads. */
export function cellStates(
	samples: readonly RankingSample[],
	{ scenarios, design }: CellSetup,
): ReadonlyMap<string, CellState> {
	const scenarioByName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
	const weighed = weigh(design === 'alternating' ? samples : []);
	const cells = [...Map.groupBy(samples, ({ server, scenario }) => `${server}/${scenario}`)].map(
		([id, cellSamples]) => {
			const scenario = scenarioByName.get(cellSamples[0]?.scenario ?? '');
			const fault = countedSamples(cellSamples).flatMap(({ faults }) => faults)[0] ?? null;
			const named = scenario?.metrics?.[0];
			const { judgedBy, warnings } =
				named === undefined ? judgeOf(cellSamples, isRated(scenario)) : { judgedBy: named, warnings: [] };
			const roundsBy = (metric: MetricName) =>
				fault === null
					? cellSamples.flatMap((sample) => weighed(sample, metric)?.d.get(sample) ?? sample.d[metric] ?? [])
					: [];
			const d = roundsBy(judgedBy);
			const notes = fault !== null ? [] : design === 'alternating' ? notIdle(cellSamples) : unlikeAlone(cellSamples, d);
			const isAlone = cellSamples.every(
				({ server, reference, d }) => server === reference && (d[judgedBy] ?? null) === null,
			);
			return {
				...{ id, rounds: cellSamples.length, isAlone, fault, judgedBy },
				warnings: [...warnings, ...notes, ...(fault === null ? missedNotes(cellSamples) : [])],
				...{ kind: kindOf(scenario), roundsBy },
				ownReference: (cellSamples[0] && weighed(cellSamples[0], judgedBy)?.weight) ?? 1,
			};
		},
	);
	return new Map([...Map.groupBy(cells, ({ kind }) => kind).values()].flatMap(withShares));
}

/** In these metrics, processes of one server differ by chance. */
const LOADED: readonly MetricName[] = ['throughput', 'cpu-per-request'];

function weigh(samples: readonly RankingSample[]) {
	const keyOf = ({ reference, scenario }: RankingSample, metric: MetricName) =>
		JSON.stringify([reference, scenario, metric]);
	const ownReferences = new Map(
		LOADED.flatMap((metric) =>
			[...Map.groupBy(samples, (sample) => keyOf(sample, metric))].map(
				([key, referenceSamples]): readonly [string, OwnReference] => [key, weighReference(referenceSamples, metric)],
			),
		),
	);
	return (sample: RankingSample, metric: MetricName): OwnReference | undefined =>
		ownReferences.get(keyOf(sample, metric));
}

interface Cell extends Omit<CellState, 'share' | 'halfWidth'> {
	readonly kind: string;
	/** Log ratios of the cell's rounds; empty if the row broke. */
	readonly roundsBy: (metric: MetricName) => readonly number[];
}

/**
 * Each row uses the spreads of other rows in its metric, even if these are ranked by another: when a row at the
 * generator's limit switches to CPU time per request, only its own interval changes.
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

export interface RankingRule {
	/** Largest half-width of a 95 % interval, as a fraction of the share. */
	readonly precision: Fraction;
	readonly fewest: number;
	readonly most: number;
}

/**
 * Returns the cells with too few rounds or an interval wider than `precision`. The rule uses the spread of rounds,
 * never their location, so it favours no extreme. A broken row is done, but a missed rate may recover within the fewest
 * rounds.
 */
export function openCells(
	cells: readonly string[],
	states: ReadonlyMap<string, CellState>,
	{ precision, fewest, most }: RankingRule,
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

/** sinh(t · se) = (exp(t · se) − exp(−t · se)) / 2. */
function halfWidthOf(share: LogShare): Fraction {
	return Math.sinh(reachOf(share));
}

const WORDS: Readonly<Record<string, string>> = {
	'generator-bound':
		'The load generator was at its limit, which hides differences in requests per second. The share is that of CPU time per request.',
	'servers-wait': 'The servers left CPU time unused: they wait for timers, locks or I/O.',
};

/**
 * Ignores CPU shares: servers loaded in turn share no CPU. Different servers loaded at once get unequal shares, but CPU
 * time per request is then further from their ratio alone than requests per second are (decision 0045). At a fixed rate
 * all answer equally often, so CPU time ranks.
 */
function judgeOf(samples: readonly RankingSample[], isRated: boolean): Pick<CellState, 'judgedBy' | 'warnings'> {
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

/**
 * Returns the kind of a row: how it is loaded, and its metric if set. The rounds of one kind spread alike. It depends
 * only on the setup, so it never changes between rounds (decision 0067).
 */
export function kindOf(scenario: AskedScenario | undefined): string {
	return [
		scenario?.metrics?.[0] ?? 'loaded',
		...(isRated(scenario) ? ['at a fixed rate'] : []),
		...(scenario?.inProcess ? ['in process'] : []),
		...(scenario?.workers === undefined ? [] : ['in worker processes']),
	].join(' ');
}

function isRated(scenario: AskedScenario | undefined): boolean {
	return scenario?.load?.rate !== undefined;
}

function notIdle(samples: readonly RankingSample[]): readonly Warning[] {
	const usedBy = (who: 'server' | 'reference'): Fraction => {
		const fractions = samples.flatMap(({ guards }) => guards.resting?.[who] ?? []);
		return fractions.length === 0 ? 0 : median(fractions);
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

/**
 * A server that is left with 1 − u of a CPU answers that much less. So the share is at most u too high, or u / (1 − u)
 * too low (relative).
 */
function atMost(used: Fraction, reach: Fraction): string {
	return used < 1 ? `, by at most ${formatPercent(reach, 1)} of itself` : '';
}

/**
 * For servers loaded at once (older versions): warns if the ratio of their figures alone clearly differs from the
 * share.
 */
function unlikeAlone(samples: readonly RankingSample[], d: readonly number[]): readonly Warning[] {
	const ratios = samples.flatMap(({ alone: { server, reference } }) => {
		const [serverThroughput, referenceThroughput] = [server?.metrics.throughput, reference?.metrics.throughput];
		return serverThroughput && referenceThroughput ? [Math.log(serverThroughput / referenceThroughput)] : [];
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
