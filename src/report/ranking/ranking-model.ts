import { findPreset } from '../../config/ranking/presets.ts';
import { inRankOrder, writeRank } from '../../rank/rank.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair, INTERVAL_95, NONE } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import type { RankedScenario, RankingSetup } from '../../types/ranking/ranking-setup.ts';
import type { WordedTable } from '../document/document.ts';
import { rampTables, scalingTables } from './compared/ramp-tables.ts';
import { describeRatios } from './compared/ratio-words.ts';
import { scenariosInShort, serversInShort } from './compared/servers-in-short.ts';
import { situationsTable } from './compared/situations.ts';
import { validatorsTable } from './compared/validators.ts';
import { wrapperTables } from './compared/wrapper-tables.ts';
import { conclusionsOf } from './conclusions.ts';
import { describeConnections, loadProfile } from './load-words.ts';
import { highlightTable, rankingTable } from './overall-tables.ts';
import { factsOf } from './ranking-facts.ts';
import {
	figureColumnsOf,
	own,
	writeFigure,
	writeRate,
	writeShare,
	writeShareInterval,
	writeVariation,
} from './ranking-figures.ts';
import { lossTables, noisyTable, roundsTables, scenariosTable, shareTables, versionsTable } from './ranking-tables.ts';
import {
	describeByHand,
	describeEnd,
	describeMethod,
	describeVariation,
	nameDeviation,
	nameOf,
	STATE_WORDS,
	titleOf,
} from './ranking-words.ts';
import { remarksOn } from './scenario-remarks.ts';

export interface ScenarioReport {
	readonly name: string;
	readonly caption: Phrase;
	/** Rows not measured are last. */
	readonly rows: readonly RankingRow[];
	readonly table: WordedTable;
	readonly rate: number | undefined;
	/** Null with fewer than two servers, or at a fixed rate. */
	readonly ratios: Phrase | null;
	readonly reference: string | null;
	/** Reasons for missing ranks, and caveats. */
	readonly remarks: readonly Phrase[];
}

export interface RankingReport {
	readonly title: string;
	readonly variation: string;
	readonly end: string;
	readonly conclusions: readonly Phrase[];
	/** Must be read before any figure. */
	readonly warnings: readonly Phrase[];
	readonly ranking: WordedTable;
	readonly short: WordedTable | null;
	readonly highlight: WordedTable | null;
	readonly scenarios: readonly ScenarioReport[];
	readonly comparisons: readonly WordedTable[];
	readonly ramps: readonly WordedTable[];
	readonly noisy: WordedTable | null;
	readonly facts: readonly { readonly label: string; readonly value: Phrase }[];
	readonly versions: WordedTable;
	readonly legend: WordedTable;
	readonly profile: WordedTable | null;
	readonly rounds: readonly WordedTable[];
	/** Differences from a preset's page. */
	readonly differences: readonly Phrase[];
	readonly method: readonly string[];
	readonly reproduce: string;
	readonly byHand: readonly Phrase[];
}

export function buildMeasureReport(result: RankingResult): RankingReport {
	const scenarios = notesOnce(result.setup.scenarios.map((scenario) => scenarioReport(result, scenario)));
	const warningPhrases = (are: (code: string) => boolean): Phrase[] =>
		result.warnings.flatMap(({ code, message }) => (are(code) ? [[{ text: plainText(message, MESSAGE_LIMIT) }]] : []));
	return {
		title: titleOf(result),
		variation: describeVariation(result),
		end: describeEnd(result),
		conclusions: conclusionsOf(result, scenarios),
		warnings: warningPhrases((code) => code !== 'preset'),
		ranking: rankingTable(scenarios, result),
		short: serversInShort(scenarios, result.setup) ?? scenariosInShort(scenarios),
		highlight: result.highlight === null ? null : highlightTable(result, result.highlight),
		scenarios,
		comparisons: [
			...[situationsTable(scenarios), validatorsTable(scenarios, result.servers)].filter((table) => table !== null),
			...lossTables(result),
			...wrapperTables(result),
			...shareTables(result),
		],
		ramps: [...rampTables(result), ...scalingTables(result)],
		noisy: noisyTable(result),
		facts: factsOf(result),
		versions: versionsTable(result),
		legend: scenariosTable(result),
		profile: loadProfile(result.setup),
		rounds: roundsTables(result),
		differences: warningPhrases((code) => code === 'preset'),
		method: describeMethod(result),
		reproduce: result.reproduce,
		byHand: describeByHand(result),
	};
}

/** Keeps a legend only below the first table that needs it. */
function notesOnce(scenarios: readonly ScenarioReport[]): readonly ScenarioReport[] {
	const seenNotes = new Set<string>();
	return scenarios.map((scenario) => {
		const { table } = scenario;
		const note = seenNotes.has(table.note) ? '' : table.note;
		seenNotes.add(table.note);
		return { ...scenario, table: { ...table, note } };
	});
}

