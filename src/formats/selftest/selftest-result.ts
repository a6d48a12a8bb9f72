import type { MetricName } from '../../types/metric.ts';
import type { Environment, Result } from '../../types/result.ts';
import type { EndReason } from '../../types/round.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import type { Interval, Verdict } from '../../types/verdict.ts';

export const SELFTEST_SCHEMA_VERSION = 1;

/** Why no further trial was begun: no time left, stopped, or nothing can be measured here. */
export const SELFTEST_ENDS = ['budget', 'interrupted', 'hopeless'] as const;

/** `sound`: nothing speaks against the gate here. `unsound`: too many false alarms or wrong intervals, surely. */
export const TRUSTS = ['sound', 'unsound', 'unmeasured'] as const;

/** One comparison of a server with itself, decided as `compare` decides. */
export interface SelftestTrial {
	/** 1-based. */
	readonly trial: number;
	/** Drop in throughput injected into head; 0 for a server against itself. */
	readonly drop: Fraction;
	/** CPU time that was injected for it, as a fraction of what a request costs by itself. */
	readonly amount: Fraction;
	readonly server: string;
	readonly scenario: string;
	readonly seed: number;
	readonly verdict: Verdict;
	readonly judgedBy: MetricName;
	/** Of the metric that judged. */
	readonly change: Fraction | null;
	readonly interval: Interval | null;
	/** Whether the interval holds the injected change; null without an interval. */
	readonly covered: boolean | null;
	/** Signed log ratio of throughput of each main round; negative is worse. */
	readonly d: readonly number[];
	/** The same of CPU time per request; empty where the platform cannot tell. */
	readonly dCpu: readonly number[];
	/** Main and confirm rounds. */
	readonly rounds: number;
	readonly seconds: Seconds;
	readonly ended: EndReason;
	readonly warnings: readonly Warning[];
}

/** How many of how many, with the exact 95 % interval of the probability behind it. */
export interface Share {
	readonly count: number;
	readonly of: number;
	readonly low: Fraction;
	readonly high: Fraction;
}

/** A mean over rounds as a change, with its 95 % t interval; null ends with one round. */
export interface Figure {
	readonly value: Fraction;
	readonly low: Fraction | null;
	readonly high: Fraction | null;
	readonly rounds: number;
}

/** What became of the completed trials with one injected drop. */
export interface DropResult {
	readonly drop: Fraction;
	/** Trials found regressed: the power. */
	readonly regressed: Share;
	readonly unchanged: number;
	readonly inconclusive: number;
	readonly improved: number;
	/** Change in throughput that both sides' CPU time per request amounts to, over all rounds; null where nobody can tell. */
	readonly achieved: Figure | null;
	readonly secondsPerTrial: Seconds | null;
}

export interface ServerSpread {
	readonly server: string;
	readonly rounds: number;
	/** Standard deviation of d over rounds, within trials. */
	readonly roundSd: number;
	/** The same from the median distance from the median: rounds far out hardly count. */
	readonly robustSd: number;
	readonly secondsPerRound: Seconds;
}

/** The smallest threshold with which a matrix can be decided in a budget. */
export interface Support {
	readonly cells: number;
	readonly budget: Seconds;
	/** Null when none up to 25 % can. */
	readonly threshold: Fraction | null;
	/** Server that needs the most. */
	readonly server: string;
}

/** What one server's rounds cost alone, and while all lanes measured. */
export interface LaneServer {
	readonly server: string;
	/** Standard deviation of d over rounds. */
	readonly aloneSd: number;
	readonly togetherSd: number;
	/** Mean length of a round. */
	readonly aloneSeconds: Seconds;
	readonly togetherSeconds: Seconds;
	/** Cost of certainty (SD² × seconds / lanes) alone, divided by that of all lanes. */
	readonly gain: number;
}

/** Whether measuring in several lanes is worth it. */
export interface LaneCheck {
	readonly lanes: number;
	/** CPUs of each lane. */
	readonly pinning: string;
	/** Mean change of a server against itself while all lanes measured. */
	readonly bias: Figure | null;
	/** The drop that was planted. */
	readonly drop: Fraction;
	/** What it looked like alone, and while all lanes measured. */
	readonly alone: Figure | null;
	readonly together: Figure | null;
	/** How many times less certainty costs: the geometric mean over servers; null without any. */
	readonly gain: number | null;
	readonly servers: readonly LaneServer[];
	/** Null where too few rounds were measured. */
	readonly worth: boolean | null;
	/** A sentence for each thing that speaks against it. */
	readonly reasons: readonly string[];
}

/** Whether the machine offers something, and what, or why not. */
export interface Feature {
	readonly available: boolean;
	readonly note: string;
}

/** What `benchgate selftest --json` writes and its reports are rendered from. */
export interface SelftestResult {
	readonly schemaVersion: typeof SELFTEST_SCHEMA_VERSION;
	readonly kind: 'benchgate-selftest';
	readonly tool: Result['tool'];
	/** ISO 8601. */
	readonly createdAt: string;
	readonly seed: number;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	/** Seconds. */
	readonly budget: Seconds;
	readonly ended: (typeof SELFTEST_ENDS)[number];
	readonly environment: Environment;
	readonly pinning: Feature;
	readonly cpuTime: Feature;
	readonly instructionCounters: Feature;
	readonly trust: (typeof TRUSTS)[number];
	/** A sentence for each thing that speaks against the gate, or why nothing was measured. */
	readonly reasons: readonly string[];
	/** Servers against themselves called regressed. */
	readonly falseAlarms: Share;
	/** Servers against themselves called improved. */
	readonly falseImprovements: number;
	readonly drops: readonly DropResult[];
	/** Intervals that hold the truth: of all completed trials, of servers against themselves, of injected ones. */
	readonly coverage: { readonly all: Share; readonly same: Share; readonly injected: Share };
	/** Mean change of a server against itself; null without rounds. */
	readonly positionBias: Figure | null;
	readonly servers: readonly ServerSpread[];
	/** Wall time of all completed trials per decided one; null without any. */
	readonly secondsPerDecision: Seconds | null;
	readonly supports: readonly Support[];
	/** Absent unless asked for. */
	readonly lanes?: LaneCheck;
	readonly trials: readonly SelftestTrial[];
	readonly warnings: readonly Warning[];
	/** Seconds from the first process start to the last stop. */
	readonly measuringSeconds: Seconds;
	/** Exact command that repeats it. */
	readonly reproduce: string;
}
