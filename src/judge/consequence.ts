import type { Conclusion, Consequence, Failure, GateMode } from '../types/action-run.ts';
import type { InconclusivePolicy } from '../types/config.ts';
import type { GateOutcome } from '../types/verdict.ts';

/** What a project wants a conclusion to mean for its checks. */
export interface GateRules {
	readonly gate: GateMode;
	readonly onInconclusive: InconclusivePolicy;
}

type Effect = Pick<Consequence, 'checkConclusion' | 'failStep'>;

const GREEN: Effect = { checkConclusion: 'success', failStep: false };
const NEUTRAL: Effect = { checkConclusion: 'neutral', failStep: false };
const RED: Effect = { checkConclusion: 'failure', failStep: true };
const CANCELLED: Effect = { checkConclusion: 'cancelled', failStep: false };

/**
 * Returns what a conclusion means for the check, the step and the outputs. Red only for what the change did (a regression, a
 * head that does not build), for what somebody must fix (inputs, config) in every gate mode, and, when the gate is enforced,
 * for not knowing: nothing measured, or inconclusive with policy `fail`. A base that does not build is not the change's fault
 * and counts as inconclusive. A cancelled step fails only as the runner says.
 */
export function consequenceOf(conclusion: Conclusion, rules: GateRules): Consequence {
	const outcome = outcomeOf(conclusion);
	return { outcome, ...effectOf(conclusion, outcome, rules) };
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

function effectOf(conclusion: Conclusion, outcome: GateOutcome, { gate, onInconclusive }: GateRules): Effect {
	if (conclusion.kind === 'cancelled') return CANCELLED;
	if (conclusion.kind === 'failed' && conclusion.failure.usage) return RED;
	if (outcome === 'pass') return GREEN;
	if (outcome === 'inconclusive' && onInconclusive === 'pass') return GREEN;
	if (outcome === 'inconclusive' && onInconclusive === 'neutral') return NEUTRAL;
	return gate === 'enforce' ? RED : NEUTRAL;
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
	'incomplete-installation',
];

/** Returns whose fault a failure is; what the machine did counts before the side it struck. */
export function failureKind({ usage, code, side }: Failure): FailureKind {
	if (usage) return 'usage';
	if (code === 'internal') return 'internal';
	if (MACHINE_CODES.includes(code)) return 'machine';
	return side ?? 'other';
}
