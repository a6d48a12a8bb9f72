/**
 * Statements that hold for any ranking on any machine: the order of some servers and scenarios, and identities between
 * figures.
 */

import type { RankingResult, RankingRow } from '../../src/types/ranking/ranking.ts';
import type { RankedScenario } from '../../src/types/ranking/ranking-setup.ts';

/** One statement, and the rows for and against it. */
export interface SanityCheck {
	readonly statement: string;
	/** Number of rows or pairs of rows. */
	readonly of: number;
	readonly holds: number;
	/** Undecided because intervals overlap. */
	readonly open: readonly string[];
	readonly fails: readonly string[];
}

/**
 * Tolerance of identities, as a fraction: windows begin and end between requests, and figures are medians of several.
 */
const MARGIN = 0.1;

/** Each is slower than the next, in a scenario without other work. */
const ORDER = ['express', 'koa', 'node-http'] as const;

/** Pairs of scenarios: the first does all the work of the second, and more. */
const MORE_WORK = [
	['production-stack', 'full-pipeline'],
	['middleware-20', 'middleware-0'],
	['middleware-5', 'json-hello'],
	['logging', 'ping'],
	['work-cpu-10', 'work-cpu-1'],
] as const;

/** Returns every statement for which a ranking has rows. */
export function sanityOf({ rows, setup }: Pick<RankingResult, 'rows' | 'setup'>): readonly SanityCheck[] {
	const measured = rows.filter(({ state, alone }) => state === 'measured' && alone !== null);
	const find = (server: string, scenario: string) =>
		measured.find((row) => row.server === server && row.scenario === scenario);
	const servers = [...new Set(measured.map(({ server }) => server))];
	const ordered = ORDER.slice(0, -1).flatMap((slow, at) =>
		pairOf(find(slow, 'ping'), find(ORDER[at + 1] ?? '', 'ping')).map(compareShares),
	);
	const loaded = measured.filter(({ judgedBy }) => judgedBy === 'throughput' || judgedBy === 'cpu-per-request');
	const checks = [
		summarise(`on ping, ${ORDER.join(' is slower than ')}`, ordered),
		...MORE_WORK.map(([more, less]) =>
			summarise(
				`${more} is slower than ${less}`,
				servers.flatMap((server) => pairOf(find(server, more), find(server, less)).map(compareRates)),
			),
		),
		summarise('requests/s times CPU per request is one CPU', loaded.flatMap(busyCpu)),
		summarise(
			'requests/s times mean latency are the requests under way',
			loaded.flatMap((row) => littlesLaw(row, setup.scenarios)),
		),
	];
	return checks.filter(({ of }) => of > 0);
}

type Finding = readonly [outcome: 'holds' | 'open' | 'fails', words: string];

function summarise(statement: string, findings: readonly Finding[]): SanityCheck {
	const wordsOf = (wanted: Finding[0]) => findings.flatMap(([outcome, words]) => (outcome === wanted ? words : []));
	return {
		statement,
		of: findings.length,
		holds: wordsOf('holds').length,
		open: wordsOf('open'),
		fails: wordsOf('fails'),
	};
}

function pairOf(slow: RankingRow | undefined, fast: RankingRow | undefined): (readonly [RankingRow, RankingRow])[] {
	return slow && fast ? [[slow, fast]] : [];
}

function compareShares([slow, fast]: readonly [RankingRow, RankingRow]): Finding {
	const words = `${slow.server} and ${fast.server}`;
	if (slow.share === null || fast.share === null) return ['open', words];
	if (slow.share.high < fast.share.low) return ['holds', words];
	return [slow.share.low > fast.share.high ? 'fails' : 'open', words];
}

function compareRates([more, less]: readonly [RankingRow, RankingRow]): Finding {
	const [slow, fast] = [rateOf(more), rateOf(less)];
	return [slow < fast ? 'holds' : 'fails', `${more.server} (${(slow / fast).toFixed(2)})`];
}

/** A server that always has work uses one CPU: 1 s of CPU time a second (one thread, one CPU). */
function busyCpu(row: RankingRow): Finding[] {
	const microseconds = row.alone?.metrics['cpu-per-request'] ?? null;
	return microseconds === null ? [] : [nearOne(row, (rateOf(row) * microseconds) / 1e6)];
}

/** In a closed loop every connection always has its requests under way (Little 1961: L = λ W). */
function littlesLaw(row: RankingRow, scenarios: readonly RankedScenario[]): Finding[] {
	const scenario = scenarios.find(({ name }) => name === row.scenario);
	const milliseconds = row.alone?.latency?.mean ?? null;
	if (scenario === undefined || scenario.inProcess || scenario.load.rate !== undefined || milliseconds === null)
		return [];
	const { connections, pipelining } = scenario.load;
	return [nearOne(row, (rateOf(row) * milliseconds) / 1e3 / (connections * pipelining))];
}

function nearOne({ server, scenario }: RankingRow, ratio: number): Finding {
	return [Math.abs(ratio - 1) <= MARGIN ? 'holds' : 'fails', `${server}/${scenario} (${ratio.toFixed(2)})`];
}

function rateOf({ alone }: RankingRow): number {
	return alone?.metrics.throughput ?? Number.NaN;
}
