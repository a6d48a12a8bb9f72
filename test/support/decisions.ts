import assert from 'node:assert/strict';
import { decide } from '../../src/judge/decide.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { EndReason, Round } from '../../src/types/round.ts';
import type { Decision, RowDecision } from '../../src/types/verdict.ts';
import { scriptPlan, scriptRounds, type Turn } from './rounds.ts';

export function codesOf(row: Pick<RowDecision, 'warnings'>): string[] {
	return row.warnings.map((warning) => warning.code);
}

/** Decides scenario `ping` after main rounds with these turns (a number is a d), and further rounds. */
export function decideTurns(
	turns: readonly (number | Turn)[],
	options: { ended?: EndReason | null; plan?: Partial<Plan>; confirm?: readonly Round[] } = {},
): { decision: Decision; row: RowDecision } {
	const rounds = [...scriptRounds(turns), ...(options.confirm ?? [])];
	const decision = decide(scriptPlan(['ping'], options.plan), rounds, options.ended ?? null);
	const [row] = decision.rows;
	assert.ok(row);
	return { decision, row };
}
