import { BUSY_CPU, generatorShare, othersShare } from '../stats/guards/guards.ts';
import type { CellRound } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { Judging } from './judging-metric.ts';
import { warn } from './warnings.ts';

/** A generator that is at its limit by itself uses 95 % of a CPU or more (docs/decisions/0049-no-verdict-on-what-is-hidden.md). */
const GENERATOR_ALONE = 0.9;

/**
 * Returns the warning that others used a CPU so much that CPU per request, which judges in place of throughput, must not pass the
 * row: `crowded-cpu`. Null for no others, or where throughput judges. CPU per request may stand in for throughput because the CPU
 * was at its limit by the servers' own work, or the generator by its own. When others used it up, it would be at its limit also if
 * a side waited, and waiting costs no CPU time. Source: docs/statistics.md 6.9.
 */
export function crowdOf({ because }: Pick<Judging, 'because'>, cellRounds: readonly CellRound[]): Warning | null {
	if (because !== 'unequal-cpu' && because !== 'generator-bound') return null;
	const others = othersShare(cellRounds);
	if (others !== null && others > BUSY_CPU) return warn('crowded-cpu', { owner: 'servers', share: others });
	const generator = because === 'generator-bound' ? generatorShare(cellRounds) : null;
	if (generator === null || generator >= GENERATOR_ALONE) return null;
	return warn('crowded-cpu', { owner: 'load generator', share: 1 - generator });
}
