import type { BaselineRun } from '../../types/baseline.ts';
import { fence, fold, writeMarkdown } from '../compare/markdown.ts';
import { tableMarkdown } from '../worded-table.ts';
import { buildBaselineReport } from './baseline-model.ts';
import type { BaselineStanding } from './baseline-words.ts';

const EMOJI: Readonly<Record<BaselineStanding, string>> = {
	below: '❌',
	above: '🔼',
	unsure: '🟡',
	unsettled: '🟡',
	level: '✅',
	unchanged: '✅',
	broken: '⚠️',
	interrupted: '🟡',
};

/** Returns what a baseline came to as GitHub-flavoured Markdown, ending in a line feed, for the summary of a job. */
export function renderBaselineMarkdown(run: BaselineRun): string {
	const report = buildBaselineReport(run);
	const sections = [
		`### ${EMOJI[report.standing]} ${report.title}: ${writeMarkdown(report.summary)}`,
		report.next === null ? '' : `**Next:** ${writeMarkdown(report.next)}`,
		...report.tables.map(
			(table) => `**${writeMarkdown([{ text: table.title }])}**\n\n${tableMarkdown(table)}\n\n<sub>${table.note}</sub>`,
		),
		report.facts.map(({ label, value }) => `- ${label}: ${writeMarkdown(value)}`).join('\n'),
		report.notes.map((note) => `- ${writeMarkdown(note)}`).join('\n'),
		report.reproduce === null ? '' : fold('Command to reproduce this run', fence(report.reproduce, 'sh')),
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
