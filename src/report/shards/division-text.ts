import type { DividedRanking } from '../../plan/measure/divide-ranking.ts';
import { alignColumns } from '../../text/align-columns.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration } from '../../text/numbers.ts';
import type { Seconds } from '../../types/units.ts';
import { writePrices } from './plan-terminal.ts';

/** Returns a divided ranking for a terminal: who ranks which servers, what more or fewer machines would cost, and what to do next. */
export function renderDivision({ shards, prices }: DividedRanking, budget: Seconds): string {
	const lines = shards.map(({ index, cells, expectedSeconds }) => [
		`shard ${index}`,
		formatDuration(Math.min(expectedSeconds, budget)),
		cells.map((name) => plainText(name, NAME_LIMIT)).join(', '),
	]);
	const which = shards.length === 1 ? '1' : `N, for N from 1 to ${shards.length}`;
	return [
		`${countOf(shards.length, 'shard')}, at most ${formatDuration(budget)} of measuring each:`,
		...alignColumns(lines),
		'Expected, installing included:',
		...writePrices(prices, shards.length),
		`Next, on one machine each: the same command with --shard ${which}, and --out FOLDER.`,
		'Then, with these folders in one: benchgate gather FOLDER',
	].join('\n');
}
