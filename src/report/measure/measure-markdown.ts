import type { MeasureResult } from '../../types/ranking/measure.ts';
import { fence, fold, writeMarkdown } from '../compare/markdown.ts';
import { tableMarkdown, type WordedTable } from '../worded-table.ts';
import { buildMeasureReport, type ScenarioReport } from './measure-model.ts';

/** Returns a ranking as GitHub-flavoured Markdown, ending in a line feed: the tables first, the method folded. */
export function renderMeasureMarkdown(result: MeasureResult): string {
	const report = buildMeasureReport(result);
	const facts = report.facts.map(({ label, value }) => `- ${label}: ${writeMarkdown(value)}`);
	const sections = [
		`## ${report.title}`,
		`${report.end}\n\n**${report.variation}**`,
		writeTable(report.ranking, '###'),
		report.short === null ? '' : writeTable(report.short, '###'),
		report.highlight === null ? '' : writeTable(report.highlight, '###'),
		...report.scenarios.map(writeScenario),
		...[...report.comparisons, ...report.ramps].map((table) => writeTable(table, '###')),
		report.noisy === null ? '' : writeTable(report.noisy, '###'),
		report.rounds.length === 0
			? ''
			: fold('Every round', report.rounds.map((table) => writeTable(table, '####')).join('\n\n')),
		writeTable(report.legend, '###'),
		`### Environment\n\n${facts.join('\n')}`,
		writeTable(report.versions, '###'),
		report.warnings.map((warning) => `- ${writeMarkdown(warning)}`).join('\n'),
		`### Reproduce it\n\n${fence(report.reproduce, 'sh')}\n\n${report.byHand.map(writeMarkdown).join('\n\n')}`,
		fold('How it was measured', report.method.join('\n\n')),
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function writeScenario({ table, caption, ratios, remarks }: ScenarioReport): string {
	const parts = [
		`### ${writeMarkdown([{ code: table.title }])}`,
		writeMarkdown(caption),
		tableMarkdown(table),
		`<sub>${table.note}</sub>`,
		ratios === null ? '' : writeMarkdown(ratios),
		remarks.map((remark) => `- ${writeMarkdown(remark)}`).join('\n'),
	];
	return parts.filter((part) => part !== '').join('\n\n');
}

function writeTable(table: WordedTable, level: string): string {
	return `${level} ${writeMarkdown([{ text: table.title }])}\n\n${tableMarkdown(table)}\n\n<sub>${table.note}</sub>`;
}
