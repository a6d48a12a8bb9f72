import type { MeasureRequest } from '../../config/measure/resolve-measure.ts';
import { estimatePairs, type PairGroup, planAlone, planPairs, timingOfMeasure } from '../../plan/measure/plan-pairs.ts';
import { largestSpread } from '../../rank/log-share.ts';
import { countOf, formatDuration, formatPercent } from '../../text/numbers.ts';

/** Returns what a ranking would do and how long it would take, installing aside; nothing is started. */
export function describeDryRun(request: MeasureRequest): string {
	const { config, reference } = request;
	const names = config.servers.map(({ name }) => name);
	const isAlone = request.preset !== null;
	const timing = timingOfMeasure({ ...request, isAlone });
	const planned = isAlone ? planAlone(config, names, timing) : planPairs(config, names, reference, timing);
	const { groups, leftOut } = planned;
	const cells = groups.flatMap(({ plan }) => plan.cells);
	const differences = request.notes.map(({ message }) => `Not as on the page: ${message}`);
	const missing = request.missing.map((name) => `${name} is not among the servers of this benchgate.`);
	return [
		`${countOf(names.length, 'server')}: ${names.join(', ')}`,
		`${countOf(config.scenarios.length, 'scenario')}: ${config.scenarios.map(({ name }) => name).join(', ')}`,
		`${countOf(cells.length, 'row')}, ${measuredWith(groups)}.`,
		...describeTime(request, groups),
		...leftOut.map(({ server, scenario, reason }) => `${server} leaves out ${scenario}: ${reason}`),
		...missing,
		...differences,
		`Repeat it: ${request.reproduce}`,
	].join('\n');
}

/** How long the fewest rounds take, how many rounds the budget has room for, and what machine they are enough on. */
function describeTime({ config, rounds, precision }: MeasureRequest, groups: readonly PairGroup[]): string[] {
	const { budgetSeconds } = config;
	const budget = formatDuration(budgetSeconds);
	const least = estimatePairs(groups, rounds.fewest);
	const take = `${countOf(rounds.fewest, 'round')} ${rounds.fewest === 1 ? 'takes' : 'take'} about ${formatDuration(least)}`;
	if (least > budgetSeconds) {
		const enough = `${Math.ceil(least / 60)}m`;
		return [
			`${take}.`,
			`The budget of ${budget} is too little for that: some rows will have fewer rounds, or none. --budget ${enough} is enough, and --shards divides the servers among machines.`,
		];
	}
	if (rounds.fewest === rounds.most) return [`${take}.`, `Budget: ${budget}.`];
	const paired = groups.filter(({ isAlone }) => !isAlone).reduce((sum, { plan }) => sum + plan.cells.length, 0);
	const enough = (count: number): string => {
		const spread = largestSpread(precision, count, paired);
		return spread === null
			? ''
			: `, enough for ±${formatPercent(precision, 1)} where a round spreads by up to ${formatPercent(spread, 1)}`;
	};
	const room = roomFor(groups, budgetSeconds, rounds);
	return [
		`${take}${enough(rounds.fewest)}. That is the fewest. Rows that are not precise enough by then are measured further.`,
		`The budget of ${budget} has room for ${countOf(room, 'round')} of every row${room > rounds.fewest ? enough(room) : ''}.`,
	];
}

/** Returns how many rounds of all rows fit into a budget that has room for the fewest. */
function roomFor(groups: readonly PairGroup[], budget: number, { fewest, most }: MeasureRequest['rounds']): number {
	let room = fewest;
	while (room < most && estimatePairs(groups, room + 1) <= budget) room++;
	return room;
}

/** Who the rows are measured with. */
function measuredWith(groups: readonly PairGroup[]): string {
	const references = new Set(groups.flatMap(({ reference, isAlone }) => (isAlone ? [] : reference)));
	if (references.size === 0) return 'each alone';
	const alone = groups.some(({ isAlone }) => isAlone) ? ', and each alone in worker processes' : '';
	return `in turn with ${[...references].join(', ')}${alone}`;
}
