/** A plan of shards for a terminal. */

import type { DividedRanking } from '../plan/divide-ranking.ts';
import { pricesAround, type ShardPrice } from '../plan/shards/choose-count.ts';
import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatDuration } from '../text/numbers.ts';
import { nameAll } from '../text/phrase.ts';
import { shellWord } from '../text/shell-word.ts';
import { alignColumns, wrapText } from '../text/wrap.ts';
import type { PlannedShard, ShardPlan } from '../types/shards.ts';
import type { Seconds } from '../types/units.ts';

const MOST_NAMED = 4;

const HOW: Readonly<Record<ShardPlan['costs']['source'], string>> = {
	measured: 'from the times of an earlier run',
	baselines: 'from how much the rounds of each row differ in the baselines of the main branch',
	timing: 'from the lengths of warm-ups and windows',
};

/** Where the plan goes: to a file, to other jobs of the workflow, or only to the screen. */
export type PlanPlace = { readonly file: string } | 'workflow' | 'nowhere';

/** Returns lines for a terminal: shards with expected minutes, costs of one shard more or fewer, next step. */
export function renderPlanReport(plan: ShardPlan, place: PlanPlace, { width }: { readonly width: number }): string {
	const { base, head, cells, oneSided, shards, costs, budget } = plan;
	const [from, to] = [base, head].map(({ label }) => plainText(label, NAME_LIMIT));
	const title = `${countOf(cells.length, 'cell')} in ${countOf(shards.length, 'shard')}: base ${from}, head ${to}, at most ${formatDuration(budget)} of measuring each.`;
	const expected = `Expected, with ${formatDuration(costs.setup)} to install and build on each machine:`;
	const wrap = (line: string) => wrapText(line, width, 0);
	const sections = [
		[title, ...describeSame(oneSided)].flatMap(wrap),
		[...alignColumns(shards.map((shard) => describeShard(shard, budget))), ...describeOver(plan).flatMap(wrap)],
		[
			...wrap(expected),
			...writePrices(pricesAround(cells, costs, budget, shards.length), shards.length),
			...wrap(`Estimated ${HOW[costs.source]}.${costs.source === 'timing' ? hintOf(place) : ''}`),
		],
		describeNext(plan, place),
	];
	return sections.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n');
}

function hintOf(place: PlanPlace): string {
	if (place === 'workflow') return ' With baselines of the main branch the estimate is better.';
	return ' With --costs FILE, the raw file of an earlier run, the estimate is better.';
}

/** Warns before the run that the budget is too small. */
function describeOver({ cells, shards, budget }: ShardPlan): string[] {
	const over = shards.filter(({ expectedSeconds }) => expectedSeconds > budget);
	if (over.length === 0) return [];
	const some = over.length === 1 ? 'One of them' : `${over.length} of them`;
	const who = over.length < shards.length ? some : shards.length === 1 ? 'It' : 'All';
	const more = shards.length < cells.length ? 'more shards or ' : '';
	return [
		`${who} probably ${over.length === 1 ? 'needs' : 'need'} longer than ${formatDuration(budget)}. What is not decided by then stays open: take ${more}a larger budget.`,
	];
}

/** Returns a line per number of shards; `shardCount` is marked. */
function writePrices(prices: readonly ShardPrice[], shardCount: number): string[] {
	return alignColumns(
		prices.map(({ count, waitSeconds, machineSeconds }) => [
			countOf(count, 'shard'),
			`ready after ${formatDuration(waitSeconds)}`,
			`${formatDuration(machineSeconds)} of machine time`,
			count === shardCount ? '(this plan)' : '',
		]),
	);
}

function describeSame(oneSided: ShardPlan['oneSided']): string[] {
	const same = oneSided.filter(({ verdict }) => verdict === 'same-code');
	if (same.length === 0) return [];
	const servers = [...new Set(same.map(({ server }) => plainText(server, NAME_LIMIT)))];
	return [
		`Not measured: ${countOf(same.length, 'cell')} of ${nameAll(servers, MOST_NAMED)}, whose code is the same on both sides.`,
	];
}

function describeShard({ index, cells, expectedSeconds }: PlannedShard, budget: number): string[] {
	const names = cells.slice(0, MOST_NAMED).map((id) => plainText(id, 2 * NAME_LIMIT));
	const more = cells.length > MOST_NAMED ? [`and ${cells.length - MOST_NAMED} more`] : [];
	const needed = formatDuration(expectedSeconds);
	return [
		`shard ${index}`,
		expectedSeconds > budget ? `${formatDuration(budget)} of ${needed}` : needed,
		countOf(cells.length, 'cell'),
		[names.join(', '), ...more].join(' '),
	];
}

function describeNext({ shards }: ShardPlan, place: PlanPlace): string[] {
	if (place === 'workflow') return [];
	if (place === 'nowhere') return ['Nothing was written. Leave --dry-run out to write the plan.'];
	const { file } = place;
	const [each, which] =
		shards.length === 1 ? ['', '1'] : [`, on one machine each, for N from 1 to ${shards.length}`, 'N'];
	return [
		`Written to ${plainText(file, 4 * NAME_LIMIT)}. Next${each}:`,
		`  benchgate compare --plan ${shellWord(file)} --shard ${which}`,
		'Then, with the plan and all files of the shards in one folder:',
		'  benchgate gather FOLDER',
	];
}

/** Returns lines for a terminal: servers per shard, costs of more or fewer machines, next step. */
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
