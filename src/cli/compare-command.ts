import { readRequest } from '../config/load-request.ts';
import { OPTIONS } from '../config/options.ts';
import type { CompareOptions } from '../config/resolve-request.ts';
import { renderRaw } from '../formats/raw/raw-file.ts';
import { acceptRedRows } from '../judge/acceptance/accept.ts';
import { exitCode } from '../judge/gate.ts';
import { summarise } from '../judge/summarise.ts';
import { writeOutput } from '../output/write-files.ts';
import { checkOutputs } from '../output/write-outputs.ts';
import { FLAG_FORMATS } from '../report/formats.ts';
import { runComparison } from '../runs/run-comparison.ts';
import { EXIT } from '../types/errors.ts';
import type { Raw } from '../types/result.ts';
import type { Acceptance } from '../types/verdict.ts';
import { readLocalPlace } from './baseline/open-local-store.ts';
import { tellBaselines } from './baseline/tell-baselines.ts';
import { type MeasuringFlags, measureAndReport, type Tools } from './measuring.ts';
import { type ReportFlags, writeReports } from './write-reports.ts';

/** Flags of `benchgate compare` as the command line gives them. */
export interface CompareFlags extends CompareOptions, ReportFlags, MeasuringFlags {
	/** Where baselines of the main branch are. */
	readonly store: string;
}

/** Runs a comparison, prints the report, writes the files asked for, and returns the exit code. */
export async function runCompareCommand(flags: CompareFlags): Promise<number> {
	const cwd = process.cwd();
	checkOutputs(flags, FLAG_FORMATS);
	readLocalPlace(flags.store);
	const { config, reproduce, harnessFrom } = await readRequest(cwd, flags);
	const accepted = acceptedBy(flags);
	return measureAndReport(
		flags,
		async (tools) => {
			const raw = await runComparison({
				...tools,
				config,
				revisions: { base: flags.base, head: flags.head },
				cwd,
				reproduce,
				harnessFrom,
				keep: (partial) => keepPartial(partial, flags.raw, tools),
			});
			return tellBaselines(raw, { cwd, store: flags.store, gate: config.gate }, tools);
		},
		async (raw, { guardDirectory }) => {
			const result = acceptRedRows(summarise(raw), accepted);
			await writeReports(raw, result, flags, guardDirectory);
			return raw.ended === 'interrupted' ? EXIT.interrupted : exitCode(result.gate, config.gate.onInconclusive);
		},
	);
}

/** What the command line lets pass; who typed it needs nobody's leave. Its form was checked with all other flags. */
function acceptedBy({ accept = '' }: CompareFlags): readonly Acceptance[] {
	const rows = OPTIONS.accept.kind.parse(accept.trim());
	return rows ? [{ by: '--accept', via: 'flag', reason: null, rows }] : [];
}

/** Keeps finished rounds; a disk that is full now may have room at the end, so the run goes on. */
async function keepPartial(
	raw: Raw,
	path: string | undefined,
	{ janitor, progress }: Pick<Tools, 'janitor' | 'progress'>,
): Promise<void> {
	if (path === undefined) return;
	try {
		await writeOutput({ flag: '--raw', path, content: renderRaw(raw), guard: janitor.guardDirectory });
	} catch (error) {
		progress.step(`${(error as Error).message} (going on; it is tried again after the next round)`);
	}
}
