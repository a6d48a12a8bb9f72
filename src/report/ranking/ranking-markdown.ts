/** A ranking as Markdown. */
import type { Phrase } from '../../text/phrase.ts';
import type { RankingResult } from '../../types/ranking/ranking.ts';
import { fence, fold, writeMarkdown } from '../compare/markdown.ts';
import { tableMarkdown, type WordedTable } from '../worded-table.ts';
import { buildMeasureReport, type ScenarioReport } from './ranking-model.ts';

/** If there are more rows, they are folded. */
const MOST_NOISY = 5;

export function renderRankingMarkdown(result: RankingResult): string {
	const report = buildMeasureReport(result);
	const facts = report.facts.map(({ label, value }) => `- ${label}: ${writeMarkdown(value)}`);
	const sections = [
		`## ${report.title}`,
		`${report.end}\n\n**${report.variation}**`,
		list([...report.conclusions, ...report.warnings]),
		writeTable(report.ranking, '###'),
		report.short === null ? '' : writeTable(report.short, '###'),
		report.highlight === null ? '' : writeTable(report.highlight, '###'),
		...report.scenarios.map(writeScenario),
		...[...report.comparisons, ...report.ramps].map((table) => writeTable(table, '###')),
		report.noisy === null ? '' : writeNoisy(report.noisy),
		report.rounds.length === 0
			? ''
			: fold('Every round', report.rounds.map((table) => writeTable(table, '####')).join('\n\n')),
		writeTable(report.legend, '###'),
		report.profile === null ? '' : writeTable(report.profile, '###'),
		`### Environment\n\n${facts.join('\n')}`,
		writeTable(report.versions, '###'),
		report.differences.length === 0 ? '' : `### Not as on the page\n\n${list(report.differences)}`,
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
		table.note === '' ? '' : `<sub>${table.note}</sub>`,
		ratios === null ? '' : writeMarkdown(ratios),
		list(remarks),
	];
	return parts.filter((part) => part !== '').join('\n\n');
}

/** Folds the table if it is long, as on a busy machine. */
function writeNoisy(table: WordedTable): string {
	if (table.rows.length <= MOST_NOISY) return writeTable(table, '###');
	const body = `${tableMarkdown(table)}\n\n<sub>${table.note}</sub>`;
	return fold(`${table.title} (${table.rows.length})`, body);
}

function list(items: readonly Phrase[]): string {
	return items.map((item) => `- ${writeMarkdown(item)}`).join('\n');
}

function writeTable(table: WordedTable, level: string): string {
	const below = table.note === '' ? '' : `\n\n<sub>${table.note}</sub>`;
	return `${level} ${writeMarkdown([{ text: table.title }])}\n\n${tableMarkdown(table)}${below}`;
}
