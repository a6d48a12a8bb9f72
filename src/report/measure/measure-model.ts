import { inRankOrder, writeRank } from '../../rank/rank.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair, INTERVAL_95, NONE } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { MeasuredScenario, MeasureResult, MeasureRow } from '../../types/ranking/measure.ts';
import type { WordedTable } from '../worded-table.ts';
import { bareTable } from './bare-table.ts';
import { serversInShort } from './compared/servers-in-short.ts';
import { validatorsTable } from './compared/validators.ts';
import { wrapperTables } from './compared/wrapper-tables.ts';
import { describeByHand } from './describe-by-hand.ts';
import { describeConnections } from './load-words.ts';
import { factsOf } from './measure-facts.ts';
import {
	figureColumnsOf,
	own,
	writeFigure,
	writePart,
	writeRate,
	writeShare,
	writeShareInterval,
	writeVariation,
} from './measure-figures.ts';
import { lossTables, noisyTable, rampTables, scenariosTable, shareTables, versionsTable } from './measure-tables.ts';
import {
	describeEnd,
	describeMethod,
	describeRatios,
	describeVariation,
	nameDeviation,
	nameOf,
	placeOf,
	STATE_WORDS,
	titleOf,
} from './measure-words.ts';
import { roundsTables } from './rounds-tables.ts';
import { scalingTables } from './scaling-table.ts';

const ORDINALS = ['1st', '2nd', '3rd'] as const;

/** One scenario's part of a report. */
export interface ScenarioReport {
	readonly name: string;
	/** What is asked and what it exercises. */
	readonly caption: Phrase;
	/** In the order of the ranking; rows that were not measured last. */
	readonly rows: readonly MeasureRow[];
	readonly table: WordedTable;
	/** How many times as fast; null with less than two servers. */
	readonly ratios: Phrase | null;
	readonly reference: string | null;
	/** Why rows are not in the ranking, and what to know of those that are. */
	readonly remarks: readonly Phrase[];
}

/** Everything a report of a ranking says, in words: renderers only lay it out. */
export interface MeasureReport {
	readonly title: string;
	readonly variation: string;
	readonly end: string;
	readonly ranking: WordedTable;
	/** What all scenarios together say of each server; null for fewer than two. */
	readonly short: WordedTable | null;
	readonly highlight: WordedTable | null;
	readonly scenarios: readonly ScenarioReport[];
	readonly comparisons: readonly WordedTable[];
	/** What servers answer with more and more connections. */
	readonly ramps: readonly WordedTable[];
	/** Rows whose rounds differ much; null when there are none. */
	readonly noisy: WordedTable | null;
	readonly facts: readonly { readonly label: string; readonly value: Phrase }[];
	readonly versions: WordedTable;
	readonly legend: WordedTable;
	/** Requests per second of every round, a table a scenario; nothing where no row has two rounds. */
	readonly rounds: readonly WordedTable[];
	readonly warnings: readonly Phrase[];
	readonly method: readonly string[];
	readonly reproduce: string;
	/** What repeating it needs, and how to send the same load by hand. */
	readonly byHand: readonly Phrase[];
}

/** Returns the report of a ranking. */
export function buildMeasureReport(result: MeasureResult): MeasureReport {
	const scenarios = result.setup.scenarios.map((scenario) => scenarioReport(result, scenario));
	return {
		title: titleOf(result),
		variation: describeVariation(result),
		end: describeEnd(result),
		ranking: rankingTable(scenarios, result.shards !== undefined),
		short: serversInShort(scenarios),
		highlight: result.highlight === null ? null : highlightTable(result, result.highlight),
		scenarios,
		comparisons: [
			...[validatorsTable(scenarios, result.servers)].filter((table) => table !== null),
			...lossTables(result),
			...wrapperTables(result),
			...shareTables(result),
		],
		ramps: [...rampTables(result), ...scalingTables(result)],
		noisy: noisyTable(result),
		facts: factsOf(result),
		versions: versionsTable(result),
		legend: scenariosTable(result),
		rounds: roundsTables(result),
		warnings: result.warnings.map(({ message }) => [{ text: plainText(message, MESSAGE_LIMIT) }]),
		method: describeMethod(result),
		reproduce: result.reproduce,
		byHand: describeByHand(result),
	};
}

function scenarioReport(result: MeasureResult, scenario: MeasuredScenario): ScenarioReport {
	const rows = orderOf(result.rows.filter((row) => row.scenario === scenario.name));
	return {
		name: plainText(scenario.name, NAME_LIMIT),
		caption: phrase`${{ code: plainText(scenario.request, NAME_LIMIT) }}: ${{ text: plainText(scenario.description, MESSAGE_LIMIT) }} (${describeConnections(scenario)})`,
		rows,
		table: scenario.metrics ? bareTable(rows, scenario) : scenarioTable(result, rows, scenario),
		ratios: scenario.metrics ? null : describeRatios(rows, result.highlight),
		reference: scenario.reference,
		remarks: [...standInRemark(result, scenario), ...rows.flatMap(remarksOf)],
	};
}

