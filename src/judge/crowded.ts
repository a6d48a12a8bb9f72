/** Refuses passes when other programs used the CPU. */
import { BUSY_CPU, BUSY_WINDOWS, busyShare, generatorShare, othersShare, summariseGuards } from '../stats/guards.ts';
import { isLatency, type MetricName } from '../types/metric.ts';
import type { CellRound } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import { isManyLate } from './fixed-rate-faults.ts';
import type { Judging } from './judging-metric.ts';
import { warn } from './warnings.ts';

/**
 * A generator that is at its limit uses at least 95 % of its CPU by itself
 * (docs/decisions/0049-no-verdict-on-what-is-hidden.md).
 */
const GENERATOR_ALONE = 0.9;

/**
 * Returns the warning `crowded-cpu` if CPU per request must not pass the row in place of throughput, because a side
 * may wait, which costs no CPU time. `shared`: the other programs include one that the servers share, such as a
 * database. Source: docs/statistics.md 6.9.
 */
export function crowdOf(
	{ because }: Pick<Judging, 'because'>,
	cellRounds: readonly CellRound[],
	shared = false,
): Warning | null {
	if (because !== 'unequal-cpu' && because !== 'generator-bound') return null;
	const others = othersShare(cellRounds);
	if (others !== null && others > BUSY_CPU) return warn('crowded-cpu', { owner: 'servers', share: others, shared });
	const generator = because === 'generator-bound' ? generatorShare(cellRounds) : null;
	if (generator === null || generator >= GENERATOR_ALONE) return null;
	return warn('crowded-cpu', { owner: 'load generator', share: 1 - generator, shared });
}

/**
 * Returns the warning `crowded-latency` if latency must not pass the row: other programs may have delayed requests of a
 * fixed rate on both sides, which hides a difference. Null if surely no other program ran: late requests then count as
 * latency. Source: docs/statistics.md 14.4.
 */
export function lateCrowdOf(metric: MetricName, cellRounds: readonly CellRound[]): Warning | null {
	if (!isLatency(metric)) return null;
	const { fixedRate } = summariseGuards(cellRounds, []);
	if (!fixedRate || !isManyLate(fixedRate) || isSurelyAlone(cellRounds)) return null;
	return warn('crowded-latency', { base: fixedRate.base.late, head: fixedRate.head.late });
}

function isSurelyAlone(cellRounds: readonly CellRound[]): boolean {
	const others = othersShare(cellRounds);
	// Only a pinned generator busy-waits. The running time of any other generator shows nothing.
	if (others !== null && cellRounds.every(({ pinned }) => pinned)) {
		return others <= BUSY_CPU && (generatorShare(cellRounds) ?? 0) >= GENERATOR_ALONE;
	}
	const busy = busyShare(cellRounds);
	return busy !== null && busy <= BUSY_WINDOWS;
}
