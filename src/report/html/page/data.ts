import type { ChartData } from '../../../types/result.ts';
import type { Fraction } from '../../../types/units.ts';
import type { Verdict } from '../../../types/verdict.ts';
import type { Scale, Span } from '../../compare/interval-picture.ts';

/** A row for charts. Changes are turned: negative is worse. */
export interface PageCell {
	readonly id: string;
	readonly label: string;
	readonly metric: string;
	readonly verdict: Verdict;
	/** Whether lower is better in the metric. */
	readonly turned: boolean;
	/** Worded like in the tables. */
	readonly change: string;
	readonly interval: string;
	readonly span: Span | null;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	readonly rounds: ChartData['rounds'][string];
	readonly latency: ChartData['latency'][string] | null;
}

export interface PageData {
	readonly scale: Scale;
	readonly cells: readonly PageCell[];
}
