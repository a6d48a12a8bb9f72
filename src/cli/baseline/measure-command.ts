import { readBaselineRequest } from '../../config/load-request.ts';
import type { OptionTexts } from '../../config/option-names.ts';
import { baselineExitCode } from '../../judge/baseline/baseline-exit-code.ts';
import { writeOutput } from '../../output/write-files.ts';
import { checkOutputs, writeOutputs } from '../../output/write-outputs.ts';
import { renderRecords } from '../../report/baseline/baseline-json.ts';
import { renderBaselineMarkdown } from '../../report/baseline/baseline-markdown.ts';
import { renderBaselineReport } from '../../report/baseline/baseline-terminal.ts';
import { openLocalCommits } from '../../runs/baseline/local-commits.ts';
import { runBaseline } from '../../runs/baseline/run-baseline.ts';
import type { BaselineRecord, BaselineRun } from '../../types/baseline.ts';
import type { Progress } from '../../types/run-services.ts';
import { type MeasuringFlags, measureAndReport } from '../measuring.ts';
import { printReport } from '../print-report.ts';

/** Flags of `benchgate baseline measure` as the command line gives them. */
export interface MeasureFlags extends OptionTexts, MeasuringFlags {
	readonly json?: string;
	readonly markdown?: string;
}

const RENDERERS = {
	json: (run: BaselineRun) => renderRecords(run.records),
	markdown: renderBaselineMarkdown,
};

/** Measures a commit against its anchor, prints the report, writes the files asked for, and returns the exit code. */
export async function runMeasureCommand(flags: MeasureFlags): Promise<number> {
	const cwd = process.cwd();
	checkOutputs(filesIn(flags), ['json', 'markdown']);
	const request = await readBaselineRequest(cwd, flags);
	return measureAndReport(
		flags,
		async (tools) => {
			const commits = openLocalCommits({ ...tools, cwd, subject: request.config.subject });
			const head = await commits.findHead(flags.head ?? 'HEAD');
			const { anchor = 'auto' } = flags;
			return runBaseline({
				...tools,
				cwd,
				config: request.config,
				precision: request.precision,
				head,
				given: anchor === 'auto' ? null : await commits.findGiven(anchor),
				release: anchor === 'auto' ? await commits.findRelease(head) : null,
				earlier: [],
				run: { id: `by-hand-${crypto.randomUUID()}`, attempt: 1, url: null },
				skipUnchanged: true,
				findAnchor: commits.findAnchor,
				reproduce: ({ base, head: measured }) => request.reproduce(base, measured),
				keep: (records) => keepPartial(records, flags.json, tools.progress),
			});
		},
		async (run) => {
			printReport((style) => renderBaselineReport(run, style));
			await writeOutputs(filesIn(flags), RENDERERS, run);
			return baselineExitCode(run, request.drift);
		},
	);
}

function filesIn({ json, markdown }: MeasureFlags): Pick<MeasureFlags, 'json' | 'markdown'> {
	return { ...(json !== undefined && { json }), ...(markdown !== undefined && { markdown }) };
}

/** Keeps finished rounds; a disk that is full now may have room at the end, so the run goes on. */
async function keepPartial(
	records: readonly BaselineRecord[],
	path: string | undefined,
	progress: Progress,
): Promise<void> {
	if (path === undefined) return;
	try {
		await writeOutput({ flag: '--json', path, content: renderRecords(records) });
	} catch (error) {
		progress.step(`${(error as Error).message} (going on; it is tried again after the next round)`);
	}
}
