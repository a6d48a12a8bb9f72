import type { OutputFile } from '../output/write-files.ts';
import { writeOutputs } from '../output/write-outputs.ts';
import { renderTerminal } from '../report/compare/terminal.ts';
import type { FlagFormat } from '../report/formats.ts';
import { RENDERERS } from '../report/render-formats.ts';
import type { Raw, Result } from '../types/result.ts';
import { chartScript } from '../version.ts';
import { printReport } from './print-report.ts';

/** Paths of the files asked for, and how much the terminal shows. */
export type ReportFlags = Readonly<Partial<Record<FlagFormat, string>>> & {
	/** Whether the terminal shows the whole report. */
	readonly verbose?: boolean;
};

/** Prints the report on stdout and writes each file asked for; one that cannot be written does not stop the others. */
export async function writeReports(
	raw: Raw,
	result: Result,
	flags: ReportFlags,
	guard?: OutputFile['guard'],
): Promise<void> {
	printReport((style) => renderTerminal(result, { ...style, verbose: flags.verbose === true }));
	await writeOutputs(flags, RENDERERS, { raw, result, chartScript }, guard);
}
