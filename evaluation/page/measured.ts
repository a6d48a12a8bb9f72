import { countOf, formatCount, formatDuration } from '../../src/text/numbers.ts';
import type { Disturbed, Results } from '../results.ts';
import type { Skipped } from '../series-files.ts';
import { figures, type Section, tableOf, words } from './section.ts';

type Fact = readonly [name: string, value: string];

/** Returns the data behind all results. */
export function measuredSection({ data }: Results): Section {
	const { series, rounds, hours, machine, node, skipped, disturbed } = data;
	const facts: Fact[] = [
		['series', formatCount(series)],
		['rounds', formatCount(rounds)],
		['measured for', formatDuration(hours * 3600)],
		['machine', machine],
		['Node of the servers', node],
		['files left out', formatCount(skipped.length)],
		['windows that other processes disturbed', `${formatCount(disturbed.windows)} of ${formatCount(disturbed.of)}`],
	];
	const busy = tableOf<Disturbed>(
		[
			words('series', ({ id }) => ({ text: id, style: 'code' })),
			figures('disturbed windows', ({ windows, of }) => `${windows} of ${of}`),
		],
		disturbed.series,
		'Series of which more than a fifth was disturbed, so they spread more than they need to',
	);
	const unreadable = tableOf<Skipped>(
		[words('file', ({ file }) => ({ text: file, style: 'code' })), words('reason', ({ reason }) => reason)],
		skipped,
	);
	return {
		title: 'What was measured',
		text: [
			'A series is one server, or one pair of servers, measured round after round in one or more designs. Everything below is computed from the stored series and nothing else.',
			...(skipped.length > 0
				? [
						`${countOf(skipped.length, 'file')} could not be read; the rounds in ${skipped.length === 1 ? 'it' : 'them'} are missing below.`,
					]
				: []),
		],
		tables: [
			tableOf([words<Fact>('what', ([name]) => name), words<Fact>('how much', ([, value]) => value)], facts),
			...(skipped.length > 0 ? [unreadable] : []),
			...(disturbed.series.length > 0 ? [busy] : []),
		],
	};
}
