import { type DataRow, DESIGN, type Design, LOAD, MARGIN_FIELDS, MARGINS, type MetricMargins } from './config.ts';
import { isOfServer, METRIC, type MetricName } from './metric.ts';
import {
	COUNT,
	define,
	described,
	enumOf,
	type Infer,
	listOf,
	literal,
	NUMBER,
	objectOf,
	optional,
	type Schema,
	SECONDS,
	schemaOf,
	TEXT,
} from './schema.ts';
import type { Seconds, Side, Sides } from './units.ts';

const CELL_FIELDS = {
	/** `server/scenario`. */
	id: TEXT,
	server: TEXT,
	scenario: TEXT,
	...MARGIN_FIELDS,
	/** The base branch has the cell, the merge base does not: if both sides break, no conclusion is possible. */
	newerThanBase: optional(literal(true)),
	/** The server uses `${slot}` in a service both sides share, such as a database. */
	sharesWork: optional(literal(true)),
	/** Override the plan's. */
	metrics: optional(described(listOf(METRIC), 'of its rows, where its scenario names them')),
};

/** Has one row per gated metric. */
export type Cell = Infer<typeof CELL>;
export const CELL = objectOf(CELL_FIELDS);

const UNMEASURED_VERDICTS = ['new', 'removed', 'same-code'] as const;

export type OneSidedCell = Infer<typeof ONE_SIDED_CELL>;
export const ONE_SIDED_CELL = objectOf({ ...CELL_FIELDS, verdict: enumOf(UNMEASURED_VERDICTS), reason: TEXT });

/** Fixed in advance (docs/statistics.md 3.1). */
export type Look = Infer<typeof LOOK>;
export const LOOK = objectOf({
	rounds: COUNT,
	/** Share of the error budget, mirrored for `improved`. */
	weightRegressed: NUMBER,
	/** Share of the error budget. */
	weightUnchanged: NUMBER,
});

const WARMUP_FIELDS = { requests: COUNT, leastSeconds: SECONDS, mostSeconds: SECONDS };

/**
 * Until each side has answered `requests`, within the times: compilers optimise after a number of calls, not after a
 * time.
 */
export type Warmup = Infer<typeof WARMUP>;
const WARMUP = objectOf({
	...WARMUP_FIELDS,
	/** Each side alone on the CPU; simultaneously when absent. */
	inTurn: optional(literal(true)),
	/** If it differs from the counted load. */
	load: optional(LOAD),
});

/** Part of a solo window that changes the connections linearly to `connections`. */
export type Stage = Infer<typeof STAGE>;
const STAGE = objectOf({ seconds: SECONDS, connections: COUNT });

export interface PlacedStage extends Stage {
	/** Since the first stage began. */
	readonly at: Seconds;
	/** Connections. */
	readonly from: number;
}

/** Returns the stages in place; the first starts without connections. */
export function placeStages(stages: readonly Stage[]): readonly PlacedStage[] {
	let [at, from] = [0, 0];
	return stages.map((stage) => {
		const placed = { ...stage, at, from };
		[at, from] = [at + stage.seconds, stage.connections];
		return placed;
	});
}

/** Returns whether connections are constant and positive; only such stages have figures. */
export function isSteady({ from, connections }: PlacedStage): boolean {
	return connections > 0 && from === connections;
}

function timingFields<W>(warmup: Schema<W>) {
	return {
		/** Uncounted, for a fresh pair's first cell. */
		firstWarmup: warmup,
		/** Uncounted, for later cells. */
		warmup,
		/** Uncounted load after switching sides (alternating, sequential, solo). */
		settleSeconds: SECONDS,
		windowSeconds: SECONDS,
		/** Per cell and round; in `alternating` and `sequential` per side. */
		windows: COUNT,
		soloSeconds: SECONDS,
		/** Rounds with a solo window per cell and side. */
		soloRounds: COUNT,
	};
}

