import type { ChartData } from '../../../types/result.ts';
import type { Fraction } from '../../../types/units.ts';
import type { Verdict } from '../../../types/verdict.ts';
import type { Scale, Span } from '../../compare/interval-picture.ts';

/** One row of the report as the charts need it. Changes are turned so that negative is worse. */
export interface PageCell {
	readonly label: string;
	readonly metric: string;
	readonly verdict: Verdict;
	/** Whether changes were turned from a metric where lower is better. */
	readonly turned: boolean;
	/** Change and interval as the tables print them. */
	readonly change: string;
	readonly interval: string;
	readonly span: Span | null;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	readonly rounds: ChartData['rounds'][string];
	readonly latency: ChartData['latency'][string] | null;
}

/** What the HTML report hands to its script. */
export interface PageData {
	readonly scale: Scale;
	/** In reading order. */
	readonly cells: readonly PageCell[];
}
