import { type DataRow, DESIGN, type Design, LOAD, MARGIN_FIELDS, MARGINS, type MetricMargins } from './config.ts';
import { isCounted, isOfServer, METRIC, type MetricName } from './metric.ts';
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
	/** The base branch has the cell, but the merge base does not: if both sides break, nothing can be concluded. */
	newerThanBase: optional(literal(true)),
	/** The server uses `${slot}` in a service that both sides share, such as a database. */
	sharesWork: optional(literal(true)),
	/** Replace the plan's metrics. */
	metrics: optional(described(listOf(METRIC), 'of its rows, where its scenario names them')),
};

/** Has one row per gated metric. */
export type Cell = Infer<typeof CELL>;
export const CELL = objectOf(CELL_FIELDS);

const UNMEASURED_VERDICTS = ['new', 'removed', 'same-code', 'unaffected'] as const;

export type OneSidedCell = Infer<typeof ONE_SIDED_CELL>;
export const ONE_SIDED_CELL = objectOf({ ...CELL_FIELDS, verdict: enumOf(UNMEASURED_VERDICTS), reason: TEXT });

/** Fixed in advance (docs/statistics.md 3.1). */
export type Look = Infer<typeof LOOK>;
export const LOOK = objectOf({
	rounds: COUNT,
	/** Share of the error budget; `improved` gets the same share. */
	weightRegressed: NUMBER,
	/** Share of the error budget. */
	weightUnchanged: NUMBER,
});

const WARMUP_FIELDS = { requests: COUNT, leastSeconds: SECONDS, mostSeconds: SECONDS };

/**
 * Lasts until each side has answered `requests`, within the times: compilers optimise after a number of calls, not
 * after a time.
 */
export type Warmup = Infer<typeof WARMUP>;
const WARMUP = objectOf({
	...WARMUP_FIELDS,
	/** Each side is alone on the CPU; both run simultaneously when absent. */
	inTurn: optional(literal(true)),
	/** Present if it differs from the counted load. */
	load: optional(LOAD),
});

/** A part of a solo window that changes the number of connections linearly to `connections`. */
export type Stage = Infer<typeof STAGE>;
const STAGE = objectOf({ seconds: SECONDS, connections: COUNT });

export interface PlacedStage extends Stage {
	/** Seconds since the first stage began. */
	readonly at: Seconds;
	/** Connections at its start. */
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

/** Whether connections are constant and positive; only such stages have figures. */
export function isSteady({ from, connections }: PlacedStage): boolean {
	return connections > 0 && from === connections;
}

function timingFields<W>(warmup: Schema<W>) {
	return {
		/** Uncounted load for the first cell of a fresh pair. */
		firstWarmup: warmup,
		/** Uncounted load for later cells. */
		warmup,
		/** Uncounted load after switching sides (alternating, sequential, solo). */
		settleSeconds: SECONDS,
		windowSeconds: SECONDS,
		/** Windows per cell and round; in `alternating` and `sequential`, per side. */
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
		/** The first stage starts without connections; their number is constant when absent. */
		stages: optional(listOf(STAGE)),
		/** In-process calls are counted instead of times. */
		calls: optional(objectOf({ warmup: COUNT, counted: COUNT })),
		/** Between rounds. */
		pauseSeconds: optional(SECONDS),
		/**
		 * Alternating windows are short. Slow servers get fewer, longer ones in the same total time. Absent where each
		 * window may open its own connections.
		 */
		resting: optional(described(literal(true), 'connections stay open while a side rests')),
	}),
);

/** Fixed before the first request, and computed from Config alone. */
export type Plan = Infer<typeof PLAN>;
export const PLAN = objectOf({
	seed: NUMBER,
	design: DESIGN,
	cells: listOf(CELL),
	oneSided: listOf(ONE_SIDED_CELL),
	metrics: listOf(METRIC),
	/** Replace the margins of cells. */
	margins: optional(schemaOf<MetricMargins>({ type: 'object', propertyNames: METRIC, additionalProperties: MARGINS })),
	looks: listOf(LOOK),
	/** Only rankings use the optional parts. */
	timing: schemaOf<Timing>(objectOf(timingFields(objectOf(WARMUP_FIELDS)))),
	budgetSeconds: SECONDS,
	family: optional(described(COUNT, 'rows that are decided together, where they are more than those of the cells')),
});

export interface Turn {
	readonly cell: string;
	readonly clientFirst: Side;
	/** Loaded first in window 1 of `alternating`; the order swaps each window (ABBA). */
	readonly windowFirst: Side;
	readonly soloFirst?: Side;
	/** Requests before memory is read. */
	readonly footprint?: number;
	/** Only this side is loaded, in solo windows. */
	readonly only?: Side;
}

/** One lap of a mix, repeated by all connections together. Equal for both sides and all rounds. */
export interface Traffic {
	/** Index into the scenario's requests, by place in the lap. */
	readonly requests: readonly number[];
	/** Index into `data`, by place in the lap; -1 without placeholders. */
	readonly rows: readonly number[];
	/** In order of first use. */
	readonly data: readonly DataRow[];
}

export interface RowsOf<C extends Pick<Cell, 'server' | 'metrics'> = Pick<Cell, 'server' | 'metrics'>> {
	readonly cells: readonly C[];
	/** Default for cells without metrics. */
	readonly metrics: readonly MetricName[];
}

/** Returns rows by cell, then metric. A metric of a server's process has one row, at the server's first cell. */
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

/** Returns how many rows are tested together. Exact counts need no test. */
export function countRows(plan: RowsOf): number {
	return rowsOf(plan).filter(({ metric }) => !isCounted(metric)).length;
}

/** A server's fresh processes and their cells in this round. */
export interface PairPlan {
	readonly server: string;
	readonly startFirst: Side;
	/** Slot of each side, which decides its port and `${slot}`. */
	readonly slot: Sides<0 | 1>;
	readonly turns: readonly Turn[];
}

export interface RoundPlan {
	/** 1-based. */
	readonly round: number;
	/** `confirm` repeats doubtful rows with alternating windows. */
	readonly purpose: 'main' | 'confirm';
	readonly design: Design;
	/** Sides start in turn; starts are timed. */
	readonly startInTurn?: true;
	/** Both sides restart after the last turn; restarts are timed. */
	readonly restart?: true;
	readonly footprint?: number;
	readonly pairs: readonly PairPlan[];
}
