/** A comparison as a document. */
import { countOf } from '../../text/numbers.ts';
import { phrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import {
	type Block,
	type Document,
	type Headline,
	type Medium,
	type Note,
	repeatSection,
	type Section,
	type Shortening,
	section,
} from '../document/document.ts';
import { type MarkdownRoom, toMarkdown } from '../document/markdown-writer.ts';
import { type TerminalStyle, toTerminal } from '../document/terminal-writer.ts';
import { whySections } from '../explain/why-sections.ts';
import type { Accepting } from './acceptance-words.ts';
import type { Audience } from './audience.ts';
import { MOST_LINES } from './drift-model.ts';
import { describeFootnote, type Footnote, markOf } from './footnotes.ts';
import { NOTHING_TO_DO } from './headline.ts';
import { buildReport, type Report } from './report-model.ts';
import { allRows, MOST_SHOWN, mattersTable, metricsTable, shortTable, terminalTable } from './row-tables.ts';
import { isTelling, isUnaffected, nounOf, type Row } from './rows.ts';

/** Steps to fit a comment. Headline and worst rows go last. */
const STEPS = { otherMetrics: 1, metrics: 2, baselines: 3, rows: 4, details: 5, fifty: 6, ten: 7, all: 8 } as const;
const MOST_NOTES = { [STEPS.details]: 20, [STEPS.fifty]: 10, [STEPS.ten]: 5 } as const;
/** Most notes in a terminal besides those of invalid rows. */
const MOST_TERMINAL_NOTES = 3;

const TERMINAL: readonly Medium[] = ['terminal'];
const MARKDOWN: readonly Medium[] = ['markdown'];
const HTML: readonly Medium[] = ['html'];
const PAGES: readonly Medium[] = ['markdown', 'html'];

interface ComparisonParts extends Audience {
	/** Adds versions, limits, method and every note to the terminal. */
	readonly verbose?: boolean;
	/** Trusted HTML of the charts. */
	readonly charts?: (report: Report) => string;
}

export function comparisonDocument(result: Result, parts: ComparisonParts = {}): Document {
	const { verbose = false, dashboard, charts, explanation } = parts;
	const report = buildReport(result, parts);
	const { rows, context, brief, reproduce } = report;
	const facts = verbose ? context : brief;
	return {
		headline: headlineOf(report),
		sections: [
			...mattersSections(report, dashboard),
			...(explanation ? whySections(explanation, parts, { order: STEPS.details, omits: 'why rows changed' }) : []),
			...(charts === undefined || rows.length === 0
				? []
				: [section([], [{ kind: 'picture', text: '', html: charts(report) }], { media: HTML })]),
			...driftSections(report, verbose),
			...allSections(report),
			...metricsSections(report),
			...baselinesSections(report),
			methodSection(report),
			section([], [{ kind: 'facts', facts }], { media: TERMINAL }),
			section(['Command to repeat this run'], [commandOf(report)], { folded: 'markdown', media: PAGES }),
			...notesSections(report, verbose),
			...(reproduce === null ? [] : [{ ...repeatSection(reproduce), media: TERMINAL }]),
		],
		elsewhere: 'The HTML and JSON reports have everything.',
	};
}

/** A comment has only a count of unaffected rows, in its headline. */
function allSections(report: Report): readonly Section[] {
	const { rows } = report;
	const measured = rows.filter((row) => !isUnaffected(row));
	const all = (some: readonly Row[], media: readonly Medium[], which = ''): readonly Section[] =>
		some.length === 0
			? []
			: [
					section(
						[
							some.length === 1
								? `The ${which}${nounOf(rows)} in full`
								: `All ${countOf(some.length, `${which}${nounOf(rows)}`)}`,
						],
						allRows({ ...report, rows: some }),
						{
							folded: true,
							media,
							shortening: [{ order: STEPS.rows, omits: 'the table of all rows' }],
						},
					),
				];
	if (measured.length === rows.length) return all(rows, PAGES);
	return [...all(measured, MARKDOWN, 'measured '), ...all(rows, HTML)];
}

function headlineOf({ headline, sides }: Report): Headline {
	const { standing, title, summary, effect, next, accepting } = headline;
	const isIdle = next.length === 0;
	const does = (media: readonly Medium[], more = ''): readonly Block[] =>
		effect === null ? [] : [{ kind: 'labelled', label: effect.label, items: [phrase`${effect.words}${more}`], media }];
	const onLine = isIdle && effect !== null;
	return {
		tone: standing,
		title,
		subject: sides,
		summary,
		blocks: [
			...does(TERMINAL, isIdle ? ` Next: ${NOTHING_TO_DO}` : ''),
			...does(MARKDOWN),
			{ kind: 'paragraphs', items: [sides], media: MARKDOWN },
			{
				kind: 'labelled',
				label: 'Next',
				items: isIdle ? [[NOTHING_TO_DO]] : next,
				media: onLine ? PAGES : [...PAGES, ...TERMINAL],
			},
			...(accepting === null ? [] : [acceptingSection(accepting)]),
		],
	};
}

function acceptingSection({ title, lines, label, again }: Accepting): Section {
	const how = phrase`If it is intended, someone with write access can write this into the description or a comment, with a reason, and then ${again}. The label ${{ code: label }} accepts everything.`;
	const blocks: readonly Block[] = [
		{ kind: 'paragraphs', items: [how] },
		{ kind: 'picture', text: lines.join('\n'), html: '' },
	];
	return section([title], blocks, { folded: true, media: MARKDOWN });
}

function mattersSections(report: Report, dashboard: string | undefined): readonly Section[] {
	const { matters, rows } = report;
	if (rows.length === 0) return [];
	const shown = { ...report, rows: rows.filter((row) => !isUnaffected(row)) };
	const terminal = shown.rows.length === 0 ? [] : [section([], [terminalTable(shown)], { media: TERMINAL })];
	if (matters.length === 0) return terminal;
	const at = (most: number, where = ''): Section =>
		section([], shortTable(report, most, where, dashboard), { media: MARKDOWN });
	const fewer = (order: number, most: number): readonly Shortening[] =>
		matters.length <= most ? [] : [{ order, omits: `rows beyond the ${most} worst`, section: at(most) }];
	const shortening = [
		{ order: STEPS.rows, omits: 'the table of all rows', section: at(Infinity) },
		...fewer(STEPS.fifty, 50),
		...fewer(STEPS.ten, 10),
		{ order: STEPS.all, omits: 'all tables' },
	];
	return [
		{ ...at(MOST_SHOWN, `, in the table of all ${nounOf(rows)}s`), shortening },
		section(['What matters'], [mattersTable(report)], { media: HTML }),
		...terminal,
	];
}

/** The rows below their anchor, and the table of baselines where it is not folded. */
function driftSections({ drift: { lines, rows, table, branch } }: Report, verbose: boolean): readonly Section[] {
	const linesIn = (media: readonly Medium[], most: number, how: string): Section => {
		const hiddenCount = lines.length - most;
		const more = hiddenCount > 0 ? [[`and ${countOf(hiddenCount, 'more row')} below the anchor${how}`]] : [];
		return section([], [{ kind: 'list', items: [...lines.slice(0, most), ...more] }], { media });
	};
	if (rows.length === 0) return [];
	const shortening = lines.length === 0 ? [] : [{ order: STEPS.all, omits: 'lines on baselines' }];
	return [
		{ ...linesIn(MARKDOWN, MOST_LINES, ''), shortening },
		linesIn(TERMINAL, verbose ? Infinity : MOST_LINES, ' (add --verbose)'),
		section(['Baselines of ', { text: branch }], [{ kind: 'list', items: lines, media: HTML }, table], {
			media: verbose ? [...HTML, ...TERMINAL] : HTML,
		}),
	];
}

function metricsSections({ metrics }: Report): readonly Section[] {
	if (metrics.length === 0) return [];
	const all = section(['Other metrics'], [metricsTable(metrics)], { folded: true, media: PAGES });
	const some = metrics.filter(({ row }) => isTelling(row));
	const fewer =
		some.length === metrics.length
			? []
			: [
					{
						order: STEPS.otherMetrics,
						omits: 'other metrics of unchanged rows',
						section: { ...all, blocks: some.length === 0 ? [] : [metricsTable(some)] },
					},
				];
	return [{ ...all, shortening: [...fewer, { order: STEPS.metrics, omits: 'other metrics' }] }];
}

function baselinesSections({ drift: { rows, table, branch } }: Report): readonly Section[] {
	if (rows.length === 0) return [];
	return [
		section(['Baselines of ', { text: branch }, `: ${countOf(rows.length, 'row')}`], [table], {
			folded: true,
			media: MARKDOWN,
			shortening: [{ order: STEPS.baselines, omits: 'baselines' }],
		}),
	];
}

function methodSection({ context }: Report): Section {
	const at = (facts: Report['context']): Section =>
		section(['Machine, versions and method'], [{ kind: 'facts', facts }], { folded: 'markdown', media: PAGES });
	const withoutVersions = at(context.filter(({ label }) => label !== 'Versions'));
	return { ...at(context), shortening: [{ order: STEPS.details, omits: 'versions', section: withoutVersions }] };
}

function commandOf({ reproduce }: Report): Block {
	return reproduce === null
		? { kind: 'paragraphs', items: [['The command is too long for this page; the JSON file has it.']] }
		: { kind: 'command', command: reproduce };
}

function notesSections(report: Report, verbose: boolean): readonly Section[] {
	const all = report.footnotes.map(noteOf);
	if (all.length === 0) return [];
	const markdown = (most: number): Section => {
		const hiddenCount = all.length - most;
		const more = hiddenCount > 0 ? [[`… and ${countOf(hiddenCount, 'more note')}.`]] : [];
		const blocks: readonly Block[] = [
			{ kind: 'notes', notes: all.slice(0, most) },
			{ kind: 'paragraphs', items: more },
		];
		return section([], blocks, { media: MARKDOWN });
	};
	const fewer = Object.entries(MOST_NOTES).flatMap(([order, most]) =>
		all.length <= most ? [] : [{ order: Number(order), omits: `notes beyond ${most}`, section: markdown(most) }],
	);
	const shown = verbose ? all : chooseNotes(report).map(noteOf);
	const hiddenCount = all.length - shown.length;
	const more = hiddenCount > 0 ? [[`and ${countOf(hiddenCount, 'more note')} (add --verbose)`]] : [];
	return [
		{ ...markdown(Infinity), shortening: [...fewer, { order: STEPS.all, omits: 'all notes', section: markdown(0) }] },
		section([countOf(all.length, 'note')], [{ kind: 'notes', notes: all }], { media: HTML }),
		section(
			[],
			[
				{ kind: 'notes', notes: shown },
				{ kind: 'paragraphs', items: more },
			],
			{ media: TERMINAL },
		),
	];
}

function noteOf(note: Footnote): Note {
	return { number: note.number, mark: markOf(note), text: describeFootnote(note) };
}

/** Notes on invalid rows are always shown, so users can fix them. */
function chooseNotes({ footnotes, rows }: Report): readonly Footnote[] {
	const faults = new Set(rows.filter((row) => row.verdict === 'invalid').flatMap(({ notes }) => notes));
	const others = footnotes.filter(({ number }) => !faults.has(number)).slice(0, MOST_TERMINAL_NOTES);
	return footnotes.filter((note) => faults.has(note.number) || others.includes(note));
}

interface TerminalOptions extends TerminalStyle, Pick<ComparisonParts, 'verbose'> {
	readonly audience?: Audience;
}

/** Returns lines of `width` columns without a final line feed. */
export function renderTerminal(result: Result, { verbose = false, audience, ...style }: TerminalOptions): string {
	return toTerminal(comparisonDocument(result, { ...audience, verbose }), style);
}

const COMMENT_LIMIT = 65_000;

interface MarkdownOptions extends Audience, Partial<MarkdownRoom> {}

/** Returns GitHub-flavoured Markdown. A limit below 4,000 characters is not guaranteed. */
export function renderMarkdown(
	result: Result,
	{ limit = COMMENT_LIMIT, sizeOf, ...audience }: MarkdownOptions = {},
): string {
	return toMarkdown(comparisonDocument(result, audience), { limit, ...(sizeOf && { sizeOf }) });
}
