import type { MeasureRequest } from '../../config/measure/resolve-measure.ts';
import { estimatePairs, type PairGroup, planAlone, planPairs, timingOfMeasure } from '../../plan/measure/plan-pairs.ts';
import { countOf, formatDuration } from '../../text/numbers.ts';

/** Returns what a ranking would do and how long it would take, installing aside; nothing is started. */
export function describeDryRun(request: MeasureRequest): string {
	const { config, reference, rounds } = request;
	const names = config.servers.map(({ name }) => name);
	const isAlone = request.preset !== null;
	const timing = timingOfMeasure({ ...request, isAlone });
	const planned = isAlone ? planAlone(config, names, timing) : planPairs(config, names, reference, timing);
	const { groups, leftOut } = planned;
	const cells = groups.flatMap(({ plan }) => plan.cells);
	const least = estimatePairs(groups, rounds.fewest);
	const time =
		rounds.fewest === rounds.most
			? `${countOf(rounds.fewest, 'round')} take about ${formatDuration(least)}.`
			: `${countOf(rounds.fewest, 'round')}, the fewest, take about ${formatDuration(least)}. Rows that are not precise by then go on, up to the budget.`;
	const differences = request.notes.map(({ message }) => `Not as on the page: ${message}`);
	const missing = request.missing.map((name) => `${name} is not among the servers of this benchgate.`);
	return [
		`${countOf(names.length, 'server')}: ${names.join(', ')}`,
		`${countOf(config.scenarios.length, 'scenario')}: ${config.scenarios.map(({ name }) => name).join(', ')}`,
		`${countOf(cells.length, 'row')}, ${measuredWith(groups)}. ${time}`,
		`Budget: ${formatDuration(config.budgetSeconds)}.${least > config.budgetSeconds ? ' That is too little for the fewest rounds: some rows will have fewer, or none.' : ''}`,
		...leftOut.map(({ server, scenario, reason }) => `${server} leaves out ${scenario}: ${reason}`),
		...missing,
		...differences,
		`Repeat it: ${request.reproduce}`,
	].join('\n');
}

/** Who the rows are measured with. */
function measuredWith(groups: readonly PairGroup[]): string {
	const references = new Set(groups.flatMap(({ reference, isAlone }) => (isAlone ? [] : reference)));
	if (references.size === 0) return 'each alone';
	const alone = groups.some(({ isAlone }) => isAlone) ? ', and each alone in worker processes' : '';
	return `in turn with ${[...references].join(', ')}${alone}`;
}
