import type { SelftestResult } from '../../types/selftest.ts';
import { fence, fold, writeMarkdown } from '../compare/markdown.ts';
import { tableMarkdown } from '../worded-table.ts';
import { buildSelftestReport } from './selftest-model.ts';

const EMOJI = { sound: '✅', unsound: '❌', unmeasured: '❌' } as const;

/** Returns a selftest as GitHub-flavoured Markdown, ending in a line feed: finding, advice and tables; every trial folded. */
export function renderSelftestMarkdown(result: SelftestResult): string {
	const report = buildSelftestReport(result);
	const facts = report.facts.map(({ label, value }) => `- ${label}: ${writeMarkdown(value)}`);
	const sections = [
		`### ${EMOJI[report.trust]} ${report.title}: ${writeMarkdown(report.finding)}`,
		`**Exit code:** ${report.exitCode}.`,
		report.advice.length === 0 ? '' : `**Next:** ${report.advice.join(' ')}`,
		...report.tables.map((table) => `**${table.title}**\n\n${tableMarkdown(table)}\n\n<sub>${table.note}</sub>`),
		facts.join('\n'),
		report.warnings.map((warning) => `- ${writeMarkdown(warning)}`).join('\n'),
		report.trials.rows.length === 0 ? '' : fold(report.trials.title, tableMarkdown(report.trials)),
		fold('Command to reproduce this run', fence(report.reproduce, 'sh')),
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
