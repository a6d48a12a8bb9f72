/** How much of a report Markdown shows. */
export interface Detail {
	/** What this step leaves out beyond the step before it, for the reader. */
	readonly sheds: string;
	readonly metrics: 'all' | 'matters' | 'none';
	readonly allCells: boolean;
	readonly versions: boolean;
	/** Most rows of the table of cells that matter; few where the table of all cells has them too. */
	readonly matters: number;
	/** Most footnotes. */
	readonly footnotes: number;
}

const FULL: Detail = {
	sheds: '',
	metrics: 'all',
	allCells: true,
	versions: true,
	matters: 25,
	footnotes: Infinity,
};
const NO_METRICS: Detail = { ...FULL, metrics: 'none' };
const MATTERS_ONLY: Detail = { ...NO_METRICS, allCells: false, matters: Infinity };

/** What a report sheds to fit a limit, step by step. The headline and the worst rows are the last to go. */
export const STEPS: readonly Detail[] = [
	FULL,
	{ ...FULL, metrics: 'matters', sheds: 'other metrics of unchanged rows' },
	{ ...NO_METRICS, sheds: 'other metrics' },
	{ ...MATTERS_ONLY, sheds: 'the table of all rows' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 20, sheds: 'versions, notes beyond 20' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 10, matters: 50, sheds: 'rows beyond the 50 worst, notes beyond 10' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 5, matters: 10, sheds: 'rows beyond the 10 worst, notes beyond 5' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 0, matters: 0, sheds: 'all tables and notes' },
];

/** Returns the sentence that says what a report at `step` leaves out; empty for step 0. */
export function describeShed(step: number): string {
	if (step === 0) return '';
	const shed = STEPS.slice(1, step + 1).map(({ sheds }) => sheds);
	return `_Left out to fit: ${shed.join('; ')}. The HTML and JSON reports have everything._`;
}
