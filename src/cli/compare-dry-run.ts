import type { Request } from '../config/resolve-request.ts';
import { leftOutWarnings, planCells } from '../plan/plan-cells.ts';
import { planRun } from '../plan/plan-run.ts';
import { USUAL_SETUP } from '../plan/shards/shard-costs.ts';
import { estimateSeconds } from '../plan/timing.ts';
import { countOf, formatDuration } from '../text/numbers.ts';

/** Returns lines on cells and time, if both sides have all servers. */
export function describeComparison({ config, reproduce }: Request): string {
	const names = config.servers.map(({ name }) => name);
	const { cells, leftOut } = planCells(config, { servers: { base: names, head: names } });
	const { looks, design, timing, budgetSeconds } = planRun(config, cells, []);
	const secondsOf = (rounds: number) => estimateSeconds(cells, rounds, design, timing);
	const [first, last] = [looks[0]?.rounds ?? 0, looks.at(-1)?.rounds ?? 0];
	const most = Math.min(secondsOf(last), budgetSeconds);
	const least = Math.min(secondsOf(first), most);
	const minutes = (seconds: number) => formatDuration(60 * Math.ceil(seconds / 60));
	const cut =
		secondsOf(first) > budgetSeconds
			? [
					`The budget is too little for ${countOf(first, 'round')}: --budget ${Math.ceil(secondsOf(first) / 60)}m is enough.`,
				]
			: [];
	return [
		`${countOf(names.length, 'server')}: ${names.join(', ')}`,
		`${countOf(config.scenarios.length, 'scenario')}: ${config.scenarios.map(({ name }) => name).join(', ')}`,
		`${countOf(cells.length, 'cell')}, each on base and head.`,
		...leftOutWarnings(leftOut).map(({ message }) => message),
		'',
		`Install and build    about ${formatDuration(USUAL_SETUP)}: an estimate for a first run; later ones find most of it in the cache`,
		`Measuring            ${formatDuration(least)} (${countOf(first, 'round')}, the fewest that decide) to ${formatDuration(most)} (${secondsOf(last) > budgetSeconds ? 'the budget' : countOf(last, 'round')}): estimates`,
		`In all               ${minutes(USUAL_SETUP + least)} to ${minutes(USUAL_SETUP + most)}`,
		...cut,
		'',
		`Run it: ${reproduce}`,
	].join('\n');
}
