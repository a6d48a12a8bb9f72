import type { Plan } from '../types/plan.ts';
import type { Round } from '../types/round.ts';
import type { Seconds } from '../types/units.ts';
import type { Decision, RowDecision } from '../types/verdict.ts';

/** Rows shown while measuring; more would scroll away. */
const SHOWN = 8;

/**
 * Returns the live status between rounds: how far the run is, how long it may still take, and what is known about the
 * rows that are still open, widest interval first.
 */
export function describeDecision(plan: Plan, rounds: readonly Round[], decision: Decision, elapsed: Seconds): string {
	const open = decision.rows.filter((row) => !row.final);
	const next = rounds.length + 1;
	const left = Math.max(0, plan.budgetSeconds - elapsed);
	const decided = decision.rows.length - open.length;
	const head = `Round ${next}: ${decided} of ${decision.rows.length} rows decided, at most ${formatSeconds(left)} left`;
	const lines = open.slice(0, SHOWN).map((row) => `  ${row.cell}  ${describeRow(row)}`);
	const more = open.length > SHOWN ? [`  and ${open.length - SHOWN} more`] : [];
	return [head, ...lines, ...more].join('\n');
}

function describeRow(row: RowDecision): string {
	const { estimate } = row;
	if (estimate === null || estimate.rounds < 2) return 'measuring';
	const spread = estimate.sd === 0 ? '' : `, rounds spread ${(100 * estimate.sd).toFixed(1)} %`;
	const doubt = row.needsConfirmation ? ', confirming with alternating windows' : '';
	return `${percent(estimate.change)} after ${estimate.rounds} rounds${spread}${doubt}`;
}

function percent(change: number): string {
	return `${change < 0 ? '−' : '+'}${Math.abs(100 * change).toFixed(1)} %`;
}

function formatSeconds(seconds: Seconds): string {
	const whole = Math.round(seconds);
	return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
