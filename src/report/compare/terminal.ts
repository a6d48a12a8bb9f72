import pc from 'picocolors';
import stringWidth from 'string-width';
import { countOf, formatScaleEnd } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase, plainPhrase } from '../../text/phrase.ts';
import { fitText, NARROWEST, proseWidth, wrapText } from '../../text/wrap.ts';
import type { Explanation } from '../../types/explain.ts';
import type { Result } from '../../types/result.ts';
import type { GateOutcome, Verdict } from '../../types/verdict.ts';
import { tableText } from '../document/terminal-writer.ts';
import { whyLines } from '../explain/why.ts';
import type { Audience } from './audience.ts';
import {
	CELL,
	CHANGE,
	type Column,
	figureColumns,
	hasRanges,
	INTERVAL,
	marksOf,
	metricColumn,
	RANGES_NOTE,
	SCENARIO,
	SERVER,
} from './columns.ts';
import { DRIFT_NOTE, MOST_LINES } from './drift-model.ts';
import { describeFootnote, type Footnote, markOf } from './footnotes.ts';
import { NOTHING_TO_DO } from './headline.ts';
import { drawInterval, PICTURE_LEGEND } from './interval-picture.ts';
import { VERDICT_MARKS } from './marks.ts';
import type { ContextLine } from './report-context.ts';
import { buildReport, type Report } from './report-model.ts';
import type { Row } from './rows.ts';

/** Applied after widths are measured. */
interface TablePaint {
	readonly head: (text: string) => string;
	readonly change: (text: string) => string;
	readonly verdict: (verdict: Verdict) => string;
}

const GAP = '  ';

const WIDE_PICTURE = 31;

const PICTURE = 19;

const NARROW_PICTURE = 13;

const NARROWEST_NAME = 12;

interface LaidOutTable {
	readonly text: string;
	readonly pictures: boolean;
	readonly ranges: boolean;
}

const VERDICT: Column<Row> = {
	label: 'verdict',
	format: (row) => [`${VERDICT_MARKS[row.verdict]} ${row.verdict} ${marksOf(row)}`.trimEnd()],
	align: 'left',
};

type Colours = ReturnType<typeof pc.createColors>;

const INDENT = '  ';

const OUTCOME_COLOUR: Readonly<Record<GateOutcome, 'green' | 'red' | 'yellow'>> = {
	pass: 'green',
	fail: 'red',
	inconclusive: 'yellow',
	error: 'red',
};

const VERDICT_COLOUR: Readonly<Record<Verdict, 'green' | 'red' | 'yellow' | 'blue' | 'magenta' | 'cyan'>> = {
	regressed: 'red',
	improved: 'blue',
	unchanged: 'green',
	inconclusive: 'yellow',
	invalid: 'magenta',
	new: 'cyan',
	removed: 'cyan',
	'same-code': 'cyan',
	unaffected: 'cyan',
};

/** Most notes that are shown besides those of invalid rows. */
const MOST_NOTES = 3;

export interface TerminalOptions {
	readonly colour: boolean;
	readonly width: number;
	/** Adds versions, limits, method and every note. */
	readonly verbose?: boolean;
	readonly audience?: Audience;
	readonly explanation?: Explanation | null;
}

/**
 * Returns lines of `width` columns without a final line feed, the outcome first. Drops columns that do not fit,
 * absolute figures first.
 */
