/** Requests per second of every round. */
import { max, mean, median, min } from 'simple-statistics';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair, NONE } from '../../text/numbers.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import type { WordedTable } from '../document/document.ts';
import { figureColumn, own, writeVariation } from './ranking-figures.ts';
import { nameDeviation, nameOf } from './ranking-words.ts';

/** Later rounds count only in overall figures. */
const MOST_ROUNDS = 10;

/** Returns a table for each scenario in which a row has two rounds. */
export function roundsTables(result: RankingResult): readonly WordedTable[] {
	return result.setup.scenarios.flatMap(({ name }) => {
		const rows = result.rows.filter(({ scenario, throughputs }) => scenario === name && throughputs.length > 1);
		return rows.length === 0 ? [] : [tableOf(result, name, rows)];
	});
}

function tableOf({ setup }: RankingResult, scenario: string, rows: readonly RankingRow[]): WordedTable {
	const most = Math.max(...rows.map(({ throughputs }) => throughputs.length));
	const shown = Array.from({ length: Math.min(most, MOST_ROUNDS) }, (_, at) => at);
	const more =
		most > MOST_ROUNDS
			? ` Only the first ${MOST_ROUNDS} of up to ${most} values are shown; the columns from median on are of all.`
			: '';
	const p99 = figureColumn(
		'sd of p99',
		'ms',
		rows.map(({ variation }) => variation.p99.sd),
	);
	const labels = [...shown.map((at) => String(at + 1)), 'median', 'mean', 'least', 'most', 'sd', 'CoV'];
	const late = p99 === null ? [] : [p99.label, 'CoV of p99'];
	return {
		title: `Rounds of ${plainText(scenario, NAME_LIMIT)}`,
		columns: [
			{ label: 'server', align: 'left' },
			...[...labels, ...late].map((label) => ({ label, align: 'right' as const })),
		],
		rows: rows.map(({ server, throughputs, variation }, row) => {
			const values = throughputs as number[];
			return [
				nameOf(server),
				...shown.map((at) => own(values[at] === undefined ? NONE : write(values[at]))),
				...[median, mean, min, max].map((of) => own(write(of(values)))),
				own(write(variation.throughput.sd)),
				own(writeVariation(variation.throughput)),
				...(p99 === null ? [] : [own(p99.texts[row] ?? NONE), own(writeVariation(variation.p99))]),
			];
		}),
		note: `Requests per second of the server alone in each round. The reference has one value for every server that it was measured with. sd is the ${nameDeviation(setup)}${p99 === null ? '' : ', of requests/s and of the latency p99'}.${more}`,
	};
}

function write(value: number | null): string {
	return formatPair(value, null, 'requests/s').base;
}
