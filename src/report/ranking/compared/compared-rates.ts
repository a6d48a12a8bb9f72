import type { Comparison, RankingResult } from '../../../types/ranking/ranking.ts';
import { writeRate } from '../ranking-figures.ts';

export interface ComparedRates extends Comparison {
	/** 0 if unknown. */
	readonly rates: { readonly row: number; readonly against: number };
	readonly texts: { readonly row: string; readonly against: string };
}

/** A wrapper and its host, in every scenario that both answer. */
export interface WrapperPair {
	readonly wrapper: string;
	readonly host: string;
	readonly scenarios: readonly ComparedRates[];
}

export function comparedRates(
	{ comparisons, rows }: RankingResult,
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

export function wrapperPairs(result: RankingResult): readonly WrapperPair[] {
	const groups = Map.groupBy(comparedRates(result, 'wrapper'), ({ row, against }) =>
		JSON.stringify([row.server, against.server]),
	);
	return [...groups.values()].flatMap((scenarios) => {
		const [first] = scenarios;
		return first === undefined ? [] : [{ wrapper: first.row.server, host: first.against.server, scenarios }];
	});
}

/** Preferred for wrappers, because they use every part of a request. */
const HEADLINES = ['full-session', 'full-pipeline'];

/** Returns the pair's first scenario of `HEADLINES`, or else its first. */
export function headlineOf({ scenarios }: WrapperPair): ComparedRates | undefined {
	const named = HEADLINES.flatMap((name) => scenarios.find(({ row }) => row.scenario === name) ?? []);
	return named[0] ?? scenarios[0];
}
