import { readBisect } from '../config/load-request.ts';
import type { OptionTexts } from '../config/option-names.ts';
import { renderBisect } from '../report/bisect-report.ts';
import { runBisect } from '../runs/bisect/run-bisect.ts';
import { bisectExitCode } from '../trend/bisect/bisect-result.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { printReport } from './write-reports.ts';

export interface BisectFlags extends OptionTexts, MeasuringFlags {
	readonly good: string;
	readonly bad: string;
}

export async function runBisectCommand(flags: BisectFlags): Promise<number> {
	const cwd = process.cwd();
	const { good, bad } = flags;
	const { config, reproduce } = await readBisect(cwd, flags);
	return measureAndReport(
		flags,
		(tools) => runBisect({ ...tools, config, good, bad, cwd, reproduce }),
		async (result) => {
			printReport((style) => renderBisect(result, style));
			return bisectExitCode(result);
		},
	);
}
