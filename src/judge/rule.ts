import type { Location } from '../stats/location.ts';
import type { MetricName } from '../types/metric.ts';
import type { Verdict } from '../types/verdict.ts';
import type { Judging } from './judging-metric.ts';
import { ALPHA, type Limits, type SequentialP } from './sequential.ts';

/** What one metric says at a row's latest look. */
export interface Reading {
	readonly location: Location;
	readonly test: SequentialP;
}

/** Everything that rules on a row at a look. */
export interface Situation {
	readonly metric: MetricName;
	readonly judging: Judging;
	/** The judging metric. */
	readonly judge: Reading;
	/** Null where it could not be had in every round. */
	readonly throughput: Reading | null;
	readonly cpu: Reading | null;
	readonly limits: Limits;
	/** Whether the family's correction counts the row among the significant drops, or rises. */
	readonly significantDrop: boolean;
	readonly significantRise: boolean;
	/** What both sides' CPU time says of waiting; null where it is unknown. */
	readonly waiting: Waiting | null;
	/** Whether doubtful rows can be confirmed with alternating windows. */
	readonly canConfirm: boolean;
	/** Whether this was the row's last look. */
	readonly last: boolean;
}

/**
 * What the gap says, the log ratio of head's CPU time to base's: 0 in a duet whose sides never wait, negative where head leaves CPU
 * to base.
 */
export interface Waiting {
	/** Whether the gap is clearly negative, or was at an earlier look. */
	readonly clear: boolean;
	/** Estimate of d of throughput with the gap counted once more, in log units. */
	readonly centre: number;
	/** The look's p-value of a drop of the threshold so counted: small when it is excluded. */
	readonly unchanged: number;
}

/** Remarks on a verdict, worded elsewhere. */
export type Remark = 'small-drop' | 'possible-improvement';

export type Ruling =
	| { readonly kind: 'decided'; readonly verdict: Verdict; readonly remarks: readonly Remark[] }
	| { readonly kind: 'confirm' }
	/** `waits`: because head may wait; that stays with the row. */
	| { readonly kind: 'open'; readonly waits: boolean };

const OPEN: Ruling = { kind: 'open', waits: false };
const CONFIRM: Ruling = { kind: 'confirm' };

/**
 * Returns what a row's latest look means, in this order of precedence: `unchanged` when a drop of the threshold is excluded,
 * `regressed` when the drop is significant in the family and the estimate at or beyond the threshold, `improved` likewise
 * upwards, `inconclusive` when there is no further look. Where rounds are so lopsided that the mean excludes such a drop while
 * the estimate itself lies beyond the threshold, it is neither. In a duet doubtful reds, and greens in which head may wait, ask
 * for confirmation. Source: statistics.md 5.8, docs/statistics.md.
 */
export function ruleOn(situation: Situation): Ruling {
	const { judge, limits, last } = situation;
	const { centre } = judge.location;
	const [fallen, risen] = [centre <= limits.threshold, centre >= limits.riseThreshold];
	if (judge.test.unchanged <= ALPHA && !fallen) return ruleOnPassed(situation, risen);
	if (judge.test.unchanged > ALPHA && fallen && situation.significantDrop) return ruleOnDrop(situation);
	if (situation.significantRise && risen) return ruleOnGreen(situation, 'improved');
	// An earlier look passed the row, which went on only because head may wait.
	if (fallen && situation.significantDrop && situation.canConfirm && mayWait(situation)) return CONFIRM;
	return last ? decided('inconclusive') : OPEN;
}

/**
 * Returns the verdict of alternating throughput about a row that waits for confirmation, by its own sequential p-values without
 * a family; null while it is open.
 */
export function ruleOnConfirmation(
	throughput: Reading | null,
	limits: Limits,
	last: boolean,
): 'unchanged' | 'regressed' | 'inconclusive' | null {
	if (throughput) {
		const { location, test } = throughput;
		const fallen = location.centre <= limits.threshold;
		if (test.unchanged <= ALPHA && !fallen) return 'unchanged';
		if (test.unchanged > ALPHA && fallen && test.regressed <= ALPHA) return 'regressed';
	}
	return last ? 'inconclusive' : null;
}

function ruleOnPassed(situation: Situation, risen: boolean): Ruling {
	if (!risen) return ruleOnGreen(situation, 'unchanged');
	if (situation.significantRise) return ruleOnGreen(situation, 'improved');
	return situation.last ? ruleOnGreen(situation, 'unchanged', ['possible-improvement']) : OPEN;
}

function ruleOnGreen(situation: Situation, verdict: 'unchanged' | 'improved', remarks: readonly Remark[] = []): Ruling {
	if (situation.canConfirm && hidesDrop(situation)) return CONFIRM;
	if (situation.canConfirm && hidesWait(situation)) return ruleOnWait(situation);
	const small: Remark[] = verdict === 'unchanged' && situation.significantDrop ? ['small-drop'] : [];
	return decided(verdict, [...remarks, ...small]);
}

function ruleOnDrop(situation: Situation): Ruling {
	return situation.canConfirm && isDoubtfulRed(situation) ? CONFIRM : decided('regressed');
}

/**
 * A generator at its limit explains a disagreement; otherwise waiting or unequal shares may have made the red. Where CPU per
 * request alone proves it too, only the size of the drop is disputed.
 */
function isDoubtfulRed({ metric, judging, throughput, cpu, limits }: Situation): boolean {
	if (metric !== 'throughput' || judging.because === 'generator-bound' || !throughput || !cpu) return false;
	if (cpu.test.regressed <= ALPHA && cpu.location.centre <= limits.threshold) return false;
	return Math.abs(throughput.location.centre - cpu.location.centre) > Math.abs(limits.tolerance);
}

/** A side that waits gets less of the CPU: unequal shares may be the regression itself and not a flaw of the duet. */
function hidesDrop({ judging, throughput, limits }: Situation): boolean {
	if (judging.because !== 'unequal-cpu' || !throughput) return false;
	return throughput.test.regressed <= ALPHA && throughput.location.centre <= limits.threshold;
}

/** Whether head may wait, by what it leaves of its CPU time to base. At the generator's limit, or with CPU to spare, that means nothing. */
function mayWait({ metric, judging, waiting }: Situation): boolean {
	const isContested = judging.because === null || judging.because === 'unequal-cpu';
	return metric === 'throughput' && isContested && waiting?.clear === true;
}

/**
 * Whether a wait may hide a drop of the threshold: throughput shows a part of it, because head runs half of the time, so the drop
 * must be excluded with the gap counted once more. Source: docs/evaluation.md, question 2.
 */
function hidesWait(situation: Situation): boolean {
	return mayWait(situation) && situation.waiting !== null && situation.waiting.unchanged > ALPHA;
}

/** More rounds tell a wait from chance; alternating windows are worth their time when the drop is likely, or nothing else is left. */
function ruleOnWait({ waiting, limits, last }: Situation): Ruling {
	return last || (waiting && waiting.centre <= limits.threshold) ? CONFIRM : { kind: 'open', waits: true };
}

function decided(verdict: Verdict, remarks: readonly Remark[] = []): Ruling {
	return { kind: 'decided', verdict, remarks };
}
