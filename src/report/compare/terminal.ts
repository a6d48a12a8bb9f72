/** A comparison for a terminal. */
import pc from 'picocolors';
import stringWidth from 'string-width';
import { countOf, formatScaleEnd } from '../../text/numbers.ts';
import { type Phrase, type PhraseStyle, phrase, renderPhrase } from '../../text/phrase.ts';
import { NARROWEST, proseWidth, wrapText } from '../../text/wrap.ts';
import type { Result } from '../../types/result.ts';
import type { GateOutcome, Verdict } from '../../types/verdict.ts';
import { DRIFT_NOTE, MOST_LINES } from '../drift/drift-model.ts';
import { tableText } from '../worded-table.ts';
import type { Audience } from './audience.ts';
import { RANGES_NOTE } from './columns.ts';
import { describeFootnote, type Footnote, markOf } from './footnotes.ts';
import { NOTHING_TO_DO } from './headline.ts';
import { PICTURE_LEGEND } from './interval-picture.ts';
import { VERDICT_MARKS } from './marks.ts';
import type { ContextLine } from './report-context.ts';
import { buildReport, type Report } from './report-model.ts';
import { layOutTable } from './terminal-table.ts';

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
};

/** Notes shown beside those of invalid rows, unless all details are asked for; the first are of the rows that matter most. */
const MOST_NOTES = 3;

export interface TerminalOptions {
	readonly colour: boolean;
	/** Columns. */
	readonly width: number;
	/** Whether versions, limits, method and every note are shown too; not by default. */
	readonly verbose?: boolean;
	/** Who reads it; a person at a command line by default. */
	readonly audience?: Audience;
}

/**
 * Returns the result as lines for a terminal of `width` columns, without a final line feed; the first line begins with the
 * outcome. Columns that do not fit are left out, the absolute figures first.
 */
export function renderTerminal(result: Result, options: TerminalOptions): string {
	const colours = pc.createColors(options.colour);
	const width = Math.max(options.width, NARROWEST);
	const report = buildReport(result, options.audience);
	const sections = [
		renderHeadline(report, colours, width),
		renderTable(report, colours, width),
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
	const [first = '', ...rest] = wrap(summary, colours, width, `${word}  `.length);
	const painted = [`${colours.bold(paint(word))}  ${first.trimStart()}`, ...rest];
	const does = phrase`${effect.label}: ${effect.words}`;
	const tail = next === null ? [phrase`${does} Next: ${NOTHING_TO_DO}`] : [does, phrase`Next: ${next}`];
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
	const left = lines.length - shown.length;
	const told = shown.flatMap((line) => {
		const [first = '', ...rest] = wrap(line, colours, width, INDENT.length);
		return [first.trimStart(), ...rest];
	});
	const more = left > 0 ? [`and ${countOf(left, 'more row')} below the anchor (add --verbose)`] : [];
	const worded = rows.map((row) => columns.map(({ format }) => format(row)));
	const table = { title: `Baselines of ${branch}`, columns, rows: worded, note: DRIFT_NOTE };
	const all = verbose && rows.length > 0 ? [`${told.length > 0 ? '\n' : ''}${tableText(table, colours, width)}`] : [];
	return [...told, ...more, ...all].join('\n');
}

function renderFootnotes(report: Report, verbose: boolean, colours: Colours, width: number): string {
	const notes = verbose ? report.footnotes : chooseNotes(report);
	const lines = notes.flatMap((note) => {
		const mark = markOf(note);
		const [first = '', ...rest] = wrap(describeFootnote(note), colours, width, stringWidth(mark) + 1);
		return [`${mark} ${first.trimStart()}`, ...rest];
	});
	const left = report.footnotes.length - notes.length;
	return [...lines, ...(left > 0 ? [`and ${countOf(left, 'more note')} (add --verbose)`] : [])].join('\n');
}

/** Why a row is invalid is always said: without it nobody can fix it. */
function chooseNotes({ footnotes, rows }: Report): readonly Footnote[] {
	const faults = new Set(rows.filter((row) => row.verdict === 'invalid').flatMap(({ notes }) => notes));
	const others = footnotes.filter(({ number }) => !faults.has(number)).slice(0, MOST_NOTES);
	return footnotes.filter((note) => faults.has(note.number) || others.includes(note));
}

function renderContext(context: readonly ContextLine[], colours: Colours, width: number): string {
	return context
		.map(({ label, value }) => wrap([`${label}: `, ...value], colours, width, INDENT.length))
		.map(([first = '', ...rest]) => [first.trimStart(), ...rest].join('\n'))
		.join('\n');
}

function wrap(text: Phrase, colours: Colours, width: number, indent: number): readonly string[] {
	const style: PhraseStyle = {
		own: (words) => words,
		code: (words) => words,
		text: (words) => words,
		strong: (words) => words,
	};
	const lines = wrapText(renderPhrase(text, style), proseWidth(width), indent);
	const bold = text.flatMap((piece) => (typeof piece === 'object' && 'strong' in piece ? piece.strong : []));
	return lines.map((line) => bold.reduce((painted, words) => painted.replace(words, colours.bold(words)), line));
}
