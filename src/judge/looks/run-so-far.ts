import { mean, median } from 'simple-statistics';
import { lag1Of } from '../../stats/moments.ts';
import { isOfServer, type MetricName } from '../../types/metric.ts';
import type { Plan } from '../../types/plan.ts';
import type { CellRound, EndReason, Round } from '../../types/round.ts';
import { type Seconds, SIDES } from '../../types/units.ts';
import { chargeAfterwork } from '../put-off.ts';
import { type Sample, samplesByCell, startsByServer } from './samples.ts';

/** A side is slow below this share of its own median rate. */
export const SLOW = 0.7;

export const ROUNDS_PER_DISCARD = 10;

const FEWEST_FOR_LAG = 6;

export interface RunSoFar {
	readonly plan: Plan;
	/** Null while measuring. */
	readonly ended: EndReason | null;
	/** Positions of rounds discarded as machine events. */
	readonly discarded: ReadonlySet<number>;
	/** Samples of main rounds not discarded, or of confirm rounds. */
	samples(cell: string, purpose: Round['purpose']): readonly Sample[];
	/** The first turn with fresh processes of each main round not discarded. */
	starts(server: string): readonly Sample[];
	/** Number of main rounds of a cell, including discarded ones. */
	measured(cell: string): number;
	/** In measured order, including discarded and confirm rounds. */
	allSamples(cell: string): readonly Sample[];
	/** The turn in which its requests were counted, after all rounds. */
	counted(cell: string): CellRound | null;
	readonly secondsPerRound: Seconds | null;
	/** Mean lag-1 autocorrelation of d over cells (or servers) with at least 6 main rounds. */
	lag1(metric: MetricName): number | null;
}

export function readRun(plan: Plan, rounds: readonly Round[]): (seen: number, ended: EndReason | null) => RunSoFar {
	const [main, confirm] = [samplesByCell(rounds, 'main'), samplesByCell(rounds, 'confirm')];
	const starts = startsByServer(main);
	return (seen, ended) => {
		const seenSamples = (samples: readonly Sample[] = []) => samples.filter((sample) => sample.position < seen);
		const charged = new Map<string, readonly Sample[]>();
		const mainOf = (cell: string) => {
			const samples = charged.get(cell) ?? chargeAfterwork(seenSamples(main.get(cell)));
			charged.set(cell, samples);
			return samples;
		};
		const seenMain = rounds.slice(0, seen).filter((round) => round.purpose === 'main');
		const counted = rounds.slice(0, seen).flatMap(({ purpose, cells }) => (purpose === 'count' ? cells : []));
		const discarded = machineEvents([...main.keys()].map(mainOf), seenMain.length);
		const keep = (samples: readonly Sample[]) => samples.filter((sample) => !discarded.has(sample.position));
		const kept = (cell: string) => keep(mainOf(cell));
		const startsOf = (server: string) => keep(seenSamples(starts.get(server)));
		const confirmOf = (cell: string) => chargeAfterwork(seenSamples(confirm.get(cell)), mainOf(cell));
		const lags = new Map<MetricName, number | null>();
		return {
			plan,
			ended,
			discarded,
			samples: (cell, purpose) => (purpose === 'main' ? kept(cell) : confirmOf(cell)),
			starts: startsOf,
			measured: (cell) => mainOf(cell).length,
			allSamples: (cell) => [...mainOf(cell), ...confirmOf(cell)].sort((a, b) => a.position - b.position),
			counted: (cell) => counted.find((turn) => turn.cell === cell) ?? null,
			secondsPerRound: seenMain.length === 0 ? null : mean(seenMain.map((round) => round.seconds)),
			lag1: (metric) => {
				if (!lags.has(metric)) {
					const groups = isOfServer(metric) ? [...starts.keys()].map(startsOf) : [...main.keys()].map(kept);
					lags.set(metric, averageLag1(groups, metric));
				}
				return lags.get(metric) ?? null;
			},
		};
	};
}

function averageLag1(cells: readonly (readonly Sample[])[], metric: MetricName): number | null {
	const lags = cells.flatMap((samples) => {
		const d = samples.flatMap((sample) => sample.d[metric] ?? []);
		return d.length < FEWEST_FOR_LAG ? [] : (lag1Of(d) ?? []);
	});
	return lags.length === 0 ? null : mean(lags);
}

/**
 * The positions of main rounds where both sides of more than half of the cells were slow; at most one round in
 * ten, earliest first. The rule ignores differences between sides, so it favours no verdict. Source: docs/statistics.md
 * 6.6.
 */
function machineEvents(cells: readonly (readonly Sample[])[], rounds: number): ReadonlySet<number> {
	const quota = Math.floor(rounds / ROUNDS_PER_DISCARD);
	if (quota === 0) return new Set();
	const turns = cells.flatMap((all) => {
		const samples = all.filter((sample) => !isBare(sample));
		if (samples.length === 0) return [];
		const limits = SIDES.map((side) => SLOW * median(samples.map((sample) => sample.rates[side] ?? 0)));
		return samples.map((sample) => ({ position: sample.position, slow: isSlow(sample, limits) }));
	});
	const events = [...Map.groupBy(turns, ({ position }) => position)].filter(
		([, all]) => all.filter(({ slow }) => slow).length > all.length / 2,
	);
	const positions = events.map(([position]) => position).sort((a, b) => a - b);
	return new Set(positions.slice(0, quota));
}

/** Some turns have no windows by design, and so no rate. */
function isBare({ cellRound: { windows, faults } }: Sample): boolean {
	return windows.length === 0 && faults.length === 0;
}

function isSlow(sample: Sample, limits: readonly number[]): boolean {
	return SIDES.every((side, index) => (sample.rates[side] ?? 0) < (limits[index] as number));
}
