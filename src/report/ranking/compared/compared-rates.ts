import type { Comparison, MeasureResult } from '../../../types/ranking/measure.ts';
import { writeRate } from '../ranking-figures.ts';

/** Two rows set against each other, with what each answers alone. */
export interface ComparedRates extends Comparison {
	/** Requests per second alone; 0 where nobody knows. */
	readonly rates: { readonly row: number; readonly against: number };
	/** The same as text. */
	readonly texts: { readonly row: string; readonly against: string };
}

/** A wrapper on its host, in every scenario that both answer. */
export interface WrapperPair {
	readonly wrapper: string;
	readonly host: string;
	readonly scenarios: readonly ComparedRates[];
}

/** Returns the comparisons of one kind with the figures of their rows, in the order of the result. */
export function comparedRates(
	{ comparisons, rows }: MeasureResult,
	kind: Comparison['kind'],
): readonly ComparedRates[] {
	const find = ({ server, scenario }: Comparison['row']) =>
		rows.find((row) => row.server === server && row.scenario === scenario) ?? { alone: null };
	return comparisons
		.filter((comparison) => comparison.kind === kind)
		.map((comparison) => {
			const [row, against] = [find(comparison.row), find(comparison.against)];
			return {
				...comparison,
				rates: { row: row.alone?.metrics.throughput ?? 0, against: against.alone?.metrics.throughput ?? 0 },
				texts: { row: writeRate(row), against: writeRate(against) },
			};
		});
}

/** Returns wrappers with their hosts, in the order of the result. */
export function wrapperPairs(result: MeasureResult): readonly WrapperPair[] {
	const groups = Map.groupBy(comparedRates(result, 'wrapper'), ({ row, against }) =>
		JSON.stringify([row.server, against.server]),
	);
	return [...groups.values()].flatMap((scenarios) => {
		const [first] = scenarios;
		return first === undefined ? [] : [{ wrapper: first.row.server, host: first.against.server, scenarios }];
	});
}

/** Scenarios that say most about a wrapper, where they were measured: everything a request can pass through. */
const HEADLINES = ['full-session', 'full-pipeline'];

/** Returns the one scenario of a pair that is shown first: the fullest one, else the first. */
export function headlineOf({ scenarios }: WrapperPair): ComparedRates | undefined {
	const named = HEADLINES.flatMap((name) => scenarios.find(({ row }) => row.scenario === name) ?? []);
	return named[0] ?? scenarios[0];
}
