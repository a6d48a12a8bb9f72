/** `benchgate gather` for a ranking: one ranking of the logs of its shards. */
import { dirname } from 'node:path';
import { flagsError } from '../../config/read-flags.ts';
import { checkOutputs } from '../../output/write-outputs.ts';
import { FLAG_FORMATS, MEASURE_FORMAT_NAMES } from '../../report/formats.ts';
import { LOG_FILE } from '../../runs/measure/measure-store.ts';
import { listFiles } from '../../runs/shards/read-folder.ts';
import { readRun, reportRuns } from '../measure/measure-servers.ts';
import type { ReportFlags } from '../write-reports.ts';

/** What is said of a comparison alone. */
const OF_COMPARISONS = ['accept', 'verbose', ...FLAG_FORMATS].filter(
	(name) => !MEASURE_FORMAT_NAMES.includes(name as never),
);

/** Returns the folders of the rankings in `folder`, and in the folders in it. */
export function findRankings(folder: string): string[] {
	return listFiles(folder, (name) => name === LOG_FILE).map((path) => dirname(path));
}

/** Makes one ranking of the shards in these folders, prints and writes it, and returns its exit code: it gates nothing. */
export async function gatherLogs(folders: readonly string[], flags: ReportFlags): Promise<number> {
	const given: Readonly<Record<string, unknown>> = { ...flags };
	const complaints = OF_COMPARISONS.filter((name) => given[name] !== undefined);
	if (complaints.length > 0) throw flagsError(complaints.map((name) => `--${name}: not for a ranking`));
	checkOutputs(flags, MEASURE_FORMAT_NAMES);
	const runs = await Promise.all(folders.map((name) => readRun(name, name)));
	return reportRuns(runs, Object.fromEntries(MEASURE_FORMAT_NAMES.map((name) => [name, given[name]])));
}
