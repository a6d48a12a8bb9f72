import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { RankingResult, RankingRow, RowState } from '../../types/ranking/ranking.ts';
import type { RankedScenario } from '../../types/ranking/ranking-setup.ts';
import { nameOf, STATE_WORDS } from './ranking-words.ts';

export function remarksOn(
	result: RankingResult,
	scenario: RankedScenario,
	rows: readonly RankingRow[],
): readonly Phrase[] {
	return [
		...standInRemark(result, scenario),
		...rateRemark(scenario),
		...boundRemark(rows, scenario),
		...crowdRemark(rows),
		...singleRemark(result, scenario, rows),
		...rows.flatMap(remarksOf),
		...rows.flatMap((row) => serverRemark(result, row)),
	];
}

function standInRemark({ setup }: RankingResult, { reference }: RankedScenario): readonly Phrase[] {
	if (reference === null || reference === setup.reference) return [];
	return [phrase`${nameOf(setup.reference)} has no part in this scenario, so ${nameOf(reference)} is the reference.`];
}

function rateRemark({ load: { rate } }: RankedScenario): readonly Phrase[] {
	if (rate === undefined) return [];
	return [
		[
			'At a fixed rate every server that holds it answers equally often: shares and ranks are those of CPU time per request. Latency is counted from when a request was due.',
		],
	];
}

function boundRemark(rows: readonly RankingRow[], { reference }: RankedScenario): readonly Phrase[] {
	const isBound = rows.some(({ warnings }) => warnings.some(({ code }) => code === 'generator-bound'));
	if (reference !== null || !isBound) return [];
	return [['The load generator was at its limit, so ranks and ratios are those of CPU time per request.']];
}

function crowdRemark(rows: readonly RankingRow[]): readonly Phrase[] {
	if (!rows.some(({ oversubscribed }) => oversubscribed)) return [];
	return [
		[
			'Oversubscribed: there are more worker processes than CPUs for them, so these rows have no place and are in no ratio.',
		],
	];
}

/** Without a reference, only different rounds can distinguish servers. */
function singleRemark(
	{ setup }: RankingResult,
	{ reference, metrics }: RankedScenario,
	rows: readonly RankingRow[],
): readonly Phrase[] {
	const able = rows.filter(({ state, oversubscribed }) => state === 'measured' && !oversubscribed);
	const hasSingle = able.some(({ rank, throughputs }) => rank === null && throughputs.length < 2);
	if (setup.preset !== null || reference !== null || metrics || able.length < 2 || !hasSingle) return [];
	return [['Servers that were measured in a single round have no place: a place needs two rounds.']];
}

/** The conclusions explain these states once. */
const TOLD_ABOVE: readonly RowState[] = ['not-reached', 'not-installed', 'unsupported'];

function remarksOf(row: RankingRow): readonly Phrase[] {
	const reason: readonly Phrase[] =
		row.reason === null || TOLD_ABOVE.includes(row.state)
			? []
			: [phrase`${nameOf(row.server)}, ${STATE_WORDS[row.state]}: ${{ text: plainText(row.reason, MESSAGE_LIMIT) }}`];
	const warnings = row.warnings.map(
		({ message }): Phrase => phrase`${nameOf(row.server)}: ${{ text: plainText(message, MESSAGE_LIMIT) }}`,
	);
	return [...reason, ...warnings];
}

/** A built-in server's remark. All steps of a ramp (`@`) are one scenario. */
function serverRemark({ servers }: RankingResult, { server, scenario, state }: RankingRow): readonly Phrase[] {
	const [name = scenario] = scenario.split('@');
	const { remarks = {} } = servers.find((one) => one.name === server) ?? {};
	const remark = state === 'measured' && Object.hasOwn(remarks, name) ? remarks[name] : undefined;
	return remark === undefined ? [] : [phrase`${nameOf(server)}: ${{ text: plainText(remark, MESSAGE_LIMIT) }}`];
}
