import { fold as foldHtml, renderShell, scrollTable } from '../../src/report/html/html-parts.ts';
import { STYLESHEET } from '../../src/report/html/stylesheet.ts';
import { escapeHtml, plainText } from '../../src/text/escape.ts';
import type { Results } from '../results.ts';
import { type Chart, type Entry, LONGEST_TEXT, type Section, type Table } from './section.ts';
import { GENERATED, sectionsOf, TITLE } from './sections.ts';

/** Styles beyond those of reports: many small charts, and wide tables. */
const STYLES = `${STYLESHEET}
main { max-width: 84rem; }
p { max-width: 68rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, var(--panel)), 1fr)); gap: 1.25rem; }
.panels figcaption { font-size: .85rem; margin: 0 0 .25rem; }
#power { --panel: 15rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--panel)), 1fr)); }
#power figcaption { min-height: 4.5em; }
#validity { --panel: 28rem; }
#timing { --panel: 20rem; }
#bias { --panel: 26rem; }
table { width: auto; min-width: 60%; }
td.left { white-space: normal; min-width: 9rem; max-width: 26rem; }
`;

/** The part of the results that charts need. */
export type ChartResults = Pick<Results, 'rules' | 'timing' | 'validity' | 'bias'>;

/**
 * Returns the results as one self-contained page with charts, everything in it escaped. `script` is the bundle of
 * charts.ts; without JavaScript only the charts are missing.
 */
export function renderPage(results: Results, script: string): string {
	const { rules, timing, validity, bias } = results;
	const intro = `<header class="pass"><h1>${TITLE}</h1><p class="hint">${writeText(GENERATED.replaceAll('`', ''))}</p></header>
<noscript><p class="hint">Charts need JavaScript; everything they show is in the tables too.</p></noscript>`;
	return renderShell({
		title: `benchgate: ${TITLE}`,
		styles: STYLES,
		body: [intro, ...sectionsOf(results).map(renderSection)].join('\n'),
		data: { rules, timing, validity, bias } satisfies ChartResults,
		script,
	});
}

function renderSection({ title, text, charts = [], tables, notes = [] }: Section): string {
	const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${writeText(line)}</p>`);
	return [
		`<section><h2>${writeText(title)}</h2>`,
		...paragraphs(text),
		...charts.map(renderPlace),
		...tables.map((table) => renderTable(table, title)),
		...notes.map((line) => `<p class="hint">${writeText(line)}</p>`),
		'</section>',
	].join('\n');
}

/** Hidden until the script has drawn something. */
function renderPlace({ id, caption }: Chart): string {
	return `<div id="${id}-section" hidden><p class="hint">${writeText(caption)}</p><div id="${id}" class="panels"></div></div>`;
}

function renderTable({ columns, rows, fold }: Table, title: string): string {
	if (rows.length === 0) return fold === undefined ? '<p class="hint">Not measured yet.</p>' : '';
	const cells = rows.map((row) => row.map(writeEntry));
	const label = plainText(fold ?? title, LONGEST_TEXT);
	const table = scrollTable(columns, cells, { write: writeText, label });
	return fold === undefined ? table : foldHtml(writeText(fold), table);
}

function writeEntry(entry: Entry): string {
	if (typeof entry === 'string') return writeText(entry);
	const { text, style, href } = entry;
	const element = style ?? 'span';
	const shown = `<${element}>${writeText(text)}</${element}>`;
	return href?.startsWith('https://') ? `<a href="${escapeHtml(href)}">${shown}</a>` : shown;
}

function writeText(text: string): string {
	return escapeHtml(plainText(text, LONGEST_TEXT)).replaceAll(' %', '\u00a0%');
}
