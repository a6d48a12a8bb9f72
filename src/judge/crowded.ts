/** Whether other programs used a CPU so much that a row must not pass. */
import { BUSY_CPU, BUSY_WINDOWS, busyShare, generatorShare, othersShare, summariseGuards } from '../stats/guards.ts';
import { isLatency, type MetricName } from '../types/metric.ts';
import type { CellRound } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import { isManyLate } from './fixed-rate-faults.ts';
import type { Judging } from './judging-metric.ts';
import { warn } from './warnings.ts';

/** A generator that is at its limit by itself uses 95 % of a CPU or more (docs/decisions/0049-no-verdict-on-what-is-hidden.md). */
const GENERATOR_ALONE = 0.9;

/**
 * Returns the warning that others used a CPU so much that CPU per request, which judges in place of throughput, must not pass the
 * row: `crowded-cpu`. Null for no others, or where throughput judges. `shared`: the servers share something, such as a database, which
 * is among the others then. CPU per request may stand in for throughput because the CPU was at its limit by the servers' own work, or
 * the generator by its own. When others used it up, it would be at its limit also if a side waited, and waiting costs no CPU time.
 * Source: docs/statistics.md 6.9.
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
 * Returns the warning that requests of a fixed rate were sent late and others may be why, so that latency must not pass the row:
 * `crowded-latency`. Null for other metrics, without many late requests, and where nobody else used the CPU: then connections ran
 * out, which is the servers' own doing and counts as their latency. What others delay, they delay on both sides alike, and that hides how
 * much longer one of them takes. Source: docs/statistics.md 14.4.
 */
export function lateCrowdOf(metric: MetricName, cellRounds: readonly CellRound[]): Warning | null {
	if (!isLatency(metric)) return null;
	const { fixedRate } = summariseGuards(cellRounds, []);
	if (!fixedRate || !isManyLate(fixedRate) || isSurelyAlone(cellRounds)) return null;
	return warn('crowded-latency', { base: fixedRate.base.late, head: fixedRate.head.late });
}

/** Whether servers and generator are known to have had their CPUs for themselves. */
function isSurelyAlone(cellRounds: readonly CellRound[]): boolean {
	const others = othersShare(cellRounds);
	// Only a generator that is pinned stays awake; how long one ran that sleeps says nothing.
	if (others !== null && cellRounds.every(({ pinned }) => pinned)) {
		return others <= BUSY_CPU && (generatorShare(cellRounds) ?? 0) >= GENERATOR_ALONE;
	}
	const busy = busyShare(cellRounds);
	return busy !== null && busy <= BUSY_WINDOWS;
}
