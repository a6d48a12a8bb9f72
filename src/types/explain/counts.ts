/** Work of one request, counted on both sides. Names and paths are untrusted text. */
import { type ScriptCoverage, UNSEEN_KINDS, type Unseen } from '../coverage.ts';
import {
	COUNT,
	described,
	enumOf,
	FLAG,
	type Infer,
	listOf,
	NUMBER,
	objectOf,
	optional,
	orNull,
	schemaOf,
	TEXT,
	TEXT_OR_NULL,
} from '../schema.ts';
import { SIDES, type Side, type Sides } from '../units.ts';

/** A round trip a request; one query more in one of 50 requests is 0.02. */
export const TRIP_TOLERANCE = 0.01;

export const PEER_FIGURES = ['roundTrips', 'bytesSent', 'bytesReceived'] as const;
export type PeerFigure = (typeof PEER_FIGURES)[number];

/** Traffic of one side with another program. */
export interface PeerCount extends Readonly<Record<PeerFigure, number>> {
	/** `127.0.0.1:5432`. */
	readonly address: string;
	/** `postgres`; null if unknown. */
	readonly name: string | null;
}

const FIGURE = objectOf({
	base: described(NUMBER, 'a request, the least of all repeats'),
	head: described(NUMBER, 'a request, the least of all repeats'),
	varies: described(FLAG, 'no second repeat confirmed the least count of a side'),
	differs: described(FLAG, 'by more than repeats of a side do'),
});

export type CountedPeer = Infer<typeof COUNTED_PEER>;
const COUNTED_PEER = objectOf({
	address: TEXT,
	name: described(TEXT_OR_NULL, 'the program that listens there, or the usual one of its port'),
	roundTrips: described(FIGURE, 'TCP segments with data, sent or received, whichever are fewer'),
	bytesSent: FIGURE,
	bytesReceived: FIGURE,
});

/** Calls a request: smaller differences are a timer's. */
export const CALL_TOLERANCE = 0.02;
/** Bytes a request: the heap is aligned to 8, and a few objects of 200 requests are Node's. */
export const BYTE_TOLERANCE = 8;

export const WORK_KINDS = ['bytes-allocated', 'promises', 'reads', 'writes', 'collections'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** `peer`: traffic with another program. */
const UNCOUNTED_KINDS = [...UNSEEN_KINDS, 'peer'] as const;
export type Uncounted = Omit<Unseen, 'kind'> & { readonly kind: (typeof UNCOUNTED_KINDS)[number] };

export interface SideCount {
	readonly requests: number;
	/** Calls during these requests; those before are not counted. */
	readonly scripts: readonly ScriptCoverage[];
	readonly work: Readonly<Partial<Record<WorkKind, number>>>;
	readonly peers: readonly PeerCount[];
	readonly unseen: readonly Uncounted[];
}

/** One of several repeats. */
export type CountedRepeat = Sides<SideCount>;

export type CodePlace = Infer<typeof CODE_PLACE>;
const PLACE_FIELDS = {
	/** Relative to the side's folder. */
	path: TEXT,
	line: described(COUNT, 'from 1; 0 if unknown'),
	name: TEXT,
};
const CODE_PLACE = objectOf(PLACE_FIELDS);

const PER_REQUEST = {
	base: described(NUMBER, 'a request, the least of all repeats'),
	head: described(NUMBER, 'a request, the least of all repeats'),
	varies: described(FLAG, 'no second repeat confirmed the least count of a side, so the numbers are not exact'),
};

/** `changed`: its own code differs, apart from layout and comments. */
export const FUNCTION_STATES = ['same', 'changed', 'new', 'gone'] as const;

export type CountedFunction = Infer<typeof COUNTED_FUNCTION>;
const COUNTED_FUNCTION = objectOf({
	...PLACE_FIELDS,
	lines: optional(described(COUNT, 'of its code')),
	side: described(schemaOf<Side>(enumOf(SIDES)), 'whose path and line; base only for a function that is gone'),
	state: enumOf(FUNCTION_STATES),
	...PER_REQUEST,
	resumes: described(FLAG, 'an async function, which V8 counts again after each await'),
	caller: described(orNull(CODE_PLACE), 'a changed function that ran and whose code calls this one'),
	package: described(
		orNull(objectOf({ name: TEXT, base: TEXT_OR_NULL, head: TEXT_OR_NULL })),
		'the installed package, where its version differs',
	),
});

export type CountedWork = Infer<typeof COUNTED_WORK>;
const COUNTED_WORK = objectOf({ kind: enumOf(WORK_KINDS), ...PER_REQUEST });

export type Counts = Infer<typeof COUNTS>;
export const COUNTS = objectOf({
	requests: described(COUNT, 'counted in each repeat'),
	repeats: COUNT,
	functions: described(
		listOf(COUNTED_FUNCTION),
		'those whose calls differ, and changed ones that ran; the likeliest causes first',
	),
	omitted: described(COUNT, 'further functions, left out for length'),
	work: listOf(COUNTED_WORK),
	peers: described(listOf(COUNTED_PEER), 'in any language; the likeliest causes first'),
	unseen: described(
		listOf(
			objectOf({
				side: schemaOf<Side>(enumOf(SIDES)),
				kind: enumOf(UNCOUNTED_KINDS),
				detail: TEXT,
			}),
		),
		'what could not be counted, and why',
	),
});
