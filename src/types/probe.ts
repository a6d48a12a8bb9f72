/** Answers of the probe. Code under test can forge them. */
import { CPU_PROFILE } from './explain/profile.ts';
import {
	COUNT,
	FLAG,
	type Infer,
	listOf,
	NUMBER,
	objectOf,
	orNull,
	type Schema,
	schemaOf,
	TEXT,
	unionOf,
} from './schema.ts';

export type RanFunction = readonly [start: number, end: number, name: string, count: number];
const RAN_FUNCTION: Schema<RanFunction> = schemaOf({
	type: 'array',
	prefixItems: [COUNT, COUNT, TEXT, COUNT],
	minItems: 4,
	items: false,
});

export type ProbedScript = Infer<typeof PROBED_SCRIPT>;
const PROBED_SCRIPT = objectOf({
	path: TEXT,
	hash: TEXT,
	isFile: FLAG,
	functions: listOf(RAN_FUNCTION),
});

export type ProbedWork = Infer<typeof PROBED_WORK>;
const PROBED_WORK = objectOf({
	bytes: NUMBER,
	promises: COUNT,
	collections: COUNT,
	/** System calls of the process; null if unreadable. */
	calls: orNull(objectOf({ reads: NUMBER, writes: NUMBER })),
});

/** Of one thread. Counts are since the previous report, and paths are absolute. */
export type ProbeReport = Infer<typeof PROBE_REPORT>;
const PROBE_REPORT = objectOf({
	work: orNull(PROBED_WORK),
	profile: orNull(CPU_PROFILE),
	scripts: listOf(PROBED_SCRIPT),
	/** Of node:http. */
	requests: COUNT,
	reads: listOf(TEXT),
	addons: listOf(TEXT),
	wasm: COUNT,
	/** SHA-256 of each requested text of a function. */
	texts: listOf(TEXT),
	/** Scripts outside the root, or older than the probe. */
	foreign: listOf(TEXT),
	children: listOf(objectOf({ pid: COUNT, file: TEXT })),
	programs: listOf(TEXT),
	threads: listOf(COUNT),
});

export type ProbeGreeting = Infer<typeof PROBE_GREETING>;
const PROBE_GREETING = objectOf({ pid: COUNT, thread: COUNT });

export const PROBE_MESSAGE = unionOf<Schema<ProbeGreeting | ProbeReport>>([PROBE_GREETING, PROBE_REPORT]);