export function renderTerminal(result: Result, options: TerminalOptions): string {
	const colours = pc.createColors(options.colour);
	const width = Math.max(options.width, NARROWEST);
	const report = buildReport(result, options.audience);
	const sections = [
		renderHeadline(report, colours, width),
		renderTable(report, colours, width),
		whyLines(options.explanation)
			.flatMap((line) => wrap(line, colours, width, 0))
			.join('\n'),
		renderDrift(report, options.verbose === true, colours, width),
		renderContext(options.verbose ? report.context : report.brief, colours, width),
		renderFootnotes(report, options.verbose === true, colours, width),
		report.reproduce === null ? '' : `Repeat it:\n${INDENT}${report.reproduce}`,
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

function renderHeadline({ headline }: Report, colours: Colours, width: number): string {
	const { outcome, title, summary, effect, next } = headline;
	const paint = colours[OUTCOME_COLOUR[outcome]];
	const word = title.toUpperCase();
	const [first = '', ...otherLines] = wrap(summary, colours, width, `${word}  `.length);
	const painted = [`${colours.bold(paint(word))}  ${first.trimStart()}`, ...otherLines];
	const does = effect ? [phrase`${effect.label}: ${effect.words}`] : [];
	const [only = [NOTHING_TO_DO], ...more] = next;
	const actions = more.length === 0 ? [phrase`Next: ${only}`] : [['Next:'], ...next.map((each) => phrase`- ${each}`)];
	const tail = next.length === 0 ? [[...joinPhrases([...does, ...actions], ' ')]] : [...does, ...actions];
	return [...painted, ...tail.flatMap((line) => wrap(line, colours, width, INDENT.length))].join('\n');
}

function renderTable(report: Report, colours: Colours, width: number): string {
	const { text, pictures, ranges } = layOutTable(report, width, {
		head: (text) => colours.dim(text),
		change: (text) => colours.bold(text),
		verdict: (verdict) => colours[VERDICT_COLOUR[verdict]](`${VERDICT_MARKS[verdict]} ${verdict}`),
	});
	const ends = `${formatScaleEnd(report.scale.low)} to ${formatScaleEnd(report.scale.high)}`;
	const legends = [...(pictures ? [`Picture, ${ends}: ${PICTURE_LEGEND}.`] : []), ...(ranges ? [RANGES_NOTE] : [])];
	const lines = legends.flatMap((legend) => wrapText(legend, proseWidth(width), 0));
	return [text, ...lines.map(colours.dim)].join('\n');
}

function renderDrift({ drift }: Report, verbose: boolean, colours: Colours, width: number): string {
	const { lines, rows, columns, branch } = drift;
	const shown = verbose ? lines : lines.slice(0, MOST_LINES);
	const hiddenCount = lines.length - shown.length;
	const driftLines = shown.flatMap((line) => {
		const [first = '', ...otherLines] = wrap(line, colours, width, INDENT.length);
		return [first.trimStart(), ...otherLines];
	});
	const more = hiddenCount > 0 ? [`and ${countOf(hiddenCount, 'more row')} below the anchor (add --verbose)`] : [];
	const worded = rows.map((row) => columns.map(({ format }) => format(row)));
	const table = { kind: 'table', columns, rows: worded, note: DRIFT_NOTE } as const;
	const all =
		verbose && rows.length > 0
			? [
					`${driftLines.length > 0 ? '\n' : ''}${colours.bold(`Baselines of ${branch}`)}\n${tableText(table, { colours, width, prose: width })}`,
				]
			: [];
	return [...driftLines, ...more, ...all].join('\n');
}

function renderFootnotes(report: Report, verbose: boolean, colours: Colours, width: number): string {
	const notes = verbose ? report.footnotes : chooseNotes(report);
	const lines = notes.flatMap((note) => {
		const mark = markOf(note);
		const [first = '', ...otherLines] = wrap(describeFootnote(note), colours, width, stringWidth(mark) + 1);
		return [`${mark} ${first.trimStart()}`, ...otherLines];
	});
	const hiddenCount = report.footnotes.length - notes.length;
	return [...lines, ...(hiddenCount > 0 ? [`and ${countOf(hiddenCount, 'more note')} (add --verbose)`] : [])].join(
		'\n',
	);
}

/** Notes on invalid rows are always shown, so that users can fix them. */
function chooseNotes({ footnotes, rows }: Report): readonly Footnote[] {
	const faults = new Set(rows.filter((row) => row.verdict === 'invalid').flatMap(({ notes }) => notes));
	const others = footnotes.filter(({ number }) => !faults.has(number)).slice(0, MOST_NOTES);
	return footnotes.filter((note) => faults.has(note.number) || others.includes(note));
}

function renderContext(context: readonly ContextLine[], colours: Colours, width: number): string {
	return context
		.map(({ label, value }) => wrap([`${label}: `, ...value], colours, width, INDENT.length))
		.map(([first = '', ...otherLines]) => [first.trimStart(), ...otherLines].join('\n'))
		.join('\n');
}

function wrap(text: Phrase, colours: Colours, width: number, indent: number): readonly string[] {
	const lines = wrapText(plainPhrase(text), proseWidth(width), indent);
	const bold = text.flatMap((piece) => (typeof piece === 'object' && 'strong' in piece ? piece.strong : []));
	return lines.map((line) => bold.reduce((painted, words) => painted.replace(words, colours.bold(words)), line));
}

/** Takes the widest layout that fits. If not even the narrowest one does, names are cut. */
function layOutTable(report: Report, width: number, paint: TablePaint): LaidOutTable {
	if (report.rows.length === 0) return { text: '', pictures: false, ranges: false };
	const layouts = layoutsOf(report);
	const wide = layouts.find((columns) => widthOf(columns, report.rows) <= width);
	const columns = wide ?? (layouts.at(-1) as readonly Column<Row>[]);
	const widths = columns.map((each) => columnWidth(each, report.rows));
	const excess = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width;
	if (excess > 0) widths[0] = Math.max((widths[0] ?? 0) - excess, NARROWEST_NAME);
	const head = columns.map(({ label, align }, at) => fitText(label, widths[at] ?? 0, align)).join(GAP);
	const lines = report.rows.map((row) =>
		columns.map((each, at) => paintCell(each, row, fitText(textOf(each, row), widths[at] ?? 0, each.align), paint)),
	);
	const text = [paint.head(head.trimEnd()), ...lines.map((cells) => cells.join(GAP).trimEnd())].join('\n');
	const pictures = columns.some(({ label }) => label.startsWith(formatScaleEnd(report.scale.low)));
	return { text, pictures, ranges: columns.some(({ label }) => label.startsWith('base')) && hasRanges(report.rows) };
}

/** Returns layouts, widest first. All have the metric column, because it distinguishes the rows of a cell. */
function layoutsOf({ rows, scale }: Report): readonly (readonly Column<Row>[])[] {
	const picture = (width: number): Column<Row> => ({
		label: fitEnds(formatScaleEnd(scale.low), formatScaleEnd(scale.high), width),
		format: (row) => [drawInterval(row.span, row.cell.threshold, scale, width)],
		align: 'left',
	});
	const metric = metricColumn(rows);
	const figures = figureColumns(rows);
	const bare = figures.map((each, at) => ({ ...each, label: at === 0 ? 'base' : 'head' }));
	const pictured = [
		[SERVER, SCENARIO, ...metric, ...figures, CHANGE, INTERVAL, picture(WIDE_PICTURE), VERDICT],
		[CELL, ...metric, ...bare, CHANGE, INTERVAL, picture(PICTURE), VERDICT],
		[CELL, ...metric, CHANGE, INTERVAL, picture(PICTURE), VERDICT],
		[CELL, ...metric, CHANGE, INTERVAL, picture(NARROW_PICTURE), VERDICT],
	];
	return [
		...(rows.some(({ span }) => span !== null) ? pictured : []),
		[CELL, ...metric, CHANGE, INTERVAL, VERDICT],
		[CELL, ...metric, CHANGE, VERDICT],
	];
}

function paintCell(each: Column<Row>, row: Row, fitted: string, paint: TablePaint): string {
	if (each === CHANGE) return fitted.replace(row.change, paint.change(row.change));
	if (each !== VERDICT) return fitted;
	return fitted.replace(`${VERDICT_MARKS[row.verdict]} ${row.verdict}`, paint.verdict(row.verdict));
}

function textOf(each: Column<Row>, row: Row): string {
	return each
		.format(row)
		.map((piece) => (typeof piece === 'string' ? piece : Object.values(piece)[0]))
		.join('');
}

function columnWidth(each: Column<Row>, rows: readonly Row[]): number {
	return Math.max(stringWidth(each.label), ...rows.map((row) => stringWidth(textOf(each, row))));
}

function widthOf(columns: readonly Column<Row>[], rows: readonly Row[]): number {
	return columns.reduce((sum, each) => sum + columnWidth(each, rows) + GAP.length, -GAP.length);
}

function fitEnds(low: string, high: string, width: number): string {
	return low + ' '.repeat(Math.max(width - low.length - high.length, 1)) + high;
}