function scenarioReport(result: RankingResult, scenario: RankedScenario): ScenarioReport {
	const rows = orderOf(result.rows.filter((row) => row.scenario === scenario.name));
	return {
		name: plainText(scenario.name, NAME_LIMIT),
		caption: captionOf(scenario),
		rows,
		table: scenario.metrics ? bareTable(rows, scenario, result.setup) : scenarioTable(result, rows, scenario),
		rate: scenario.load.rate,
		ratios:
			scenario.metrics || scenario.load.rate !== undefined
				? null
				: describeRatios(rows, result.highlight, result.setup),
		reference: scenario.reference,
		remarks: remarksOn(result, scenario, rows),
	};
}

function captionOf(scenario: RankedScenario): Phrase {
	const request = { code: plainText(scenario.request, NAME_LIMIT) };
	const about = plainText(scenario.description, MESSAGE_LIMIT);
	const load = describeConnections(scenario);
	return about === '' ? phrase`${request} (${load})` : phrase`${request}: ${{ text: about }} (${load})`;
}

function orderOf(rows: readonly RankingRow[]): readonly RankingRow[] {
	const isPaired = rows.every(({ state, share }) => state !== 'measured' || share !== null);
	return inRankOrder(rows, ({ share, alone }) =>
		isPaired ? (share?.value ?? null) : (alone?.metrics.throughput ?? null),
	);
}

function scenarioTable(
	{ setup, servers, environment }: RankingResult,
	rows: readonly RankingRow[],
	{ name, reference, inProcess }: RankedScenario,
): WordedTable {
	const askedBy = (row: RankingRow) => servers.find((server) => server.name === row.server)?.inProcess;
	// Pages of presets give CPU use as a part of the machine.
	const figures = figureColumnsOf(rows, setup.preset === null ? null : environment.cpus);
	const isGathered = rows.some(({ shard }) => shard !== undefined);
	// Without a reference, as in a preset, every server is loaded alone.
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
			...(inProcess ? [{ label: 'asked by', align: 'left' as const }] : []),
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
			...(inProcess ? [nameOf(askedBy(row) ?? NONE)] : []),
			own(row.state === 'measured' ? writeRate(row) : STATE_WORDS[row.state]),
			...(isPaired ? [own(writeShare(row)), own(writeShareInterval(row))] : []),
			own(formatPair(row.variation.throughput.sd, null, 'requests/s').base),
			own(writeVariation(row.variation.throughput)),
			...figures.map(({ texts }) => own(texts[at] ?? NONE)),
		]),
		note: `${isBeside ? 'The share was measured with both servers loaded at the same time. ' : ''}requests/s and the columns after ${isPaired ? 'the interval' : 'it'} were measured with the server alone${isGathered ? ', on the machine of its shard: compare them only within a shard' : ''}. sd and CoV: how much requests/s differ from round to round. sd is the ${nameDeviation(setup)}, CoV is sd over the mean.`,
	};
}

/** The table of a scenario without load in windows. Its first metric ranks the rows. */
function bareTable(
	rows: readonly RankingRow[],
	{ name, metrics: [ranked = 'throughput'] = [], reference }: RankedScenario,
	{ preset }: Pick<RankingSetup, 'preset'>,
): WordedTable {
	const { label } = METRICS[ranked];
	const middles = findPreset(preset)?.aggregate === 'mean' ? 'Means' : 'Medians';
	const others = figureColumnsOf(rows).filter((column) => !column.label.startsWith(`${label},`));
	const of = reference === null ? 'of the reference' : `of ${plainText(reference, NAME_LIMIT)}`;
	const waited = ranked === 'hot-reload' ? ' 200 ms of each hot reload are node --watch waiting.' : '';
	const right = (text: string) => ({ label: text, align: 'right' as const });
	return {
		title: plainText(name, NAME_LIMIT),
		columns: [
			right('rank'),
			{ label: 'server', align: 'left' },
			right(label),
			...(reference === null ? [] : [right(of), right(INTERVAL_95)]),
			...others.map((column) => right(column.label)),
		],
		rows: rows.map((row, at) => [
			own(row.rank === null ? NONE : writeRank(row.rank)),
			nameOf(row.server),
			own(row.state === 'measured' ? writeFigure(row) : STATE_WORDS[row.state]),
			...(reference === null ? [] : [own(writeShare(row)), own(writeShareInterval(row))]),
			...others.map(({ texts }) => own(texts[at] ?? NONE)),
		]),
		note: `${middles} over rounds; each round has fresh processes. Ranked by ${label}, where less is better${reference === null ? '' : `: 50 % ${of} is twice as much`}.${waited}`,
	};
}
