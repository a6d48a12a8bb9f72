import { MOST_LINES } from '../drift/drift-model.ts';

/** How much of a report Markdown shows. */
export interface Detail {
	/** What this step leaves out beyond the step before it, for the reader. */
	readonly sheds: string;
	readonly metrics: 'all' | 'matters' | 'none';
	readonly allCells: boolean;
	readonly versions: boolean;
	/** Whether the baselines of every row are shown. */
	readonly baselines: boolean;
	/** Most lines about drift. */
	readonly drift: number;
	/** Most rows of the table of cells that matter; few where the table of all cells has them too. */
	readonly matters: number;
	/** Most footnotes. */
	readonly footnotes: number;
}

/** What no report sheds that has none. */
const BASELINES = 'baselines';

const FULL: Detail = {
	sheds: '',
	metrics: 'all',
	allCells: true,
	versions: true,
	baselines: true,
	drift: MOST_LINES,
	matters: 25,
	footnotes: Infinity,
};
const NO_METRICS: Detail = { ...FULL, metrics: 'none' };
const NO_BASELINES: Detail = { ...NO_METRICS, baselines: false };
const MATTERS_ONLY: Detail = { ...NO_BASELINES, allCells: false, matters: Infinity };

/** What a report sheds to fit a limit, step by step. The headline and the worst rows are the last to go. */
export const STEPS: readonly Detail[] = [
	FULL,
	{ ...FULL, metrics: 'matters', sheds: 'other metrics of unchanged rows' },
	{ ...NO_METRICS, sheds: 'other metrics' },
	{ ...NO_BASELINES, sheds: BASELINES },
	{ ...MATTERS_ONLY, sheds: 'the table of all rows' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 20, sheds: 'versions, notes beyond 20' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 10, matters: 50, sheds: 'rows beyond the 50 worst, notes beyond 10' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 5, matters: 10, sheds: 'rows beyond the 10 worst, notes beyond 5' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 0, matters: 0, drift: 0, sheds: 'all tables and notes' },
];

/** Returns the sentence that says what a report at `step` leaves out; empty for step 0. */
export function describeShed(step: number, hasBaselines: boolean): string {
	if (step === 0) return '';
	const all = STEPS.slice(1, step + 1).map(({ sheds }) => sheds);
	const shed = all.filter((what) => hasBaselines || what !== BASELINES);
	return `_Left out to fit: ${shed.join('; ')}. The HTML and JSON reports have everything._`;
}
