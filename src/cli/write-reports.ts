import { renderRaw } from '../formats/raw/raw-file.ts';
import { renderJson } from '../formats/result/result-file.ts';
import { chartData } from '../judge/summarise.ts';
import { writeOutputs } from '../output/write-outputs.ts';
import { renderMarkdown } from '../report/compare/markdown.ts';
import { renderTerminal } from '../report/compare/terminal.ts';
import { renderHtml } from '../report/html/html.ts';
import type { Raw, Result } from '../types/result.ts';
import { chartScript } from '../version.ts';
import { printReport } from './print-report.ts';

export interface ReportFlags {
	readonly json?: string;
	readonly markdown?: string;
	readonly html?: string;
	readonly raw?: string;
}

/** Prints the report on stdout and writes each file asked for; one that cannot be written does not stop the others. */
export async function writeReports(raw: Raw, result: Result, flags: ReportFlags): Promise<void> {
	printReport((style) => renderTerminal(result, style));
	await writeOutputs([
		{ flag: '--raw', path: flags.raw, render: () => renderRaw(raw) },
		{ flag: '--json', path: flags.json, render: () => renderJson(result) },
		{ flag: '--markdown', path: flags.markdown, render: () => renderMarkdown(result) },
		{ flag: '--html', path: flags.html, render: () => renderHtml(result, chartData(raw), chartScript()) },
	]);
}
