import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair, NONE } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import { COMPARISON_KINDS, type MeasureResult, type Ramp } from '../../types/measure.ts';
import type { WordedTable } from '../worded-table.ts';
import { own, writeCov } from './measure-figures.ts';
import { COMPARISON_NOTES, COMPARISON_TITLES, nameOf, STATE_WORDS } from './measure-words.ts';

/** Packages listed of one server before the rest becomes a number. */
const MOST_PACKAGES = 8;

/** Returns what one row costs against another, a table for each kind that there is. */
export function comparisonTables({ comparisons }: MeasureResult): readonly WordedTable[] {
	return COMPARISON_KINDS.flatMap((kind) => {
		const rows = comparisons.filter((comparison) => comparison.kind === kind);
		if (rows.length === 0) return [];
		const percent = (value: number) => `${(100 * value).toFixed(1)}`;
		return [
			{
				title: COMPARISON_TITLES[kind],
				columns: ['row', 'against', 'loss', '95 % interval', ...(kind === 'wrapper' ? ['grade'] : [])].map(
					(label, at) => ({
						label,
						align: at < 2 ? ('left' as const) : ('right' as const),
					}),
				),
				rows: rows.map(({ row, against, loss: { value, low, high }, grade }) => [
					nameOf(`${row.server}/${row.scenario}`),
					nameOf(`${against.server}/${against.scenario}`),
					own(`${percent(value)} %`),
					own(low === null || high === null ? NONE : `[${percent(low)} … ${percent(high)}]`),
					...(kind === 'wrapper' ? [own(grade ?? NONE)] : []),
				]),
				note: COMPARISON_NOTES[kind],
			},
		];
	});
}

/** Returns requests per second by number of connections, a table a scenario. */
export function rampTables({ ramps }: MeasureResult): readonly WordedTable[] {
	return [...Map.groupBy(ramps, ({ scenario }) => scenario)].map(([scenario, group]) => {
		const steps = [...new Set(group.flatMap((ramp) => ramp.steps.map(({ connections }) => connections)))];
		const figureAt = ({ steps: known }: Ramp, connections: number): Phrase => {
			const step = known.find((one) => one.connections === connections);
			return own(step === undefined ? NONE : formatPair(step.throughput, null, 'requests/s').base);
		};
		return {
			title: `Ramp of ${plainText(scenario, NAME_LIMIT)}`,
			columns: [
				{ label: 'server', align: 'left' as const },
				...[...steps.map(String), 'saturated at'].map((label) => ({ label, align: 'right' as const })),
			],
			rows: group.map((ramp) => [
				nameOf(ramp.server),
				...steps.map((connections) => figureAt(ramp, connections)),
				own(ramp.saturation === null ? 'still rising' : `${ramp.saturation} connections`),
			]),
			note: 'Requests per second alone, by number of connections. Saturated: more connections bring no more than 5 %. The rank at each step is in its own table.',
		};
	});
}

/** Returns the rows whose rounds differ much; null when there are none. */
export function noisyTable({ variation: { noisy } }: MeasureResult): WordedTable | null {
	if (noisy.length === 0) return null;
	return {
		title: 'Noisy rows',
		columns: ['row', 'CoV of requests/s', 'CoV of p99'].map((label, at) => ({
			label,
			align: at === 0 ? ('left' as const) : ('right' as const),
		})),
		rows: noisy.map(({ server, scenario, throughput, p99 }) => [
			nameOf(`${server}/${scenario}`),
			own(writeCov(throughput)),
			own(writeCov(p99)),
		]),
		note: 'Requests per second alone differ by 5 % and more from round to round. Shares of a reference differ less, because both servers are slowed together.',
	};
}

/** Returns what was installed of every server. */
export function versionsTable({ servers }: MeasureResult): WordedTable {
	return {
		title: 'Servers and versions',
		columns: ['server', 'packages', 'what it is'].map((label) => ({ label, align: 'left' as const })),
		rows: servers.map(({ name, state, versions, direct, description }) => {
			const named = direct.length > 0 ? direct.filter((one) => versions[one] !== undefined) : Object.keys(versions);
			const listed = named.slice(0, MOST_PACKAGES).map((one) => `${one} ${versions[one]}`);
			const more = named.length > MOST_PACKAGES ? ` and ${named.length - MOST_PACKAGES} more` : '';
			const packages = listed.length === 0 ? 'none' : `${listed.join(', ')}${more}`;
			return [
				nameOf(name),
				[{ text: state === 'installed' ? plainText(packages, MESSAGE_LIMIT) : STATE_WORDS[state] }],
				[{ text: plainText(description, MESSAGE_LIMIT) }],
			];
		}),
		note: 'Read from what was installed.',
	};
}
