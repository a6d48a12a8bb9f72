import { mean } from 'simple-statistics';
import { lag1Of } from '../stats/moments.ts';
import type { MetricName } from '../types/metric.ts';
import type { Seconds } from '../types/units.ts';
import type { Evidence, Sample } from './evidence.ts';
import { machineEvents } from './machine-events.ts';

/** Rounds from which on a cell's autocorrelation counts. */
const FEWEST_FOR_LAG = 6;

/** What was known after the first `seen` rounds of a run: nothing in it depends on later ones. */
export interface View {
	readonly seen: number;
	/** Positions of rounds thrown away as machine events. */
	readonly discarded: ReadonlySet<number>;
	/** Main samples of a cell without discarded rounds. */
	main(cell: string): readonly Sample[];
	confirm(cell: string): readonly Sample[];
	/** Main rounds measured of a cell, discarded ones too. */
	measured(cell: string): number;
	/** Every sample of a cell, discarded ones and confirm rounds too. */
	all(cell: string): readonly Sample[];
	/** Mean length of a main round; null before the first. */
	readonly secondsPerRound: Seconds | null;
	/** Lag-1 autocorrelation of d of main rounds, averaged over the cells with at least 6; null when there is none. */
	lag1(metric: MetricName): number | null;
}

/** Returns the view of `evidence` after its first `seen` rounds. */
export function viewAt(evidence: Evidence, seen: number): View {
	const discarded = machineEvents(evidence, seen);
	const known = (samples: readonly Sample[] | undefined) => samples?.filter((sample) => sample.position < seen) ?? [];
	const main = (cell: string) => known(evidence.main.get(cell)).filter((sample) => !discarded.has(sample.position));
	const confirm = (cell: string) => known(evidence.confirm.get(cell));
	const seconds = evidence.rounds.slice(0, seen).flatMap((round) => (round.purpose === 'main' ? round.seconds : []));
	const lags = new Map<MetricName, number | null>();
	return {
		seen,
		discarded,
		main,
		confirm,
		measured: (cell) => known(evidence.main.get(cell)).length,
		secondsPerRound: seconds.length === 0 ? null : mean(seconds),
		all: (cell) => [...known(evidence.main.get(cell)), ...confirm(cell)].sort((a, b) => a.position - b.position),
		lag1: (metric) => {
			const lag = lags.has(metric) ? lags.get(metric) : averageLag1([...evidence.main.keys()].map(main), metric);
			lags.set(metric, lag ?? null);
			return lag ?? null;
		},
	};
}

function averageLag1(cells: readonly (readonly Sample[])[], metric: MetricName): number | null {
	const lags = cells.flatMap((samples) => {
		const d = samples.flatMap((sample) => sample.d[metric] ?? []);
		return d.length < FEWEST_FOR_LAG ? [] : (lag1Of(d) ?? []);
	});
	return lags.length === 0 ? null : mean(lags);
}
