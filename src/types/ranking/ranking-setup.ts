import { LOAD } from '../config.ts';
import { RANKING_METRIC } from '../metric.ts';
import { TIMING } from '../plan.ts';
import {
	COUNT,
	define,
	described,
	enumOf,
	type Infer,
	listOf,
	literal,
	objectOf,
	optional,
	ref,
	TEXT,
	TEXT_OR_NULL,
} from '../schema.ts';

/** The built-in generator, and default. */
export const OWN_DRIVER = 'benchgate';

/** These must be installed separately. */
export const OTHER_DRIVERS = ['autocannon', 'wrk', 'k6'] as const;
export type OtherDriver = (typeof OTHER_DRIVERS)[number];

export const DRIVERS = [OWN_DRIVER, ...OTHER_DRIVERS] as const;
export type DriverName = (typeof DRIVERS)[number];
const DRIVER = enumOf(DRIVERS);

export type RankedScenario = Infer<typeof RANKED_SCENARIO>;
export const RANKED_SCENARIO = define(
	'scenario',
	objectOf({
		name: TEXT,
		description: TEXT,
		/** `GET /ping`. */
		request: TEXT,
		load: LOAD,
		metrics: optional(
			described(listOf(RANKING_METRIC), 'what it measures instead of load in windows; ranked by the first'),
		),
		/** Absent for one process. */
		workers: optional(described(COUNT, 'worker processes of each server, which were loaded alone')),
		/** The requested server, or the one that replaces it; null for none. */
		reference: described(TEXT_OR_NULL, 'server that the others were measured with'),
		servers: optional(described(listOf(TEXT), 'those that were asked; all when absent')),
		/** `-m POST -b '{}'`; absent if one request is not enough. */
		byHand: optional(described(TEXT, 'arguments of autocannon that send the same')),
		inProcess: optional(described(literal(true), 'asked in its own process, without a socket')),
	}),
);

/** `--out` resumes a run, and `--merge` combines runs, only if this is equal. */
export type RankingSetup = Infer<typeof RANKING_SETUP>;
export const RANKING_SETUP = define(
	'setup',
	objectOf({
		reference: TEXT,
		scenarios: listOf(ref(RANKED_SCENARIO)),
		timing: ref(TIMING),
		preset: TEXT_OR_NULL,
		driver: optional(described(DRIVER, 'what loaded the servers; benchgate when absent')),
		design: optional(
			described(
				literal('alternating'),
				'server and reference were loaded in turn; when absent at the same time, or each alone with a preset',
			),
		),
		/** Each row's processes then have only its scenario's routes. */
		processes: optional(
			described(literal('own'), "every row had processes of its own; when absent a server's rows shared them"),
		),
		/** When absent, work after the load is not observed. */
		afterwork: optional(
			described(
				literal('counted'),
				'a server finished its work before the other one was loaded, and was charged for it; not when absent',
			),
		),
		/** Reporting costs some performance. */
		vitals: optional(described(literal('node'), 'servers reported garbage collection and event loop; not when absent')),
	}),
);