export type Timing = Infer<typeof TIMING>;
export const TIMING = define(
	'timing',
	objectOf({
		...timingFields(WARMUP),
		/** From no connections; constant when absent. */
		stages: optional(listOf(STAGE)),
		/** In-process calls instead of times. */
		calls: optional(objectOf({ warmup: COUNT, counted: COUNT })),
		/** Between rounds. */
		pauseSeconds: optional(SECONDS),
		/**
		 * Alternating windows are short; slow servers get fewer, longer ones of the same total time. Absent where
		 * windows can open their own connections.
		 */
		resting: optional(described(literal(true), 'connections stay open while a side rests')),
	}),
);

/** Fixed before the first request. A pure function of Config. */
export type Plan = Infer<typeof PLAN>;
export const PLAN = objectOf({
	seed: NUMBER,
	design: DESIGN,
	cells: listOf(CELL),
	oneSided: listOf(ONE_SIDED_CELL),
	metrics: listOf(METRIC),
	/** Override the margins of cells. */
	margins: optional(schemaOf<MetricMargins>({ type: 'object', propertyNames: METRIC, additionalProperties: MARGINS })),
	looks: listOf(LOOK),
	/** Optional parts are only used by rankings. */
	timing: schemaOf<Timing>(objectOf(timingFields(objectOf(WARMUP_FIELDS)))),
	budgetSeconds: SECONDS,
	family: optional(described(COUNT, 'rows that are decided together, where they are more than those of the cells')),
});

export interface Turn {
	readonly cell: string;
	readonly clientFirst: Side;
	/** In window 1 of `alternating`; swaps each window (ABBA). */
	readonly windowFirst: Side;
	readonly soloFirst?: Side;
	/** Requests before memory is read. */
	readonly footprint?: number;
	/** Only this side is loaded, in solo windows. */
	readonly only?: Side;
}

/** One lap of a mix, repeated by all connections together. Equal for both sides and all rounds. */
export interface Traffic {
	/** By place: index into the scenario's requests. */
	readonly requests: readonly number[];
	/** By place: index into `data`; -1 without placeholders. */
	readonly rows: readonly number[];
	/** By first use. */
	readonly data: readonly DataRow[];
}

export interface RowsOf<C extends Pick<Cell, 'server' | 'metrics'> = Pick<Cell, 'server' | 'metrics'>> {
	readonly cells: readonly C[];
	/** Default for cells without metrics. */
	readonly metrics: readonly MetricName[];
}

/** Returns rows by cell, then metric. A metric of a server's process has one row, at its first cell. */
export function rowsOf<C extends Pick<Cell, 'server' | 'metrics'>>({
	cells,
	metrics,
}: RowsOf<C>): readonly { readonly cell: C; readonly metric: MetricName }[] {
	const seenRows = new Set<string>();
	return cells.flatMap((cell) =>
		(cell.metrics ?? metrics).flatMap((metric) => {
			const row = `${cell.server} ${metric}`;
			if (isOfServer(metric) && seenRows.has(row)) return [];
			seenRows.add(row);
			return [{ cell, metric }];
		}),
	);
}

export function countRows(plan: RowsOf): number {
	return rowsOf(plan).length;
}

/** A server's fresh processes and their cells in this round. */
export interface PairPlan {
	readonly server: string;
	readonly startFirst: Side;
	/** Equal slots (port, environment). */
	readonly slot: Sides<0 | 1>;
	readonly turns: readonly Turn[];
}

export interface RoundPlan {
	/** 1-based. */
	readonly round: number;
	/** `confirm` repeats doubtful rows with alternating windows. */
	readonly purpose: 'main' | 'confirm';
	readonly design: Design;
	/** Sequential, timed starts. */
	readonly startInTurn?: true;
	/** Timed restarts after the last turn. */
	readonly restart?: true;
	/** Requests of each turn before memory is read. */
	readonly footprint?: number;
	readonly pairs: readonly PairPlan[];
}
