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
	/** The base branch has the cell, the merge base not yet: when both sides break in it, nothing can be said. */
	newerThanBase: optional(literal(true)),
	/** Its server has a name of its own, `${slot}`, in something that both sides ask, such as a database. */
	sharesWork: optional(literal(true)),
	/** Those of the plan when absent. */
	metrics: optional(described(listOf(METRIC), 'of its rows, where its scenario names them')),
};

/** Server × scenario: what is measured together. Several report rows (one per gated metric) come from one cell. */
export type Cell = Infer<typeof CELL>;
export const CELL = objectOf(CELL_FIELDS);

/** Why a requested cell is not measured: one side alone has it, or its server is the same program on both. */
const UNMEASURED_VERDICTS = ['new', 'removed', 'same-code'] as const;

/** A cell that is not measured, because there are no two sides to compare: mostly one that exists on one side only. */
export type OneSidedCell = Infer<typeof ONE_SIDED_CELL>;
export const ONE_SIDED_CELL = objectOf({ ...CELL_FIELDS, verdict: enumOf(UNMEASURED_VERDICTS), reason: TEXT });

/** A moment fixed in advance at which decisions are taken (docs/statistics.md 3.1). */
export type Look = Infer<typeof LOOK>;
export const LOOK = objectOf({
	/** Rounds at this look. */
	rounds: COUNT,
	/** Share of the error budget spent here on `regressed` (and, mirrored, `improved`). */
	weightRegressed: NUMBER,
	/** Share of the error budget spent here on `unchanged`. */
	weightUnchanged: NUMBER,
});

const WARMUP_FIELDS = { requests: COUNT, leastSeconds: SECONDS, mostSeconds: SECONDS };

/**
 * Load until each side has answered `requests`, but at least and at most so long: code is optimised after a number of
 * calls, not after a time.
 */
export type Warmup = Infer<typeof WARMUP>;
const WARMUP = objectOf({
	...WARMUP_FIELDS,
	/** Each side is warmed up by itself, with the CPU to itself, and the times are those of one side; both at once, for the same time, when absent. */
	inTurn: optional(literal(true)),
	/** Load of it alone, where that is not the load that is counted. */
	load: optional(LOAD),
});

/** Part of a solo window in which the number of open connections goes evenly to this one. */
export type Stage = Infer<typeof STAGE>;
const STAGE = objectOf({ seconds: SECONDS, connections: COUNT });

/** A stage in its place among the others. */
export interface PlacedStage extends Stage {
	/** Since the first stage began. */
	readonly at: Seconds;
	/** Connections when it begins. */
	readonly from: number;
}

/** Returns when each stage begins, and with how many connections; the first one with none. */
export function placeStages(stages: readonly Stage[]): readonly PlacedStage[] {
	let [at, from] = [0, 0];
	return stages.map((stage) => {
		const placed = { ...stage, at, from };
		[at, from] = [at + stage.seconds, stage.connections];
		return placed;
	});
}

/** Returns whether connections neither come nor go in a stage, and there are some: it has figures of its own. */
export function isSteady({ from, connections }: PlacedStage): boolean {
	return connections > 0 && from === connections;
}

function timingFields<W>(warmup: Schema<W>) {
	return {
		/** Load before anything is counted, on a fresh pair's first cell. */
		firstWarmup: warmup,
		/** Load before anything is counted, on every later cell of the pair. */
		warmup,
		/** Load without counting when windows change hands (alternating, sequential, solo). */
		settleSeconds: SECONDS,
		windowSeconds: SECONDS,
		/** Windows per cell and round; in `alternating` and `sequential` per side. */
		windows: COUNT,
		/** Length of a solo window. */
		soloSeconds: SECONDS,
		/** Rounds in which each cell gets one solo window per side. */
		soloRounds: COUNT,
	};
}

