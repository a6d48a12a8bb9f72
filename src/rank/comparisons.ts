/** Comparisons of scenarios within a server, and of wrappers with hosts. */
import type { Comparison, RankingRow } from '../types/ranking/ranking.ts';
import type { Fraction } from '../types/units.ts';
import { isRate, ratioOf, speedRatio } from './ratios.ts';

/** The loss is the cost of the extra work in `row`. */
const SCENARIO_PAIRS = [
	{ kind: 'middleware-loss', row: 'middleware-5', against: 'json-hello' },
	{ kind: 'middlewares-20', row: 'middleware-20', against: 'middleware-0' },
	{ kind: 'layers', row: 'middleware-3', against: 'chain-inline' },
	{ kind: 'production-delta', row: 'production-stack', against: 'full-pipeline' },
	{ kind: 'logging', row: 'logging', against: 'ping' },
	{ kind: 'serialiser', row: 'serialise', against: 'json-nested' },
	{ kind: 'routes', row: 'many-routes-1000', against: 'many-routes-10' },
] as const;

/** Losses up to the first limit are good, up to the second borderline. */
export const WRAPPER_LIMITS: readonly [Fraction, Fraction] = [0.05, 0.15];

/** Wrapper → the server it runs in. */
export type Wraps = Readonly<Record<string, string>>;

/**
 * Returns the comparisons whose rows are both measured. Scenarios of one server are compared by figures alone, without
 * an interval: they are never loaded at once. Wrapper and host are compared by their shares of one reference.
 */
export function comparisonsOf(rows: readonly RankingRow[], wraps: Wraps): readonly Comparison[] {
	const find = (server: string, scenario: string) =>
		rows.find((row) => row.server === server && row.scenario === scenario && row.state === 'measured');
	const servers = [...new Set(rows.map(({ server }) => server))];
	const scenarios = [...new Set(rows.map(({ scenario }) => scenario))];
	const withinServers = SCENARIO_PAIRS.flatMap(({ kind, row, against }) =>
		servers.flatMap((server) => compareAlone(kind, find(server, row), find(server, against))),
	);
	const wrappers = Object.entries(wraps).flatMap(([wrapper, host]) =>
		scenarios.flatMap((scenario) => compareWrapper(find(wrapper, scenario), find(host, scenario))),
	);
	return [...withinServers, ...wrappers];
}

function compareAlone(
	kind: Comparison['kind'],
	row: RankingRow | undefined,
	against: RankingRow | undefined,
): Comparison[] {
	// Rates of different machines cannot be compared.
	if (row?.shard !== against?.shard) return [];
	if (!row || !against) return [];
	const ratio = speedRatio(row, against);
	if (!Number.isFinite(ratio)) return [];
	const loss = { value: 1 - ratio, low: null, high: null };
	return [{ kind, row: nameOf(row), against: nameOf(against), loss, grade: null }];
}

function compareWrapper(row: RankingRow | undefined, host: RankingRow | undefined): Comparison[] {
	// With more workers than CPUs, the machine is the limit.
	if (!row || !host || !isRate(row.judgedBy) || row.oversubscribed || host.oversubscribed) return [];
	if (row.logShare === null || host.logShare === null) return compareAlone('wrapper', row, host).map(grade);
	const ratio = ratioOf(row.logShare, host.logShare);
	const loss = { value: 1 - ratio.value, low: 1 - ratio.high, high: 1 - ratio.low };
	return [grade({ kind: 'wrapper', row: nameOf(row), against: nameOf(host), loss, grade: null })];
}

function grade(comparison: Comparison): Comparison {
	const [good, borderline] = WRAPPER_LIMITS;
	const { value } = comparison.loss;
	return { ...comparison, grade: value <= good ? 'good' : value <= borderline ? 'borderline' : 'bad' };
}

function nameOf({ server, scenario }: RankingRow): Comparison['row'] {
	return { server, scenario };
}
