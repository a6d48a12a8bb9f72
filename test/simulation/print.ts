/**
 * Prints error rates of the whole rule under each law of laws.ts, the table under "Through the whole rule" in
 * docs/statistics.md; the effect of a shared variance between cells (docs/evaluation.md, question 5); decisions on long
 * answers (6.10); and errors of duets of servers that wait (docs/statistics.md 6.8) or share a database (6.11). Run it
 * with `node test/simulation/print.ts`; it takes about two minutes. The seeds determine every number.
 */
import { markdownTable } from 'markdown-table';
import type { Fraction } from '../../src/types/units.ts';
import { LAWS, type LawName } from './laws.ts';
import { tallyLong } from './long-answers.ts';
import { SHARP, simulate, type Tally, type Trial, USUAL } from './runs.ts';
import { SHARING, sharingOf } from './sharing/sharing-cases.ts';
import { errorsOf, WAITS } from './sharing/waiting-cases.ts';
import { wrongPasses } from './wrong-passes.ts';

/** Runs of one cell, and of matrices of 6 and 24 cells. */
const RUNS = { 1: 2000, 6: 500, 24: 200 } as const;
const SEEDS = { 1: 31, 6: 32, 24: 32 } as const;
const SIZES = [1, 6, 24] as const;

const NO_DROP = { drop: 0, ...USUAL };
const AT_TOLERANCE = { drop: USUAL.tolerance, ...USUAL };
const AT_THRESHOLD = { drop: USUAL.threshold, ...USUAL };
const AT_BOTH = { drop: SHARP.threshold, ...SHARP };

function tallyOf(cells: keyof typeof RUNS, trial: Omit<Trial, 'cells'>): Tally {
	return simulate({ ...trial, cells }, RUNS[cells], SEEDS[cells]);
}

function percent(count: number, of: number): string {
	return ((100 * count) / of).toFixed(1);
}

function lineOf(law: LawName, shared: Fraction): string[] {
	const sizes = shared === 0 ? SIZES : SIZES.slice(1);
	const truths = [NO_DROP, AT_TOLERANCE, AT_BOTH].map((truth) =>
		sizes.map((cells) => tallyOf(cells, { law, shared, ...truth })),
	);
	const gates = truths.map((tallies) => tallies.map(({ redGates, runs }) => percent(redGates, runs)).join(' / '));
	if (shared > 0) return [`${law}, ${100 * shared} % of it common to all cells`, ...gates.map((gate) => `– / ${gate}`)];
	const threshold = tallyOf(1, { law, ...AT_THRESHOLD });
	const all = [threshold, ...truths.map((tallies) => tallies[0] as Tally)];
	return [
		law,
		...gates,
		percent(threshold.verdicts.unchanged, threshold.rows),
		percent(Math.max(...all.map((tally) => tally.missedBelow)), RUNS[1]),
		percent(Math.max(...all.map((tally) => tally.missedAbove)), RUNS[1]),
	];
}

const head = ['rounds', 'no drop', 'at the tolerance', 'at both', 'passes', 'below', 'above'];
const lines = (Object.keys(LAWS) as LawName[]).map((law) => lineOf(law, 0));
const rows = [head, ...lines, [...lineOf('normal', 0.5), '–', '–', '–']];
console.log(markdownTable(rows, { align: [null, ...Array<string>(head.length - 1).fill('r')] }));

const factors = [1, 2, 4].map((factor) => [
	`${factor}`,
	...[false, true].map((shared) => (100 * wrongPasses(factor, shared, 3000)).toFixed(1)),
]);
console.log(
	`\n${markdownTable([['spread of one cell of six, others 1', 'passes wrongly, own variance, %', 'shared, %'], ...factors], { align: ['r', 'r', 'r'] })}`,
);

const LONG_RUNS = 40;
const long = ([false, true] as const).flatMap((whole) =>
	[1000, 3000].flatMap((milliseconds) =>
		[0, 0.1].map((slower) => {
			const setting = { milliseconds, connections: 20, jitter: 0, slower, ...(whole && { whole }) };
			const { verdicts, meanRounds } = tallyLong(setting, LONG_RUNS, 51);
			const shares = (['unchanged', 'regressed', 'inconclusive'] as const).map((verdict) =>
				percent(verdicts[verdict] ?? 0, LONG_RUNS),
			);
			const counted = whole ? 'whole answers' : 'by the time they took';
			return [`${milliseconds} ms`, percent(slower, 1), counted, ...shares, meanRounds.toFixed(1)];
		}),
	),
);
const longTitles = [
	'answers take',
	'head longer by, %',
	'counted',
	'unchanged, %',
	'regressed, %',
	'open, %',
	'rounds',
];
console.log(`\n${markdownTable([longTitles, ...long], { align: longTitles.map(() => 'r') })}`);

const hundreds = (value: number) => (100 * value).toFixed(1);
const duets = WAITS.map((waits) => {
	const [sharing, unfair] = [errorsOf(waits, 'sharing'), errorsOf(waits, 'base first')];
	const worst = (errors: typeof sharing) => Math.max(...errors.map(({ error }) => Math.abs(error)));
	const { idle, bound } = sharing[0] as (typeof sharing)[number];
	const [base, head, service, connections] = waits;
	const names = [`${base} ms`, `${head} ms`, `${service} ms`, `${connections}`];
	return [...names, `${(100 * idle).toFixed(0)} %`, hundreds(bound), hundreds(worst(sharing)), hundreds(worst(unfair))];
});
const titles = ['base waits', 'head waits', 'CPU', 'connections', 'idle', 'bound', 'error', 'base always first'];
console.log(`\n${markdownTable([titles, ...duets], { align: titles.map(() => 'r') })}`);

const shared = SHARING.map((sharing) => {
	const { duet, alone, database } = sharingOf(sharing);
	return [sharing.what, hundreds(duet), hundreds(alone), `${(100 * database).toFixed(0)} %`];
});
console.log(
	`\n${markdownTable([['planted', 'duet', 'alone', 'database at work'], ...shared], { align: [null, 'r', 'r', 'r'] })}`,
);
