import { renderRawPieces } from '../formats/raw/raw-file.ts';
import { type OutputFile, writeOutput, writeOutputs } from '../output/write-files.ts';
import { renderTerminal } from '../report/compare/comparison-document.ts';
import type { FlagFormat } from '../report/formats.ts';
import { RENDERERS } from '../report/render-formats.ts';
import type { Explanation } from '../types/explain.ts';
import type { Raw, Result } from '../types/result.ts';
import { chartScript } from '../version.ts';
import type { Tools } from './measuring.ts';
import { logText } from './report-error.ts';

interface ReportStyle {
	readonly colour: boolean;
	/** Columns. */
	readonly width: number;
}

/** Used if the terminal's width is unknown. */
const DEFAULT_WIDTH = 100;

export type ReportFlags = Readonly<Partial<Record<FlagFormat, string>>> & {
	readonly verbose?: boolean;
};

/** Prints the report and writes each requested file; a failed write does not stop the others. */
export async function writeReports(
	raw: Raw,
	result: Result,
	flags: ReportFlags,
	guard?: OutputFile['guard'],
	explanation: Explanation | null = null,
): Promise<void> {
	const audience = { explanation };
	printReport((style) => renderTerminal(result, { ...style, verbose: flags.verbose === true, audience }));
	await writeOutputs(flags, RENDERERS, { raw, result, chartScript, audience }, guard);
}

export function printReport(render: (style: ReportStyle) => string): void {
	const { stdout } = process;
	const colour = stdout.isTTY === true && process.env.NO_COLOR === undefined;
	stdout.write(`${logText(render({ colour, width: stdout.columns ?? DEFAULT_WIDTH }))}\n`);
}

/** Saves finished rounds. The run goes on: a full disk may have space again later. */
export async function keepPartial(
	raw: Raw,
	path: string | undefined,
	{ janitor, progress }: Pick<Tools, 'janitor' | 'progress'>,
): Promise<void> {
	if (path === undefined) return;
	try {
		await writeOutput({ flag: '--raw', path, content: renderRawPieces(raw), guard: janitor.guardDirectory });
	} catch (error) {
		progress.step(`${(error as Error).message} (the run goes on, and tries again after the next round)`);
	}
}
