import type { Fraction } from '../../src/types/units.ts';
import type { Results, RuleAt, RuleResult } from '../results.ts';
import { dropText, minutes, shareText } from './figures.ts';
import { dropsOf, ratioTables } from './ratios.ts';
import { type Column, figures, type Section, type Table, tableOf, words } from './section.ts';

/**
 * Returns the peer table: every rule on rounds of the same cells, without a planted change and with drops of known
 * size.
 */
export function peerSection({ rules, matrices }: Results): Section {
	return {
		title: 'Every rule on rounds of the same cells',
		text: [
			'Each rule was replayed on rounds of servers against themselves, as they were measured and with head made slower: its answers were multiplied by 1 − drop. benchgate has the rounds of each design; the others have the sequential ones, in which a run of base and one of head follow each other, each a fresh process with three windows of 1 s. Longer runs would give rules that compare windows more of them and no more processes.',
			'The designs took turns, so runs of one side lie farther apart than a tool alone would have them (two rounds of other designs, or one run of the other side, between them), and rules that compare averages of many runs see more drift.',
			'Rules answer different questions: benchgate asks for a drop beyond its threshold (5 % unless set), a test of significance for any drop at all.',
			'Where times are compared, "more power" and "less power" say that a rule finds the drop more often or less often than benchgate, by over five points: then times do not compare equals.',
			'Replays begin at every round in turn and share rounds. In brackets the exact 95 % binomial interval of as many replays as share no rounds. A replay ends where the stored rounds end, undecided if it would have gone on; no time budget is applied.',
		],
		charts: [
			{
				id: 'power',
				caption:
					'How often each rule calls head slower, by planted drop. The value at 0 % counts false alarms. The band is its 95 % interval. Grey: benchgate in a duet.',
			},
		],
		tables: [redTable(rules), ...ratioTables(rules, matrices), timeTable(rules), undecidedTable(rules)],
		notes: rules
			.filter(({ reference }) => !isAddress(reference))
			.map((rule) => `${rule.title}. After ${rule.reference}.`),
	};
}

const RULE = words<RuleResult>('rule', ({ rule, title, reference }) => ({
	text: title,
	...(rule.startsWith('benchgate') ? { style: 'strong' } : {}),
	...(isAddress(reference) ? { href: reference } : {}),
}));
/** For further tables of the same rules, without the address. */
const NAME = words<RuleResult>('rule', ({ title }) => title);
const DESIGN = words<RuleResult>('design', ({ design }) => design);

function isAddress(reference: string): boolean {
	return reference.startsWith('https://');
}

function redTable(rules: readonly RuleResult[]): Table {
	const columns = dropsOf(rules).map((drop) =>
		figures<RuleResult>(drop === 0 ? 'false alarms' : `red at ${dropText(drop)}`, (row) => at(row, drop, redOf)),
	);
	const time = figures<RuleResult>('minutes without a drop', (row) =>
		at(row, 0, ({ seconds }) => minutes(seconds.median)),
	);
	const replays = figures<RuleResult>('replays', ({ at: [first] }) => `${first?.red.of ?? 0}`);
	return tableOf([RULE, DESIGN, ...columns, time, replays], rules);
}

function timeTable(rules: readonly RuleResult[]): Table {
	const columns = dropsOf(rules).map((drop) =>
		figures<RuleResult>(`at ${dropText(drop)}`, (row) => at(row, drop, timeOf)),
	);
	return tableOf([NAME, ...columns], rules, 'Minutes for one cell, median (90th percentile), by planted drop');
}

function undecidedTable(rules: readonly RuleResult[]): Table {
	const some = rules.filter((rule) => rule.at.some(({ undecided }) => undecided.count > 0));
	const columns: Column<RuleResult>[] = dropsOf(some).map((drop) =>
		figures(`at ${dropText(drop)}`, (row) => at(row, drop, ({ undecided }) => shareText(undecided))),
	);
	return tableOf([NAME, ...columns], some, 'How often a rule says that it cannot tell; the others never said so here');
}

function redOf({ red }: RuleAt): string {
	return shareText(red);
}

/** A replay that ran out of rounds would have continued: if there are enough of these, a quantile is a lower limit. */
function timeOf({ seconds, undecided }: RuleAt): string {
	const least = (beyond: Fraction) => (undecided.count > beyond * undecided.of ? '≥ ' : '');
	return `${least(0.5)}${minutes(seconds.median)} (${least(0.1)}${minutes(seconds.p90)})`;
}

function at(row: RuleResult, drop: number, format: (at: RuleAt) => string): string {
	const entry = row.at.find((one) => one.drop === drop);
	return entry ? format(entry) : '–';
}
