import pc from 'picocolors';
import stringWidth from 'string-width';
import type { SelftestResult } from '../../formats/selftest/selftest-result.ts';
import { type Phrase, type PhraseStyle, renderPhrase } from '../../text/phrase.ts';
import { fitText, wrapText } from '../../text/wrap.ts';
import { buildSelftestReport, type SelftestReport, type WordedTable } from './selftest-model.ts';

type Colours = ReturnType<typeof pc.createColors>;

/** Prose wider than this is hard to read. */
const WIDEST_PROSE = 110;
const INDENT = 2;
const GAP = '  ';

const COLOURS = { sound: 'green', unsound: 'red', unmeasured: 'red' } as const;

const PLAIN: PhraseStyle = { own: (text) => text, code: (text) => text, text: (text) => text, strong: (text) => text };

/** Returns a selftest as lines for a terminal of `width` columns, without a final line feed; the first begins with the finding. */
export function renderSelftest(
	result: SelftestResult,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const width = Math.max(options.width, 40);
	const prose = Math.min(width, WIDEST_PROSE);
	const report = buildSelftestReport(result);
	const sections = [
		renderHeadline(report, colours, prose),
		...report.tables.map((table) => renderTable(table, colours, prose)),
		report.facts.map(({ label, value }) => hang(`${label}: ${plain(value)}`, prose)).join('\n'),
		report.warnings.map((warning) => hang(plain(warning), prose)).join('\n'),
		`Repeat it:\n  ${report.reproduce}`,
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

function renderHeadline(
	{ trust, title, finding, exitCode, advice }: SelftestReport,
	colours: Colours,
	width: number,
): string {
	const word = title.toUpperCase();
	const [first = '', ...rest] = wrapText(plain(finding), width, word.length + GAP.length);
	const painted = [`${colours.bold(colours[COLOURS[trust]](word))}${GAP}${first.trimStart()}`, ...rest];
	const next = `Exit code: ${exitCode}.${advice.length === 0 ? '' : ' Next:'}`;
	return [...painted, ...[next, ...advice].flatMap((line) => wrapText(line, width, INDENT))].join('\n');
}

function renderTable({ title, columns, rows, note }: WordedTable, colours: Colours, width: number): string {
	const texts = rows.map((row) => row.map(plain));
	const widths = columns.map(({ label }, at) =>
		Math.max(...[label, ...texts.map((row) => row[at] ?? '')].map((text) => stringWidth(text))),
	);
	const line = (cells: readonly string[]) =>
		cells
			.map((cell, at) => fitText(cell, widths[at] ?? 0, columns[at]?.align ?? 'left'))
			.join(GAP)
			.trimEnd();
	const head = colours.dim(line(columns.map(({ label }) => label)));
	return [colours.bold(title), head, ...texts.map(line), ...wrapText(note, width, 0).map(colours.dim)].join('\n');
}

/** First line at the margin, the others indented. */
function hang(text: string, width: number): string {
	return wrapText(text, width, INDENT).join('\n').trimStart();
}

function plain(text: Phrase): string {
	return renderPhrase(text, PLAIN);
}
