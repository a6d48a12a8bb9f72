/** The live status of a baseline. */
import type { Level } from '../../judge/baseline/level.ts';
import { countingMetric, type PrecisionDecision } from '../../judge/baseline/precision.ts';
import { changeOf } from '../../stats/estimate.ts';
import { formatChange, formatDuration, formatPercent } from '../../text/numbers.ts';
import type { Plan } from '../../types/plan.ts';
import type { Round } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';

/** Cells shown while measuring; more would scroll away. */
const SHOWN = 8;

/** Returns the live status of a baseline: how far the run is, how long it may still take, and what is known of the open cells. */
export function describePrecision(
	plan: Plan,
	cells: readonly string[],
	rounds: readonly Round[],
	{ levels, undecided, confirm }: PrecisionDecision,
	left: Seconds,
): string {
	const counting = cells.flatMap((id) => {
		const own = levels.filter(({ cell }) => cell === id);
		return own.find(({ metric }) => metric === countingMetric(plan)) ?? own[0] ?? [];
	});
	const open = counting.filter(({ cell }) => undecided.includes(cell));
	const time = `at most ${formatDuration(Math.max(0, left))} left`;
	if (open.length === 0) return confirm.length === 0 ? '' : `Confirming with alternating windows, ${time}`;
	const done = counting.length - open.length;
	const head = `Round ${rounds.length + 1}: ${done} of ${counting.length} rows precise enough, ${time}`;
	const more = open.length > SHOWN ? [`  and ${open.length - SHOWN} more`] : [];
	return [head, ...open.slice(0, SHOWN).map((level) => `  ${level.cell}  ${describeLevel(level)}`), ...more].join('\n');
}

function describeLevel({ theta, se, judgedBy, rounds }: Level): string {
	if (theta === null || se === null) return 'measuring';
	return `${formatChange(changeOf(judgedBy, theta))} ± ${formatPercent(se)} after ${rounds} rounds`;
}