/** How long each part of a round lasts. */
export type Timing = Infer<typeof TIMING>;
export const TIMING = define(
	'timing',
	objectOf({
		...timingFields(WARMUP),
		/** How connections of a solo window come and go, from none; all are there all the time when absent. */
		stages: optional(listOf(STAGE)),
		/** So many calls of a program that is asked in its process, in place of the times; absent for times. */
		calls: optional(objectOf({ warmup: COUNT, counted: COUNT })),
		/** Nothing runs for so long between two rounds; not at all when absent. */
		pauseSeconds: optional(SECONDS),
		/**
		 * Windows that alternate are short, and a server whose answers take long gets fewer and longer windows of the same time in all.
		 * Absent where windows are long enough to open connections for each.
		 */
		resting: optional(described(literal(true), 'connections stay open while a side rests')),
	}),
);

/** Everything about the experiment that is fixed before the first request. Pure function of Config. */
export type Plan = Infer<typeof PLAN>;
export const PLAN = objectOf({
	seed: NUMBER,
	design: DESIGN,
	cells: listOf(CELL),
	oneSided: listOf(ONE_SIDED_CELL),
	/** Metrics that give gated rows. */
	metrics: listOf(METRIC),
	/** Of those metrics whose rows do not have the margins of their cell. */
	margins: optional(schemaOf<MetricMargins>({ type: 'object', propertyNames: METRIC, additionalProperties: MARGINS })),
	looks: listOf(LOOK),
	/** Only rankings use the optional parts of a timing. */
	timing: schemaOf<Timing>(objectOf(timingFields(objectOf(WARMUP_FIELDS)))),
	budgetSeconds: SECONDS,
	/** Rows of the cells when absent. */
	family: optional(described(COUNT, 'rows that are decided together, where they are more than those of the cells')),
});

/** One cell's turn inside a process pair. */
export interface Turn {
	readonly cell: string;
	/** Side whose client is created first. */
	readonly clientFirst: Side;
	/** Side that goes first in window 1 of `alternating`; it swaps each window (ABBA). */
	readonly windowFirst: Side;
	/** Side of the first solo window; absent when this round has none. */
	readonly soloFirst?: Side;
	/** Requests after which memory is read; absent for never. */
	readonly footprint?: number;
	/** The one side that is loaded at all, in solo windows; both when absent. */
	readonly only?: Side;
}

/**
 * What a side is asked under load in a scenario with a mix: one lap of places, walked again and again by all connections
 * together. The same for both sides and in every round.
 */
export interface Traffic {
	/** For each place which of the scenario's requests it is. */
	readonly requests: readonly number[];
	/** For each place its row in `data`; -1 where the request has no placeholders. */
	readonly rows: readonly number[];
	/** The rows that are used, in the order in which they are first used. */
	readonly data: readonly DataRow[];
}

/** What decides which rows there are. */
export interface RowsOf<C extends Pick<Cell, 'server' | 'metrics'> = Pick<Cell, 'server' | 'metrics'>> {
	readonly cells: readonly C[];
	/** Of cells that have none of their own. */
	readonly metrics: readonly MetricName[];
}

/**
 * Returns every row of a plan, in its order: cells, and of each its metrics. The one row of a server's process stands with the first of
 * its cells that has the metric.
 */
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

/** Returns how many rows the cells of a plan have. */
export function countRows(plan: RowsOf): number {
	return rowsOf(plan).length;
}

/** One server's fresh base process and fresh head process, and the cells they serve in this round. */
export interface PairPlan {
	readonly server: string;
	/** Side whose process is started first. */
	readonly startFirst: Side;
	/** Which of two equal slots (port, environment) each side takes. */
	readonly slot: Sides<0 | 1>;
	readonly turns: readonly Turn[];
}

export interface RoundPlan {
	/** 1-based. */
	readonly round: number;
	/** `confirm` rounds re-measure doubtful rows with alternating windows. */
	readonly purpose: 'main' | 'confirm';
	readonly design: Design;
	/** Present where the sides start one after the other, so that each start can be timed. */
	readonly startInTurn?: true;
	/** Present where each process is ended and started again after its last turn, so that this can be timed. */
	readonly restart?: true;
	/** Requests of each turn after which memory is read; absent for never. */
	readonly footprint?: number;
	readonly pairs: readonly PairPlan[];
}
