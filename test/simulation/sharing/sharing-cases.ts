import { mean } from 'simple-statistics';
import type { Fraction } from '../../../src/types/units.ts';
import { type AskingServer, compareSharing } from './shared-database.ts';

const SEEDS = [1, 2];
const CONNECTIONS = 20;

/** Milliseconds of a small service: a request with one query. */
const ONE: AskingServer = { service: 0.15, queries: [0.05] };
const ASKING: AskingServer = { service: 0.05, queries: [0.2] };

/**
 * The planted change, the queries of base and head, CPUs of the database, and whether only a side alone reaches its
 * limit.
 */
export const SHARING = [
	{
		what: 'one query more, the servers at their limit',
		base: ONE,
		head: { service: 0.2, queries: [0.05, 0.05] },
		cpus: 1,
		hidden: false,
	},
	{
		what: 'one query more, the database at its limit',
		base: ASKING,
		head: { service: 0.07, queries: [0.2, 0.2] },
		cpus: 1,
		hidden: false,
	},
	{
		what: 'a query that costs twice as much, the database at its limit',
		base: ASKING,
		head: { service: 0.05, queries: [0.4] },
		cpus: 1,
		hidden: false,
	},
	{
		what: 'one query more, a database with two CPUs',
		base: ONE,
		head: { service: 0.2, queries: [0.05, 0.05] },
		cpus: 2,
		hidden: false,
	},
	{
		what: 'a query that costs five times as much, the database below half of its limit',
		base: { service: 0.15, queries: [0.02] },
		head: { service: 0.15, queries: [0.1] },
		cpus: 1,
		hidden: false,
	},
	{
		what: 'a query that costs eleven times as much, the database at its limit alone only',
		base: { service: 0.15, queries: [0.02] },
		head: { service: 0.15, queries: [0.22] },
		cpus: 1,
		hidden: true,
	},
] as const satisfies readonly {
	readonly what: string;
	readonly base: AskingServer;
	readonly head: AskingServer;
	readonly cpus: number;
	readonly hidden: boolean;
}[];

/**
 * Returns d (log units) in a duet and alone, and the share of the database's CPUs that the duet used; means over the
 * seeds.
 */
export function sharingOf({ base, head, cpus }: (typeof SHARING)[number]): {
	readonly duet: number;
	readonly alone: number;
	readonly database: Fraction;
} {
	const setting = { servers: { base, head }, connections: CONNECTIONS, databaseCpus: cpus };
	const runs = SEEDS.map((seed) => compareSharing(setting, seed));
	const meanOf = (name: 'duet' | 'alone' | 'database') => mean(runs.map((run) => run[name]));
	return { duet: meanOf('duet'), alone: meanOf('alone'), database: meanOf('database') };
}
