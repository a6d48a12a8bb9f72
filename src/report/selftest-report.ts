import pc from 'picocolors';
import { NARROWEST, proseWidth, wrapText } from '../text/wrap.ts';
import type { SelftestResult } from '../types/selftest.ts';
import { fence, fold, writeMarkdown } from './compare/markdown.ts';
import { buildSelftestReport, type SelftestReport } from './selftest-model.ts';
import { hang, plain, tableMarkdown, tableText } from './worded-table.ts';

const EMOJI = { sound: '✅', unsound: '❌', unmeasured: '❌' } as const;

type Colours = ReturnType<typeof pc.createColors>;

const INDENT = 2;
const GAP = '  ';

const COLOURS = { sound: 'green', unsound: 'red', unmeasured: 'red' } as const;

/** Returns lines of `width` columns without a final line feed, the finding first. */
export function renderSelftest(
	result: SelftestResult,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const width = Math.max(options.width, NARROWEST);
	const prose = proseWidth(width);
	const report = buildSelftestReport(result);
	const sections = [
		renderHeadline(report, colours, prose),
		...report.tables.map((table) => tableText(table, colours, prose)),
		report.facts.map(({ label, value }) => hang(`${label}: ${plain(value)}`, prose)).join('\n'),
		report.warnings.map((warning) => hang(`- ${plain(warning)}`, prose)).join('\n'),
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
	const [first = '', ...otherLines] = wrapText(plain(finding), width, word.length + GAP.length);
	const painted = [`${colours.bold(colours[COLOURS[trust]](word))}${GAP}${first.trimStart()}`, ...otherLines];
	const [next = '', ...others] = advice;
	const steps = others.length === 0 ? advice.map(() => `Next: ${next}`) : ['Next:', ...advice];
	const lines = [`Exit code: ${exitCode}.`, ...steps].flatMap((line) => wrapText(line, width, INDENT));
	return [...painted, ...lines].join('\n');
}

export function renderSelftestMarkdown(result: SelftestResult): string {
	const report = buildSelftestReport(result);
	const facts = report.facts.map(({ label, value }) => `- ${label}: ${writeMarkdown(value)}`);
	const sections = [
		`### ${EMOJI[report.trust]} ${report.title}: ${writeMarkdown(report.finding)}`,
		`**Exit code:** ${report.exitCode}.`,
		report.advice.length > 1
			? `**Next:**\n\n${report.advice.map((step) => `- ${step}`).join('\n')}`
			: report.advice.map((step) => `**Next:** ${step}`).join(''),
		...report.tables.map((table) => `#### ${table.title}\n\n${tableMarkdown(table)}\n\n<sub>${table.note}</sub>`),
		facts.join('\n'),
		report.warnings.map((warning) => `- ${writeMarkdown(warning)}`).join('\n'),
		report.trials.rows.length === 0 ? '' : fold(report.trials.title, tableMarkdown(report.trials)),
		fold('Repeat it', fence(report.reproduce, 'sh')),
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
