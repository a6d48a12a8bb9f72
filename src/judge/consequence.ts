import type { Conclusion, Consequence, Failure, GateMode } from '../types/action-run.ts';
import type { InconclusivePolicy } from '../types/config.ts';
import type { Result } from '../types/result.ts';
import type { GateOutcome } from '../types/verdict.ts';

/** What a project wants a conclusion to mean for its checks. */
export interface GateRules {
	readonly gate: GateMode;
	readonly onInconclusive: InconclusivePolicy;
	/** Whether the base branch has no config that could hold: nothing is green by its own config. The gate is then advisory. */
	readonly adopting?: boolean;
	/** What could not be verified of a result that somebody else measured: with any of it, green becomes neutral. */
	readonly doubts?: readonly string[];
}

type Effect = Pick<Consequence, 'checkConclusion' | 'failStep'>;

const GREEN: Effect = { checkConclusion: 'success', failStep: false };
const NEUTRAL: Effect = { checkConclusion: 'neutral', failStep: false };
const RED: Effect = { checkConclusion: 'failure', failStep: true };
const CANCELLED: Effect = { checkConclusion: 'cancelled', failStep: false };

/**
 * Returns what a conclusion means for the check, the step and the outputs. Red in every gate mode is what
 * somebody must fix: inputs and config. Red when the gate is enforced is what the change did (a regression, a head that breaks or does
 * not build), and not knowing (nothing measured, or inconclusive with policy `fail`). A base that breaks or does not build is neutral,
 * whatever the policy. A run that was cut off is cancelled unless head is proven worse already; its step fails only
 * as the runner says. The table of all cases: docs/report.md, "Whose fault it is".
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
			if (conclusion.failure.usage) return RED;
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

/** Whose fault a failure is. `machine`: the runner, its disk or its network; `other`: nobody we can name. */
export type FailureKind = 'usage' | 'internal' | 'machine' | 'base' | 'head' | 'other';

/** Codes of errors that strike while a side is prepared but are not that side's fault. */
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

/** Returns whose fault a failure is; what the machine did counts before the side it struck. */
export function failureKind({ usage, code, side }: Pick<Failure, 'usage' | 'code' | 'side'>): FailureKind {
	if (usage) return 'usage';
	if (code === 'internal') return 'internal';
	if (MACHINE_CODES.includes(code)) return 'machine';
	return side ?? 'other';
}