/** By rank, then by share; by requests per second where a share is not known. */
function orderOf(rows: readonly MeasureRow[]): readonly MeasureRow[] {
	const isPaired = rows.every(({ state, share }) => state !== 'measured' || share !== null);
	return inRankOrder(rows, ({ share, alone }) =>
		isPaired ? (share?.value ?? null) : (alone?.metrics.throughput ?? null),
	);
}

function scenarioTable(
	{ setup }: MeasureResult,
	rows: readonly MeasureRow[],
	{ name, reference }: MeasuredScenario,
): WordedTable {
	const figures = figureColumnsOf(rows);
	const isGathered = rows.some(({ shard }) => shard !== undefined);
	// A preset loads every server alone.
	const isPaired = reference !== null;
	const isBeside = isPaired && setup.design === undefined;
	const of = reference === null ? 'of the reference' : `of ${plainText(reference, NAME_LIMIT)}`;
	const right = (label: string) => ({ label, align: 'right' as const });
	return {
		title: plainText(name, NAME_LIMIT),
		columns: [
			right('rank'),
			{ label: 'server', align: 'left' },
			...(isGathered ? [right('shard')] : []),
			right('requests/s'),
			...(isPaired ? [right(of), right(INTERVAL_95)] : []),
			right('sd'),
			right('CoV'),
			...figures.map(({ label }) => right(label)),
		],
		rows: rows.map((row, at) => [
			own(row.rank === null ? NONE : writeRank(row.rank)),
			nameOf(row.server),
			...(isGathered ? [own(row.shard === undefined ? NONE : String(row.shard))] : []),
			own(row.state === 'measured' ? writeRate(row) : STATE_WORDS[row.state]),
			...(isPaired ? [own(writeShare(row)), own(writeShareInterval(row))] : []),
			own(formatPair(row.variation.throughput.sd, null, 'requests/s').base),
			own(writeVariation(row.variation.throughput)),
			...figures.map(({ texts }) => own(texts[at] ?? NONE)),
		]),
		note: `${isBeside ? 'The share was measured with both servers loaded at the same time. ' : ''}requests/s and the columns after ${isPaired ? 'the interval' : 'it'} were measured with the server alone${isGathered ? ', on the machine of its shard: compare them only within a shard' : ''}. sd and CoV come from the rounds: ${nameDeviation(setup)}.`,
	};
}

function standInRemark({ setup }: MeasureResult, { reference }: MeasuredScenario): readonly Phrase[] {
	if (reference === null || reference === setup.reference) return [];
	return [phrase`${nameOf(setup.reference)} has no part in this scenario, so ${nameOf(reference)} is the reference.`];
}

function remarksOf(row: MeasureRow): readonly Phrase[] {
	const reason: readonly Phrase[] =
		row.reason === null || row.state === 'not-reached'
			? []
			: [phrase`${nameOf(row.server)}, ${STATE_WORDS[row.state]}: ${{ text: plainText(row.reason, MESSAGE_LIMIT) }}`];
	const warnings = row.warnings.map(
		({ message }): Phrase => phrase`${nameOf(row.server)}: ${{ text: plainText(message, MESSAGE_LIMIT) }}`,
	);
	return [...reason, ...warnings];
}

/** Requests per second of several machines do not stand side by side. */
function rankingTable(scenarios: readonly ScenarioReport[], isGathered: boolean): WordedTable {
	const figureOf = isGathered ? writeShare : writeFigure;
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
		note: `${isGathered ? 'Share of the reference' : 'Requests per second of the server alone'} in parentheses. [1-2] means that servers share these places, because their intervals overlap.`,
	};
}

function highlightTable(result: MeasureResult, server: string): WordedTable {
	const rows = inRankOrder(
		result.rows.filter((row) => row.server === server),
		(row) => row.share?.value ?? null,
	);
	const others = (result.percentOf ?? []).filter((name) => name !== server);
	const find = (name: string, scenario: string) =>
		result.rows.find((row) => row.server === name && row.scenario === scenario);
	const firstOf = (scenario: string) =>
		inRankOrder(
			result.rows.filter((row) => row.scenario === scenario),
			(row) => row.share?.value ?? null,
		)[0];
	const ofFirst = (row: MeasureRow): Phrase => {
		const first = firstOf(row.scenario);
		const part = writePart(row, first);
		return first === undefined || part === NONE ? own(NONE) : phrase`${part} of ${nameOf(first.server)}`;
	};
	return {
		title: `Highlights: ${plainText(server, NAME_LIMIT)}`,
		columns: [
			'scenario',
			'rank',
			'requests/s',
			`of ${plainText(result.setup.reference, NAME_LIMIT)}`,
			...others.map((name) => `of ${plainText(name, NAME_LIMIT)}`),
			'of the first',
		].map((label, at) => ({ label, align: at === 0 ? ('left' as const) : ('right' as const) })),
		rows: rows.map((row) => [
			nameOf(row.scenario),
			own(row.rank === null ? STATE_WORDS[row.state] : writeRank(row.rank)),
			own(writeRate(row)),
			own(writeShare(row)),
			...others.map((name) => own(writePart(row, find(name, row.scenario)))),
			ofFirst(row),
		]),
		note: 'Sorted by rank.',
	};
}
