import { pricesAround, type ShardPrice } from '../plan/shards/divide.ts';
import type { DividedRanking } from '../plan/shards/divide-ranking.ts';
import { NAME_LIMIT, plainText, shellWord } from '../text/escape.ts';
import { countOf, formatDuration } from '../text/numbers.ts';
import { nameAll, type Phrase, phrase } from '../text/phrase.ts';
import type { PlannedShard, ShardPlan } from '../types/shards.ts';
import type { Seconds } from '../types/units.ts';
import { type Block, type Document, type Section, section, type Table } from './document/document.ts';

const MOST_NAMED = 4;

const HOW: Readonly<Record<ShardPlan['costs']['source'], string>> = {
	measured: 'from the times of an earlier run',
	baselines: 'from how much the rounds of each row differ in the baselines of the main branch',
	timing: 'from the lengths of warm-ups and windows',
};

/** Where the plan goes: to a file, to other jobs of the workflow, or only to the screen. */
export type PlanPlace = { readonly file: string } | 'workflow' | 'nowhere';

export function planDocument(plan: ShardPlan, place: PlanPlace): Document {
	const { base, head, cells, oneSided, shards, costs, budget } = plan;
	const [from, to] = [base, head].map(({ label }): Phrase => [{ code: plainText(label, NAME_LIMIT) }]);
	const prices = pricesAround(cells, costs, budget, shards.length);
	const estimated = `Estimated ${HOW[costs.source]}.${costs.source === 'timing' ? hintOf(place) : ''}`;
	const preparation = `Expected, with ${formatDuration(costs.setup)} to install and build on each machine`;
	return {
		headline: {
			tone: null,
			title: `${countOf(cells.length, 'cell')} in ${countOf(shards.length, 'shard')}`,
			summary: phrase`Base ${from ?? []}, head ${to ?? []}, at most ${formatDuration(budget)} of measuring each.`,
			blocks: [paragraphs([...describeSame(oneSided), ...describeAudit(plan)])],
		},
		sections: [
			section([], [shardTable(shards, budget), paragraphs(describeOver(plan))]),
			section([preparation], [priceTable(prices, shards.length, estimated)]),
			...nextSections(plan, place),
		],
	};
}

function paragraphs(items: readonly Phrase[]): Block {
	return { kind: 'paragraphs', items };
}

function shardTable(shards: readonly PlannedShard[], budget: Seconds): Table {
	return {
		kind: 'table',
		columns: [
			{ label: 'shard', align: 'right' },
			{ label: 'measuring', align: 'right' },
			{ label: 'count', align: 'right' },
			{ label: 'measured there', align: 'left' },
		],
		rows: shards.map(({ index, cells, expectedSeconds }) => {
			const needed = formatDuration(expectedSeconds);
			const time = expectedSeconds > budget ? `${formatDuration(budget)} of ${needed}` : needed;
			const names = nameAll(
				cells.map((id) => plainText(id, 2 * NAME_LIMIT)),
				MOST_NAMED,
			);
			return [[`${index}`], [time], [`${cells.length}`], [{ text: names }]];
		}),
		note: '',
	};
}

/** Marks `shardCount`. */
function priceTable(prices: readonly ShardPrice[], shardCount: number, note: string): Table {
	return {
		kind: 'table',
		columns: [
			{ label: 'shards', align: 'right' },
			{ label: 'ready after', align: 'right' },
			{ label: 'machine time', align: 'right' },
		],
		rows: prices.map(({ count, waitSeconds, machineSeconds }) => [
			[count === shardCount ? `this plan: ${count}` : `${count}`],
			[formatDuration(waitSeconds)],
			[formatDuration(machineSeconds)],
		]),
		note,
	};
}

function hintOf(place: PlanPlace): string {
	if (place === 'workflow') return ' With baselines of the main branch the estimate is better.';
	return ' With --costs FILE, the raw file of an earlier run, the estimate is better.';
}

/** Warns before the run that the budget is too small. */
function describeOver({ cells, shards, budget }: ShardPlan): readonly Phrase[] {
	const over = shards.filter(({ expectedSeconds }) => expectedSeconds > budget);
	if (over.length === 0) return [];
	const some = over.length === 1 ? 'One of them' : `${over.length} of them`;
	const who = over.length < shards.length ? some : shards.length === 1 ? 'It' : 'All';
	const more = shards.length < cells.length ? 'more shards or ' : '';
	return [
		[
			`${who} probably ${over.length === 1 ? 'needs' : 'need'} longer than ${formatDuration(budget)}. What is not decided by then stays open: take ${more}a larger budget.`,
		],
	];
}

function describeSame(oneSided: ShardPlan['oneSided']): readonly Phrase[] {
	const same = oneSided.filter(({ verdict }) => verdict === 'same-code');
	const unaffected = oneSided.filter(({ verdict }) => verdict === 'unaffected').length;
	const idle = [`Not measured: ${countOf(unaffected, 'cell')}, because no changed code runs there.`];
	if (same.length === 0) return unaffected === 0 ? [] : [idle];
	const names = nameAll(
		same.map(({ server }) => plainText(server, NAME_LIMIT)),
		MOST_NAMED,
	);
	return [
		phrase`Not measured: ${countOf(same.length, 'cell')} of ${{ text: names }}, whose code is the same on both sides.`,
		...(unaffected === 0 ? [] : [idle]),
	];
}

function describeAudit({ audited = [] }: ShardPlan): readonly Phrase[] {
	const count = audited.length;
	return count === 0
		? []
		: [[`Audit: ${countOf(count, 'cell')} that ${count === 1 ? 'runs' : 'run'} no changed code.`]];
}

function nextSections({ shards }: ShardPlan, place: PlanPlace): readonly Section[] {
	if (place === 'workflow') return [];
	if (place === 'nowhere') {
		return [section([], [paragraphs([['Nothing was written. Leave --dry-run out to write the plan.']])])];
	}
	const { file } = place;
	const [each, which] =
		shards.length === 1 ? ['', '1'] : [`, on one machine each, for N from 1 to ${shards.length}`, 'N'];
	const written = { text: plainText(file, 4 * NAME_LIMIT) };
	return [
		commandSection(
			phrase`Written to ${written}. Next${each}`,
			`benchgate compare --plan ${shellWord(file)} --shard ${which}`,
		),
		commandSection(['Then, with the plan and all files of the shards in one folder'], 'benchgate gather FOLDER'),
	];
}

function commandSection(title: Phrase, command: string): Section {
	return section(title, [{ kind: 'command', command }]);
}

export function divisionDocument({ shards, prices }: DividedRanking, budget: Seconds): Document {
	const which = shards.length === 1 ? '1' : `N, for N from 1 to ${shards.length}`;
	return {
		headline: {
			tone: null,
			title: countOf(shards.length, 'shard'),
			summary: [`At most ${formatDuration(budget)} of measuring each.`],
			blocks: [],
		},
		sections: [
			section([], [shardTable(shards, budget)]),
			section(['Expected, installing included'], [priceTable(prices, shards.length, '')]),
			section(
				[],
				[
					paragraphs([
						[`Next, on one machine each: the same command with --shard ${which}, and --out FOLDER.`],
						['Then, with these folders in one: benchgate gather FOLDER'],
					]),
				],
			),
		],
	};
}
