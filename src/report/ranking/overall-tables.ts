import { inRankOrder, writeRank } from '../../rank/rank.ts';
import { isRate } from '../../rank/ratios.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { NONE } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import type { WordedTable } from '../document/document.ts';
import type { Ranked } from './compared/servers-in-short.ts';
import { own, writeFigure, writePart, writeShare } from './ranking-figures.ts';
import { LESS_IS_BETTER, nameOf, placeOf, STATE_WORDS } from './ranking-words.ts';

const ORDINALS = ['1st', '2nd', '3rd'] as const;

/** Returns places by scenario, without rates of several machines, which cannot be compared; marks unsteady ones. */
export function rankingTable(scenarios: readonly Ranked[], { shards, setup }: RankingResult): WordedTable {
	const isGathered = shards !== undefined;
	const isShare = scenarios.some(({ rows }) => rows.some(({ rank, logShare }) => rank !== null && logShare !== null));
	const isRough = ({ rank, variation }: RankingRow) => rank !== null && variation.throughput.band === 'Unreliable';
	const figureOf = (row: RankingRow) =>
		isGathered ? writeShare(row) : `${isRough(row) ? '~' : ''}${writeFigure(row)}`;
	const hasRough = !isGathered && scenarios.some(({ rows }) => rows.some(isRough));
	const isCrowded = scenarios.some(({ rows }) => rows.some(({ oversubscribed }) => oversubscribed));
	const most = Math.max(0, ...scenarios.map(({ rows }) => rows.filter(({ rank }) => rank !== null).length));
	const places = Array.from({ length: most }, (_, at) => ORDINALS[at] ?? `${at + 1}th`);
	return {
		title: 'Overall ranking',
		columns: ['scenario', ...places].map((label) => ({ label, align: 'left' as const })),
		rows: scenarios.map(({ name, rows }) => {
			const placed = rows.filter(({ rank }) => rank !== null);
			return [
				nameOf(name),
				...places.map((_, at) => (placed[at] ? placeOf(placed[at], figureOf(placed[at])) : own(NONE))),
			];
		}),
		note: [
			`${isGathered ? 'Share of the reference' : 'Requests per second of the server alone'} in parentheses.`,
			...(isShare && !isGathered && setup.preset === null
				? ['Places come from shares of the reference. The figures in parentheses vary more, so their order may differ.']
				: []),
			...(hasRough ? ['~: too unsteady to compare, because they differ by more than 10 % from round to round.'] : []),
			'[1-2] means that servers share these places, because their intervals overlap.',
			...(isCrowded ? ['Scenarios with more worker processes than CPUs for them have no places.'] : []),
		].join(' '),
	};
}

/** Returns one server's results. Null if it could not be installed, which the conclusions explain. */
export function highlightTable(result: RankingResult, server: string): WordedTable | null {
	if (result.servers.some(({ name, state }) => name === server && state !== 'installed')) return null;
	const rows = inRankOrder(
		result.rows.filter((row) => row.server === server),
		(row) => row.share?.value ?? null,
	);
	// A preset has no reference. Its page shows shares of other servers instead.
	const isPaired = result.setup.preset === null;
	const hasBare = rows.some(({ judgedBy }) => !isRate(judgedBy));
	const others = (result.percentOf ?? []).filter((name) => name !== server);
	const find = (name: string, scenario: string) =>
		result.rows.find((row) => row.server === name && row.scenario === scenario);
	const firstOf = (scenario: string) =>
		inRankOrder(
			result.rows.filter((row) => row.scenario === scenario),
			(row) => row.share?.value ?? null,
		)[0];
	const ofFirst = (row: RankingRow): Phrase => {
		const first = firstOf(row.scenario);
		const part = writePart(row, first);
		return first === undefined || part === NONE ? own(NONE) : phrase`${part} of ${nameOf(first.server)}`;
	};
	return {
		title: `Highlights: ${plainText(server, NAME_LIMIT)}`,
		columns: [
			'scenario',
			'rank',
			hasBare ? 'measured' : 'requests/s',
			...(isPaired ? [`of ${plainText(result.setup.reference, NAME_LIMIT)}`] : []),
			...others.map((name) => `of ${plainText(name, NAME_LIMIT)}`),
			'of the first',
		].map((label, at) => ({ label, align: at === 0 ? ('left' as const) : ('right' as const) })),
		rows: rows.map((row) => [
			nameOf(row.scenario),
			own(describeRank(row)),
			own(hasBare ? describeFigure(row) : writeFigure(row)),
			...(isPaired ? [own(writeShare(row))] : []),
			...others.map((name) => own(writePart(row, find(name, row.scenario)))),
			ofFirst(row),
		]),
		note: hasBare && isPaired ? `Sorted by rank. ${LESS_IS_BETTER}` : 'Sorted by rank.',
	};
}

function describeRank({ rank, state, oversubscribed }: RankingRow): string {
	if (rank !== null) return writeRank(rank);
	return oversubscribed ? 'oversubscribed' : STATE_WORDS[state];
}

/** Includes the metric, because one column contains several metrics. */
function describeFigure(row: RankingRow): string {
	const figure = writeFigure(row);
	if (figure === NONE) return NONE;
	return isRate(row.judgedBy) ? `${figure} requests/s` : `${figure} ${METRICS[row.judgedBy].label}`;
}
