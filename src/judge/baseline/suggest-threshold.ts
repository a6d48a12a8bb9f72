/** Suggests a threshold from a repository's own noise. */
import { poolSpreads } from '../../stats/pooled-spread.ts';
import { countOf, formatDuration, formatPercent } from '../../text/numbers.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import type { Config } from '../../types/config.ts';
import type { Fraction } from '../../types/units.ts';
import { MOST_ADVISED } from '../looks/spread.ts';
import { type Noise, supportOf } from '../selftest/supported-threshold.ts';
import { spreadsIn } from './level.ts';

/** Fewer runs may not include the machine's bad days. */
const FEWEST_RUNS = 20;
/** Thresholds this close count as the same: half of the step between thresholds. */
const SAME: Fraction = 0.0025;

/**
 * Returns a sentence on the threshold that the budget can decide, given the noise of earlier runs; null below twenty
 * runs of main on the latest run's kind of machine. `records` contain only rows of the config.
 */
export function suggestThreshold(records: readonly BaselineRecord[], config: Config): string | null {
	const levels = records.filter(({ purpose }) => purpose === 'level');
	const latest = levels.reduce<BaselineRecord | null>(
		(newest, record) => (newest === null || record.createdAt > newest.createdAt ? record : newest),
		null,
	);
	if (latest === null) return null;
	const { environmentId, cells } = latest;
	const runs = levels.filter((record) => record.environmentId === environmentId).length;
	if (runs < FEWEST_RUNS) return null;
	const spreads = spreadsIn(levels, environmentId);
	const rows = cells.filter(({ metric }) => metric === 'throughput');
	const noises = rows.flatMap((row): Noise[] => {
		const pooled = poolSpreads(spreads(row));
		const name = `${row.server}/${row.scenario}`;
		return pooled === null ? [] : [{ server: name, roundSd: pooled.sd, robustSd: pooled.sd, secondsPerRound: null }];
	});
	if (noises.length === 0) return null;
	const { threshold, server } = supportOf(noises, rows.length, config.budgetSeconds, config);
	const within = `${countOf(rows.length, 'row')} in ${formatDuration(config.budgetSeconds)}`;
	return `${runs} runs on this kind of machine ${advise(threshold, config.threshold)} (${within}; most noise: ${server})`;
}

function advise(supported: Fraction | null, threshold: Fraction): string {
	if (supported === null)
		return `are too noisy for any threshold up to ${formatPercent(MOST_ADVISED)}: use a larger budget or fewer rows`;
	const [supportedText, thresholdText] = [formatPercent(supported), formatPercent(threshold)];
	if (Math.abs(supported - threshold) <= SAME) return `support the threshold of the config, ${thresholdText}`;
	return supported < threshold
		? `support a threshold of ${supportedText}: that of the config, ${thresholdText}, can be made smaller`
		: `support a threshold of ${supportedText} or more: with that of the config, ${thresholdText}, rows stay undecided`;
}
