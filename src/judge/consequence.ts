import type { Conclusion, Consequence, Failure, GateMode } from '../types/action-run.ts';
import type { InconclusivePolicy } from '../types/config.ts';
import type { Result } from '../types/result.ts';
import type { GateOutcome } from '../types/verdict.ts';

export interface GateRules {
	readonly gate: GateMode;
	readonly onInconclusive: InconclusivePolicy;
	/** The base branch has no config yet: the gate is advisory, and a pass by head's own config is neutral. */
	readonly adopting?: boolean;
	/** The run answers a `/benchgate` comment. */
	readonly answersCommand?: boolean;
	/** Facts that cannot be verified in a result measured elsewhere. Any of them turns green into neutral. */
	readonly doubts?: readonly string[];
}

type Effect = Pick<Consequence, 'checkConclusion' | 'failStep'>;

const GREEN: Effect = { checkConclusion: 'success', failStep: false };
const NEUTRAL: Effect = { checkConclusion: 'neutral', failStep: false };
const RED: Effect = { checkConclusion: 'failure', failStep: true };
const CANCELLED: Effect = { checkConclusion: 'cancelled', failStep: false };

/**
 * Returns the effect of a conclusion on check and step. A broken base is always neutral. A run cut off is cancelled
 * unless head is already proven worse. All cases: docs/report.md, "Whose fault it is".
 */
export function consequenceOf(conclusion: Conclusion, rules: GateRules): Consequence {
	const outcome = outcomeOf(conclusion);
	const effect = effectOf(conclusion, rules);
	const unsure = rules.adopting || (rules.doubts ?? []).length > 0;
	return { outcome, ...(unsure && effect === GREEN ? NEUTRAL : effect) };
}

function outcomeOf(conclusion: Conclusion): GateOutcome {
	switch (conclusion.kind) {
		case 'compared':
			return conclusion.result.gate.outcome;
		case 'unchanged':
			return 'pass';
		case 'cancelled':
			return 'error';
		case 'failed':
			return failureKind(conclusion.failure) === 'base' ? 'inconclusive' : 'error';
	}
}

function effectOf(conclusion: Conclusion, rules: GateRules): Effect {
	const enforced = rules.gate === 'enforce' ? RED : NEUTRAL;
	switch (conclusion.kind) {
		case 'compared':
			return effectOfResult(conclusion.result, rules.onInconclusive, enforced);
		case 'unchanged':
			return GREEN;
		case 'cancelled':
			return CANCELLED;
		case 'failed':
			if (conclusion.failure.usage) return rules.answersCommand ? NEUTRAL : RED;
			return failureKind(conclusion.failure) === 'base' ? NEUTRAL : enforced;
	}
}

function effectOfResult({ gate, ended }: Pick<Result, 'gate' | 'ended'>, policy: InconclusivePolicy, enforced: Effect) {
	if (gate.outcome === 'fail') return enforced;
	if (ended === 'interrupted') return CANCELLED;
	if (gate.outcome === 'pass') return GREEN;
	if (gate.neutral === 'always') return NEUTRAL;
	if (gate.outcome === 'error' || policy === 'fail') return enforced;
	return policy === 'pass' && gate.neutral === undefined ? GREEN : NEUTRAL;
}

/** `machine`: runner, disk or network; `other`: unknown. */
export type FailureKind = 'usage' | 'internal' | 'machine' | 'base' | 'head' | 'other';

/** Errors that occur while a side is prepared but are not its fault. */
const MACHINE_CODES: readonly string[] = [
	'network',
	'disk-full',
	'cache-unusable',
	'no-git',
	'no-node',
	'no-tar',
	'npm-failed',
	'git-owner',
	'git-hangs',
	'incomplete-installation',
];

/** Returns the culprit of a failure. Faults of the machine are not blamed on a side. */
export function failureKind({ usage, code, side }: Pick<Failure, 'usage' | 'code' | 'side'>): FailureKind {
	if (usage) return 'usage';
	if (code === 'internal') return 'internal';
	if (MACHINE_CODES.includes(code)) return 'machine';
	return side ?? 'other';
}
