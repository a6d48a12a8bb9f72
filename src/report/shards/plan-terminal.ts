/** A plan of shards for a terminal. */
import { pricesAround, type ShardPrice } from '../../plan/shards/choose-count.ts';
import { alignColumns } from '../../text/align-columns.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { nameAll } from '../../text/name-all.ts';
import { countOf, formatDuration } from '../../text/numbers.ts';
import { shellWord } from '../../text/shell-word.ts';
import { wrapText } from '../../text/wrap.ts';
import type { PlannedShard, ShardPlan } from '../../types/shards.ts';

/** Cells of a shard that are named before the rest becomes a number. */
const MOST_NAMED = 4;

/** What the costs of a plan are known by. */
const HOW: Readonly<Record<ShardPlan['costs']['source'], string>> = {
	measured: 'by the times of an earlier run',
	baselines: 'by how much the rounds of each row differ in the baselines of the main branch',
	timing: 'by the lengths of warm-ups and windows; --costs FILE knows better',
};

/**
 * Returns a plan for a terminal: its shards with the minutes they are expected to measure, what one shard more or fewer would cost,
 * and what to do next. `out` is where it was written, null when it was not.
 */
export function renderPlanReport(plan: ShardPlan, out: string | null, { width }: { readonly width: number }): string {
	const { base, head, cells, oneSided, shards, costs, budget } = plan;
	const [from, to] = [base, head].map(({ label }) => plainText(label, NAME_LIMIT));
	const title = `${countOf(cells.length, 'cell')} in ${countOf(shards.length, 'shard')}: base ${from}, head ${to}, at most ${formatDuration(budget)} of measuring each.`;
	const expected = `Expected ${HOW[costs.source]}, with ${formatDuration(costs.setup)} to install and build on each machine:`;
	const sections = [
		[title, ...describeSame(oneSided)].flatMap((line) => wrapText(line, width, 0)),
		alignColumns(shards.map((shard) => describeShard(shard, budget))),
		[...wrapText(expected, width, 0), ...writePrices(pricesAround(cells, costs, budget, shards.length), shards.length)],
		describeNext(plan, out),
	];
	return sections.map((lines) => lines.join('\n')).join('\n\n');
}

/** Returns a line for each number of shards: when the slowest is ready, and what all machines take together. `own` is marked. */
export function writePrices(prices: readonly ShardPrice[], own: number): string[] {
	return alignColumns(
		prices.map(({ count, waitSeconds, machineSeconds }) => [
			countOf(count, 'shard'),
			`ready after ${formatDuration(waitSeconds)}`,
			`${formatDuration(machineSeconds)} of machines`,
			count === own ? '(this plan)' : '',
		]),
	);
}

/** Cells that get no machine because there is nothing to measure. */
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
	const seconds = Math.min(expectedSeconds, budget);
	return [
		`shard ${index}`,
		formatDuration(seconds),
		countOf(cells.length, 'cell'),
		[names.join(', '), ...more].join(' '),
	];
}

function describeNext({ shards }: ShardPlan, out: string | null): string[] {
	if (out === null) return ['Nothing was written. Leave --dry-run out to write the plan.'];
	const which = shards.length === 1 ? '1' : `N, for N from 1 to ${shards.length}`;
	return [
		`Written to ${plainText(out, 4 * NAME_LIMIT)}. Next, on one machine each:`,
		`  benchgate compare --plan ${shellWord(out)} --shard ${which}`,
		'Then, with the plan and all files of the shards in one folder:',
		'  benchgate gather FOLDER',
	];
}
