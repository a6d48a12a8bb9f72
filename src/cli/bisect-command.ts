import { readBisect } from '../config/load-request.ts';
import type { OptionTexts } from '../config/option-names.ts';
import { checkOutputs, writeOutputs } from '../output/write-files.ts';
import { bisectDocument } from '../report/bisect-document.ts';
import { toTerminal } from '../report/document/terminal-writer.ts';
import { pageRenderers } from '../report/render-formats.ts';
import { runBisect } from '../runs/bisect/run-bisect.ts';
import { bisectExitCode } from '../trend/bisect/bisect-result.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { printReport } from './write-reports.ts';

const RENDERERS = pageRenderers(bisectDocument);
type File = keyof typeof RENDERERS;
const FILES = Object.keys(RENDERERS) as readonly File[];

export interface BisectFlags extends OptionTexts, MeasuringFlags, Readonly<Partial<Record<File, string>>> {
	readonly good: string;
	readonly bad: string;
}

export async function runBisectCommand(flags: BisectFlags): Promise<number> {
	const cwd = process.cwd();
	const { good, bad } = flags;
	checkOutputs(flags, FILES);
	const { config, reproduce } = await readBisect(cwd, flags);
	return measureAndReport(
		flags,
		(tools) => runBisect({ ...tools, config, good, bad, cwd, reproduce }),
		async (result, { guardDirectory }) => {
			printReport((style) => toTerminal(bisectDocument(result), style));
			await writeOutputs(flags, RENDERERS, result, guardDirectory);
			return bisectExitCode(result);
		},
	);
}
