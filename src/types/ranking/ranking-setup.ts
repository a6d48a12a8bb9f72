/** What a ranking measures, and how: all that two runs must share to be put together. */
import { LOAD } from '../config.ts';
import { RANKING_METRIC } from '../metric.ts';
import { TIMING } from '../plan.ts';
import {
	COUNT,
	define,
	described,
	type Infer,
	listOf,
	literal,
	objectOf,
	optional,
	ref,
	TEXT,
	TEXT_OR_NULL,
} from '../schema.ts';
import { DRIVER } from './driver.ts';

/** A scenario as it was measured. */
export type RankedScenario = Infer<typeof RANKED_SCENARIO>;
export const RANKED_SCENARIO = define(
	'scenario',
	objectOf({
		name: TEXT,
		description: TEXT,
		/** `GET /ping`. */
		request: TEXT,
		load: LOAD,
		/** Absent for most. */
		metrics: optional(
			described(listOf(RANKING_METRIC), 'what it measures instead of load in windows; ranked by the first'),
		),
		/** Absent for one process. */
		workers: optional(described(COUNT, 'worker processes of each server, which were loaded alone')),
		/** The one asked for, where it answers the scenario; null for none. */
		reference: described(TEXT_OR_NULL, 'server that the others were measured with'),
		servers: optional(described(listOf(TEXT), 'those that were asked; all when absent')),
		/** `-m POST -b '{}'`; absent where one request does not say it all, and in older logs. */
		byHand: optional(described(TEXT, 'arguments of autocannon that send the same')),
		/** Absent for what is loaded through connections, and in older logs. */
		inProcess: optional(described(literal(true), 'asked in its own process, without a socket')),
	}),
);

/** Everything that two runs must share to be one: what `--out` goes on with, and `--merge` puts together. */
export type RankingSetup = Infer<typeof RANKING_SETUP>;
export const RANKING_SETUP = define(
	'setup',
	objectOf({
		reference: TEXT,
		scenarios: listOf(ref(RANKED_SCENARIO)),
		timing: ref(TIMING),
		/** Name of the preset whose load it was; null for none. */
		preset: TEXT_OR_NULL,
		driver: optional(described(DRIVER, 'what loaded the servers; benchgate when absent')),
		/** Absent in older logs. */
		design: optional(
			described(
				literal('alternating'),
				'server and reference were loaded in turn; when absent at the same time, or each alone with a preset',
			),
		),
		/** With the routes of its scenario. */
		processes: optional(
			described(literal('own'), "every row had processes of its own; when absent a server's rows shared them"),
		),
		/** It went on unseen when absent, as in older logs. */
		afterwork: optional(
			described(
				literal('counted'),
				'a server finished its work before the other one was loaded, and was charged for it; not when absent',
			),
		),
		/** Reporting costs them something. */
		vitals: optional(described(literal('node'), 'servers reported garbage collection and event loop; not when absent')),
	}),
);
