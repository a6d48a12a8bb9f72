/** A baseline. */
import { PLACE_WORDS } from '../text/change-states.ts';
import { isSafeUrl, MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import {
	countOf,
	formatChange,
	formatCount,
	formatInterval,
	formatMoment,
	formatPercent,
	formatShare,
	INTERVAL_95,
	NONE,
	TOO_NOISY,
} from '../text/numbers.ts';
import { joinWords, type Phrase, phrase, plainPhrase } from '../text/phrase.ts';
import type { BaselineCell, BaselineRecord, BaselineRun } from '../types/baseline.ts';
import { REFERENCE_SERVER } from '../types/shared-names.ts';
import type { Place } from '../types/trend.ts';
import {
	type BaselineStanding,
	changeOfCell,
	describeNext,
	describeStanding,
	levelIn,
	nameOf,
	nameRow,
	placedRows,
	standingOf,
	unitWord,
} from './baseline-words.ts';
import { type Column, column } from './compare/columns.ts';
import {
	type Document,
	type Fact,
	listSection,
	repeatSection,
	type Section,
	section,
	type Table,
	type Tone,
} from './document/document.ts';

const HEADLINES: Readonly<Record<BaselineStanding, readonly [title: string, tone: Tone]>> = {
	below: ['Slower', 'fail'],
	above: ['Faster', 'improved'],
	unsettled: ['Not settled', 'inconclusive'],
	unsure: ['Too imprecise', 'inconclusive'],
	level: ['Level', 'pass'],
	unchanged: ['Unchanged', 'pass'],
	broken: ['Nothing measured', 'error'],
	interrupted: ['Interrupted', 'inconclusive'],
};

const MOST_NOTES = 12;
/** Rows of a limited Markdown, by step. */
const MOST_ROWS = { 2: 50, 3: 10 } as const;

export function baselineDocument(run: BaselineRun): Document {
	const standing = standingOf(run);
	const level = levelIn(run);
	const [title, tone] = HEADLINES[standing];
	const next = describeNext(run);
	return {
		headline: {
			...{ tone, title, summary: describeStanding(run) },
			blocks: [{ kind: 'labelled', label: 'Next', items: next === null ? [] : [next] }],
		},
		sections: [
			...(level ? [levelSection(level, columnsOf(run))] : []),
			...extraSections(run),
			...(level ? [section([], [{ kind: 'facts', facts: factsOf(level) }])] : []),
			...listSection(['Notes'], notesOf(run)),
			...(level ? [repeatSection(level.reproduce)] : []),
		],
	};
}

const CELL: Column<BaselineCell> = { label: 'server/scenario', format: (cell) => nameRow({ cell }), align: 'left' };
const CHANGE = column<BaselineCell>('change', (cell) => formatChange(changeOfCell(cell).change));
const INTERVAL = column<BaselineCell>(INTERVAL_95, (cell) => formatInterval(changeOfCell(cell).interval));
const METRIC = column<BaselineCell>('metric', unitWord, 'left');
const OF_REFERENCE = `of ${REFERENCE_SERVER}`;
const ROUNDS = column<BaselineCell>('rounds', ({ rounds }) => `${rounds}`);
const STANDARD_ERROR = column<BaselineCell>('standard error', ({ se }) => formatPercent(se));

/** Labels of the commit's own figures, each with its name in sentences. */
const ALONE = { 'requests/s': 'Requests/s', 'CPU per request': 'CPU per request' } as const;

const STANDING = 'standing';

/** A metric that all rows share stands in the title. */
function metricColumn(cells: readonly BaselineCell[]): readonly Column<BaselineCell>[] {
	return new Set(cells.map(unitWord)).size > 1 ? [METRIC] : [];
}

function byMetric(cells: readonly BaselineCell[]): Phrase {
	const [first] = cells;
	return first === undefined || metricColumn(cells).length > 0 ? [] : [`, by ${unitWord(first)}`];
}

/** Without columns that are empty in every row. */
function columnsOf(run: BaselineRun): readonly Column<BaselineCell>[] {
	const places = new Map(placedRows(run).map(({ measured, place }) => [measured, place]));
	const cells = levelIn(run)?.cells ?? [];
	const columns: readonly Column<BaselineCell>[] = [
		CELL,
		...metricColumn(cells),
		CHANGE,
		INTERVAL,
		column(STANDING, (cell) => standingWord(cell, places.get(cell)), 'left'),
		STANDARD_ERROR,
		column('requests/s', ({ solo }) => (solo?.throughput == null ? NONE : formatCount(solo.throughput))),
		column(OF_REFERENCE, shareWord),
		column('CPU per request', ({ solo }) =>
			solo?.cpuPerRequest == null ? NONE : `${solo.cpuPerRequest.toFixed(1)} µs`,
		),
		ROUNDS,
	];
	const isEmpty = ({ label, format }: Column<BaselineCell>) =>
		SPARE_COLUMNS.includes(label) && cells.every((cell) => plainPhrase(format(cell)) === NONE);
	return columns.filter((each) => !isEmpty(each));
}

/**
 * Columns that a narrow terminal drops, in order. Precision matters more than the figures of this machine and hour.
 */
const SPARE_COLUMNS = ['CPU per request', 'requests/s', 'rounds', 'standard error', OF_REFERENCE];

function tableOf(cells: readonly BaselineCell[], columns: readonly Column<BaselineCell>[], note: Table['note']): Table {
	return {
		kind: 'table',
		columns: columns.map(({ label, align }) => {
			const spare = SPARE_COLUMNS.indexOf(label);
			return { label, align, ...(spare >= 0 && { spare }), shrinks: label === CELL.label || label === METRIC.label };
		}),
		rows: cells.map((cell) => columns.map(({ format }) => format(cell))),
		note,
	};
}

function levelSection({ anchor, cells }: BaselineRecord, columns: readonly Column<BaselineCell>[]): Section {
	const note = (labels: readonly string[]) => describeColumns(cells, labels);
	const title = phrase`Against ${nameOf(anchor.label)}${byMetric(cells)}`;
	const sorted = worstFirst(cells);
	const at = (most: number) => section(title, [tableOf(sorted.slice(0, most), columns, note)]);
	const shortening = Object.entries(MOST_ROWS)
		.filter(([, most]) => most < cells.length)
		.map(([order, most]) => ({ order: Number(order), omits: `rows beyond the ${most} worst`, section: at(most) }));
	return { ...at(Infinity), shortening };
}

/** Explains only the shown columns. */
function describeColumns(cells: readonly BaselineCell[], labels: readonly string[]): string {
	const isShared = labels.includes(OF_REFERENCE);
	const shares = new Set(isShared ? cells.map(shareWord) : []);
	const alone = Object.entries(ALONE).flatMap(([label, words]) => (labels.includes(label) ? words : []));
	return [
		...(alone.length === 0
			? []
			: [`${joinWords(alone)} are those of the commit loaded alone: compare them only within this run.`]),
		...(isShared
			? [
					`The share of ${REFERENCE_SERVER}, a server without a framework, is one of requests/s, with its 95 % interval; both were measured in turn.`,
				]
			: []),
		...(shares.has(TOO_NOISY) ? ['Too noisy: the interval is wider than ±25 % of the share.'] : []),
		...(shares.has(NONE) ? [`${NONE}: not measured, or ${REFERENCE_SERVER} does not answer that request.`] : []),
		...(labels.includes(STANDING) && cells.some(({ theta }) => theta !== null)
			? ['Change and interval are those of this run alone; the standing counts earlier baselines too.']
			: []),
	].join(' ');
}

function shareWord({ ofReference }: BaselineCell): string {
	return formatShare(ofReference ?? null);
}

/** Rows without figures come first, because they need attention. */
function worstFirst(cells: readonly BaselineCell[]): readonly BaselineCell[] {
	const least = Number.NEGATIVE_INFINITY;
	return cells.toSorted((one, other) => {
		const [a, b] = [one.theta ?? least, other.theta ?? least];
		return a === b ? 0 : a - b;
	});
}

const EXTRAS: Readonly<
	Record<
		Exclude<BaselineRecord['purpose'], 'level'>,
		{ title: (commit: Phrase, anchor: Phrase) => Phrase; note: string }
	>
> = {
	link: {
		title: (commit, anchor) => phrase`The new anchor ${commit} against the old ${anchor}`,
		note: 'This step joins the history before the new anchor with the history after it.',
	},
	closure: {
		title: (_, anchor) => phrase`The same commit against the old ${anchor}`,
		note: 'Apart from noise, it is the sum of the step between the anchors and the change above.',
	},
	proof: {
		title: (commit, anchor) =>
			phrase`${commit} against ${anchor} again, because the level of main changed between them`,
		note: 'A row that regressed here is a proven slowdown. It gets an issue once the records are stored.',
	},
};
const VERDICT = column<BaselineCell>('verdict', ({ verdict }) => verdict, 'left');

function extraSections({ records }: BaselineRun): readonly Section[] {
	return records.flatMap(({ purpose, commit, anchor, cells }) => {
		if (purpose === 'level') return [];
		const columns = [
			CELL,
			...metricColumn(cells),
			CHANGE,
			INTERVAL,
			STANDARD_ERROR,
			...(purpose === 'proof' ? [VERDICT] : []),
			ROUNDS,
		];
		const { title, note } = EXTRAS[purpose];
		const shortening = [{ order: 2, omits: 'comparisons of anchors' }];
		return [
			section(
				[...title(nameOf(commit.label), nameOf(anchor.label)), ...byMetric(cells)],
				[tableOf(cells, columns, note)],
				{ shortening },
			),
		];
	});
}

function factsOf({ environment, createdAt, seed, run, warnings: _ }: BaselineRecord): readonly Fact[] {
	const { cpuModel, cpus, node } = environment;
	const [model, version] = [cpuModel, node].map((text) => ({ text: plainText(text, NAME_LIMIT) }));
	const machine = phrase`${model ?? ''}, ${countOf(cpus, 'CPU')}, Node ${version ?? ''}`;
	return [
		{ label: 'Machine', value: machine },
		{ label: 'Measured', value: [`${formatMoment(createdAt)}, seed ${seed}`] },
		...(run.url === null ? [] : [{ label: 'Run', value: linkTo(run.url) }]),
	];
}

function linkTo(url: string): Phrase {
	return [isSafeUrl(url) ? { code: url, to: url } : { text: plainText(url, MESSAGE_LIMIT) }];
}

function notesOf({ records, notes }: BaselineRun): Phrase[] {
	const recordNotes = records.flatMap(({ warnings }) => warnings.map(({ message }) => message));
	const ofCells = records.flatMap(({ cells }) =>
		cells.flatMap(({ server, scenario, warnings }) =>
			warnings.map(({ message }) => `${server}/${scenario}: ${message}`),
		),
	);
	const all = [...new Set([...notes, ...recordNotes, ...ofCells])].map(
		(text): Phrase => [{ text: plainText(text, MESSAGE_LIMIT) }],
	);
	const more = all.length - MOST_NOTES;
	return more > 0 ? [...all.slice(0, MOST_NOTES), [`and ${countOf(more, 'more note')}`]] : all;
}

function standingWord(cell: BaselineCell, rowPlace: Place | undefined): string {
	if (rowPlace === undefined) return cell.verdict;
	const place = PLACE_WORDS[rowPlace];
	return cell.verdict === 'regressed' || cell.verdict === 'improved' ? `${place}, ${cell.verdict}` : place;
}
