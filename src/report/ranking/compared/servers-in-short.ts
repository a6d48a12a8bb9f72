import { isRate, type LogShare, meanRatioOf } from '../../../rank/ratios.ts';
import { NAME_LIMIT, plainText } from '../../../text/escape.ts';
import { NONE } from '../../../text/numbers.ts';
import { type Phrase, phrase } from '../../../text/phrase.ts';
import type { Ranged, RankingRow } from '../../../types/ranking/ranking.ts';
import type { RankingSetup } from '../../../types/ranking/ranking-setup.ts';
import type { Fraction } from '../../../types/units.ts';
import type { WordedTable } from '../../document/document.ts';
import { areOfOneMachine } from '../ranking-facts.ts';
import { figureColumnsOf, own, partOf, writeRate } from '../ranking-figures.ts';
import { nameOf } from '../ranking-words.ts';

export interface Ranked {
	readonly name: string;
	readonly rows: readonly RankingRow[];
	readonly rate?: number | undefined;
}

/** A server's throughput in one scenario, as a fraction of the first server's. */
interface Standing {
	readonly scenario: string;
	readonly row: RankingRow;
	readonly part: Fraction;
	/** Null if shares are unknown. */
	readonly shares: readonly [LogShare, LogShare] | null;
}

export interface Average {
	readonly server: string;
	/** Geometric mean over `standings`. */
	readonly part: Fraction;
	readonly standings: readonly Standing[];
	/** 95 % interval; null if it is unknown, or if the server is always the first. */
	readonly interval: Pick<Ranged, 'low' | 'high'> | null;
}

/** Returns each server's average fraction of the first server's throughput, highest first. */
export function averagesOf(scenarios: readonly Ranked[]): readonly Average[] {
	const standings = scenarios.flatMap(({ name, rows, rate }) => (rate === undefined ? standingsIn(name, rows) : []));
	return [...Map.groupBy(standings, ({ row }) => row.server)]
		.map(([server, of]) => ({ server, part: meanOf(of), standings: of, interval: intervalOf(of) }))
		.toSorted((one, other) => other.part - one.part);
}

/** Leaves out servers with fewer scenarios: averages over different ones cannot be compared. */
export function comparableAverages(scenarios: readonly Ranked[]): readonly Average[] {
	const averages = averagesOf(scenarios);
	const most = Math.max(0, ...averages.map(({ standings }) => standings.length));
	const whole = averages.filter(({ standings }) => standings.length === most);
	return whole.length < 2 ? [] : whole;
}

/**
 * Returns a summary of servers; null with fewer than two scenarios or servers. Averages over more scenarios come first.
 */
export function serversInShort(
	scenarios: readonly Ranked[],
	{ preset }: Pick<RankingSetup, 'preset'>,
): WordedTable | null {
	const servers = averagesOf(scenarios).toSorted((one, other) => other.standings.length - one.standings.length);
	const counts = new Set(servers.map(({ standings }) => standings.length));
	const named = servers.flatMap(({ standings }) => standings.map(({ scenario }) => scenario));
	if (new Set(named).size < 2 || servers.length < 2) return null;
	const isBare = scenarios.some(({ rows }) => rows.some(({ rank, judgedBy }) => rank !== null && !isRate(judgedBy)));
	const isRated = scenarios.some(({ rate }) => rate !== undefined);
	return {
		title: 'Servers in short',
		columns: [
			{ label: 'server', align: 'left' },
			...['scenarios', 'first', 'first, shared', 'of the first', 'best', 'weakest'].map((label) => ({
				label,
				align: 'right' as const,
			})),
		],
		rows: servers.map(({ server, part, standings: all }) => {
			const sorted = all.toSorted((one, other) => other.part - one.part);
			const first = all.flatMap(({ row: { rank } }) => (rank?.first === 1 ? rank : []));
			const alone = first.filter(({ last }) => last === 1).length;
			return [
				nameOf(server),
				own(String(all.length)),
				own(writeCount(alone)),
				own(writeCount(first.length - alone)),
				own(writePercent(part)),
				describe(sorted[0]),
				describe(sorted.at(-1)),
			];
		}),
		note: `First: in how many scenarios the server is the fastest. First, shared: in how many it shares first place, because intervals overlap. Of the first: ${preset === null ? 'its share of the reference in percent of that of the fastest server' : 'its requests/s in percent of those of the fastest server'}, as the geometric mean over its scenarios.${counts.size > 1 ? ' Servers with more scenarios come first: averages over different scenarios do not compare.' : ''}${isBare ? ' Scenarios that measure starts or memory are not among them.' : ''}${isRated ? ' Scenarios at a fixed rate are not among them.' : ''}`,
	};
}

export function scenariosInShort(scenarios: readonly Ranked[]): WordedTable | null {
	const rows = scenarios.flatMap((scenario) => scenario.rows.filter(({ alone }) => alone !== null));
	const [first] = rows;
	if (first === undefined || rows.length < 2 || rows.some(({ server }) => server !== first.server)) return null;
	const figures = figureColumnsOf(rows).filter(({ label }) => /^(?:latency|CPU per request)/.test(label));
	return {
		title: `Scenarios in short: ${plainText(first.server, NAME_LIMIT)}`,
		columns: [
			{ label: 'scenario', align: 'left' },
			...['requests/s', ...figures.map(({ label }) => label)].map((label) => ({ label, align: 'right' as const })),
		],
		rows: rows.map((row, at) => [
			nameOf(row.scenario),
			own(writeRate(row)),
			...figures.map(({ texts }) => own(texts[at] ?? NONE)),
		]),
		note: '',
	};
}

function standingsIn(scenario: string, rows: readonly RankingRow[]): readonly Standing[] {
	const placed = rows.filter(({ rank }) => rank !== null);
	const [first] = placed;
	// A lone server has no rival. Starts and memory cannot be averaged with rates.
	if (first === undefined || placed.length < 2 || !isRate(first.judgedBy)) return [];
	return placed.flatMap((row) => {
		// Rates of two machines cannot be compared.
		const isKnown = row.logShare !== null || areOfOneMachine([row, first]);
		const part = isKnown ? partOf(row, first) : null;
		const shares = row.logShare && first.logShare && ([row.logShare, first.logShare] as const);
		return part === null || part <= 0 ? [] : [{ scenario, row, part, shares }];
	});
}

function intervalOf(standings: readonly Standing[]): Average['interval'] {
	const pairs = standings.flatMap(({ shares }) => (shares === null ? [] : [shares]));
	const isFirst = pairs.every(([one, first]) => one === first);
	return isFirst || pairs.length < standings.length ? null : meanRatioOf(pairs);
}

function meanOf(standings: readonly Standing[]): Fraction {
	return Math.exp(standings.reduce((sum, { part }) => sum + Math.log(part), 0) / standings.length);
}

function describe(standing: Standing | undefined): Phrase {
	if (standing === undefined) return own(NONE);
	return phrase`${writePercent(standing.part)} in ${nameOf(standing.scenario)}`;
}

function writeCount(count: number): string {
	return count === 0 ? NONE : String(count);
}

export function writePercent(part: Fraction): string {
	return `${(100 * part).toFixed(0)} %`;
}
