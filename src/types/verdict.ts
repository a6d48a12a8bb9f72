import { METRIC, type MetricName } from './metric.ts';
import {
	define,
	described,
	enumOf,
	type Infer,
	listOf,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	orNull,
	ref,
	TEXT,
} from './schema.ts';
import { type Fraction, sidesOf, type Warning } from './units.ts';

/** `same-code` and `unaffected` rows were not measured; `unchanged` rows were. */
export const VERDICTS = [
	'regressed',
	'improved',
	'unchanged',
	'inconclusive',
	'invalid',
	'new',
	'removed',
	'same-code',
	'unaffected',
] as const;
export type Verdict = (typeof VERDICTS)[number];
export const VERDICT = enumOf(VERDICTS);

export const RED_KINDS = ['regressed', 'broken', 'removed', 'answer-changed', 'adds-to-drift'] as const;
export type RedKind = (typeof RED_KINDS)[number];

export type AcceptedRows = Infer<typeof ACCEPTED_ROWS>;
const ACCEPTED_ROWS = objectOf({
	/** `server/scenario`; null means every cell. */
	cell: orNull(TEXT),
	/** Null means every kind. */
	kind: orNull(enumOf(RED_KINDS)),
	/** A change that is not clearly worse is accepted too; null means any size. */
	upTo: described(NUMBER_OR_NULL, 'largest regression that passes: 0.06 is 6 %'),
});

/** On GitHub, accepting requires write access. */
export type Acceptance = Infer<typeof ACCEPTANCE>;
export const ACCEPTANCE = define(
	'acceptance',
	described(
		objectOf({
			by: TEXT,
			/** `body`: the description. `comment`: a comment, possibly together with the description. */
			via: enumOf(['label', 'body', 'comment', 'flag']),
			/** Null if only a label accepts. */
			reason: orNull(TEXT),
			headSha: optional(TEXT),
			/** When absent, all red rows are accepted. */
			rows: optional(listOf(ACCEPTED_ROWS)),
		}),
		'who let red rows pass, which (all without rows), and why',
	),
);

export const CAUSES = [
	...RED_KINDS,
	'base-broken',
	'both-broken',
	'unmeasured',
	'undecided',
	'newer-than-base',
	'not-exercised',
	'nothing-measured',
	'passed',
] as const;

export type GateCause = Infer<typeof GATE_CAUSE>;
const GATE_CAUSE = objectOf({
	kind: enumOf(CAUSES),
	/** Empty if about all rows. */
	rows: listOf(objectOf({ cell: described(TEXT, 'server/scenario'), metric: METRIC })),
	sentence: TEXT,
});

export type GateOutcome = Gate['outcome'];
export type Gate = Infer<typeof GATE>;
export const GATE = objectOf({
	outcome: enumOf(['pass', 'fail', 'inconclusive', 'error']),
	reasons: described(listOf(TEXT), 'the sentences of causes'),
	causes: optional(described(listOf(GATE_CAUSE), 'in the order of reasons; absent in files of older releases')),
	/**
	 * Also set for a lost machine. `always`: regardless of `on-inconclusive`. `at-best`: some rows are undecided, so
	 * `on-inconclusive: fail` makes the check red.
	 */
	neutral: optional(
		described(
			enumOf(['always', 'at-best']),
			'something broke that head cannot be blamed for, so the check is never green',
		),
	),
	/**
	 * Reasons include accepted rows. The outcome is `fail` if other rows are red, otherwise that of the remaining rows
	 * (`pass` or `inconclusive`).
	 */
	accepted: optional(ref(ACCEPTANCE)),
});

/** As fractions; a null end is unbounded, because there are fewer than two rounds. */
export type Interval = Infer<typeof INTERVAL>;
export const INTERVAL = define(
	'interval',
	objectOf({
		low: NUMBER_OR_NULL,
		high: NUMBER_OR_NULL,
		/** Holds jointly over all looks. */
		confidence: NUMBER,
	}),
);

/** A cell's metric at one look. Log differences; negative is worse. */
export interface Estimate {
	readonly metric: MetricName;
	readonly rounds: number;
	/** Mean of d, the log ratio head against base. */
	readonly mean: number;
	/** Hodges–Lehmann estimate from 9 rounds on, else the mean. */
	readonly centre: number;
	readonly sd: number;
	/** Of `mean`, corrected for correlated rounds. */
	readonly se: number;
	/** (head − base) / base at `centre`, with the sign of the metric (latency +0.1 is slower). */
	readonly change: Fraction;
	readonly interval: Interval;
	/** Lag-1 autocorrelation; null below 4 rounds. */
	readonly lag1: number | null;
	/** Indexed by round. */
	readonly d: readonly number[];
}

export type HeldRate = Infer<typeof HELD_RATE>;
export const HELD_RATE = define(
	'heldRate',
	objectOf({
		due: described(NUMBER, 'requests a second that fell due'),
		/** About 1 if the side held the full rate. */
		held: described(NUMBER, 'share of them that was answered in time, the median over rounds'),
		/** Over all rounds. */
		late: described(NUMBER, 'share of them that was sent late'),
	}),
);

/** Over all rounds of the cell (docs/statistics.md, section 6). */
export type Guards = Infer<typeof GUARDS>;
export const GUARDS = define(
	'guards',
	objectOf({
		/** A fraction, as are the next two and `nonExpected`. */
		generatorUtilisation: NUMBER_OR_NULL,
		/** Used / (used + idle) time of the sides' CPU, without time of other programs. */
		serverUtilisation: NUMBER_OR_NULL,
		/** Head's share of both sides' CPU time. */
		cpuShare: NUMBER_OR_NULL,
		/** Share of unexpected answers on the worse side. */
		nonExpected: NUMBER,
		errors: NUMBER,
		lag1: NUMBER_OR_NULL,
		fixedRate: optional(described(sidesOf(ref(HELD_RATE)), 'of a scenario that is loaded at a fixed rate')),
	}),
);

export interface RowDecision {
	readonly cell: string;
	readonly metric: MetricName;
	/** `cpu-per-request` if a guard distrusts throughput. */
	readonly judgedBy: MetricName;
	readonly verdict: Verdict;
	readonly final: boolean;
	readonly needsConfirmation: boolean;
	readonly estimate: Estimate | null;
	readonly estimates: Readonly<Partial<Record<MetricName, Estimate>>>;
	/** Sequential p-value of "the drop is at most the tolerance". */
	readonly pRegressed: number | null;
	/** Sequential p-value of "the drop is at least the threshold". */
	readonly pUnchanged: number | null;
	/** Sequential p-value of "the rise is at most the tolerance". */
	readonly pImproved: number | null;
	/** For the rounds and the spread so far. */
	readonly smallestDecidableThreshold: Fraction | null;
	readonly guards: Guards | null;
	/** Of an invalid row: the first fault of each broken side, or one fault without a culprit. */
	readonly warnings: readonly Warning[];
	readonly newerThanBase?: true;
}

export interface Decision {
	readonly rows: readonly RowDecision[];
	readonly gate: Gate;
	/** Cells that the next main round measures. */
	readonly undecided: readonly string[];
	/** Cells that the next confirm round measures. */
	readonly confirm: readonly string[];
	/** Rounds with a machine event, excluded for all cells. */
	readonly discardedRounds: readonly number[];
	readonly warnings: readonly Warning[];
}

export interface RedRow {
	readonly cell: string;
	readonly metric: MetricName;
	readonly kind: RedKind;
	/** In throughput, so negative is worse; null except for regressed rows. */
	readonly change: Fraction | null;
	/** Interval end nearer to zero. */
	readonly least: Fraction | null;
}
