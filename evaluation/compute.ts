import type { Environment } from '../src/types/result.ts';
import { bias } from './answers/bias.ts';
import { disturbed } from './answers/disturbed.ts';
import { guardCounts } from './answers/guards.ts';
import { independence } from './answers/independence.ts';
import { placeCosts } from './answers/places.ts';
import { timingCosts } from './answers/timing.ts';
import { together } from './answers/together.ts';
import { validity } from './answers/validity.ts';
import { matrices } from './replay/matrix.ts';
import { ruleTable } from './replay/rule-table.ts';
import { sharedVariance } from './replay/shared-variance.ts';
import { RESULTS_VERSION, type Results } from './results.ts';
import type { Series } from './series.ts';
import type { Skipped } from './series-files.ts';

/**
 * Returns all results of the evaluation. Pure: the same series give the same results. `skipped` is only passed on to
 * the pages.
 */
export function computeResults(series: readonly Series[], skipped: readonly Skipped[]): Results {
	const rounds = series.flatMap((one) => one.rounds);
	const environments = series.map(({ environment }) => environment);
	return {
		version: RESULTS_VERSION,
		data: {
			series: series.length,
			rounds: rounds.length,
			hours: rounds.reduce((sum, { seconds }) => sum + seconds, 0) / 3600,
			machine: listOf(environments.map(describeMachine)),
			node: listOf(environments.map(({ node }) => node)),
			skipped,
			disturbed: disturbed(series),
		},
		rules: ruleTable(series),
		matrices: matrices(series),
		timing: timingCosts(series),
		places: placeCosts(series),
		validity: validity(series),
		bias: bias(series),
		independence: independence(series),
		guards: guardCounts(series),
		sharedVariance: sharedVariance(series),
		together: together(series),
	};
}

function describeMachine({ cpuModel, cpus, memoryBytes, os, kernel, pinning }: Environment): string {
	const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
	return `${cpus} × ${cpuModel}, ${memory}, ${os.split(' ')[0]} ${kernel}, ${pinning}`;
}

/** Each different text once, in order. */
function listOf(texts: readonly string[]): string {
	return [...new Set(texts)].join('; ');
}
