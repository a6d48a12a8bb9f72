import { readSelftest } from '../config/load-request.ts';
import type { OptionTexts } from '../config/option-names.ts';
import { selftestExitCode } from '../judge/selftest/summarise-selftest.ts';
import { checkOutputs, writeOutputs } from '../output/write-files.ts';
import { toTerminal } from '../report/document/terminal-writer.ts';
import { SELFTEST_FORMAT_NAMES, type SelftestFormat } from '../report/formats.ts';
import { SELFTEST_RENDERERS } from '../report/render-formats.ts';
import { selftestDocument } from '../report/selftest-document.ts';
import { runSelftest } from '../runs/selftest/run-selftest.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { printReport } from './write-reports.ts';

export interface SelftestFlags extends OptionTexts, MeasuringFlags, Readonly<Partial<Record<SelftestFormat, string>>> {}

export async function runSelftestCommand(flags: SelftestFlags): Promise<number> {
	checkOutputs(flags, SELFTEST_FORMAT_NAMES);
	const request = await readSelftest(flags);
	return measureAndReport(
		flags,
		(tools) => runSelftest({ ...tools, ...request, cwd: process.cwd() }),
		async (result, { guardDirectory }) => {
			printReport((style) => toTerminal(selftestDocument(result), style));
			await writeOutputs(flags, SELFTEST_RENDERERS, result, guardDirectory);
			return selftestExitCode(result);
		},
	);
}
