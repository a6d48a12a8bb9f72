/** `benchgate gather`. */
import { dirname } from 'node:path';
import { flagOf, type OptionTexts } from '../config/option-names.ts';
import { OPTIONS } from '../config/options.ts';
import { flagsError } from '../config/read-flags.ts';
import { acceptRedRows } from '../judge/acceptance.ts';
import { exitCode } from '../judge/gate.ts';
import { gatherShards } from '../judge/gather-shards.ts';
import { summarise } from '../judge/summarise.ts';
import { warn } from '../judge/warnings.ts';
import { checkOutputs } from '../output/write-files.ts';
import { FLAG_FORMATS, MEASURE_FORMAT_NAMES } from '../report/formats.ts';
import { LOG_FILE } from '../runs/ranking/ranking-store.ts';
import { listFiles, readShardFolder, type ShardFolder } from '../runs/shards/read-folder.ts';
import type { Raw } from '../types/result.ts';
import { readLocalPlace } from './baseline/local-store.ts';
import { acceptedBy, tellBaselines } from './compare-command.ts';
import { measureAndReport } from './measuring.ts';
import { readRun, reportRuns } from './ranking-command.ts';
import { type ReportFlags, writeReports } from './write-reports.ts';

/** Flags that only comparisons have. */
const OF_COMPARISONS = ['accept', 'verbose', ...FLAG_FORMATS].filter(
	(name) => !MEASURE_FORMAT_NAMES.includes(name as never),
);

export interface GatherFlags extends Pick<OptionTexts, 'accept' | 'plan'>, ReportFlags {
	readonly store: string;
}

/** Decides a plan from its shards' files, or merges shards of a ranking. */
export async function runGatherCommand(folder: string, flags: GatherFlags): Promise<number> {
	const rankings = flags.plan === undefined ? findRankings(folder) : [];
	if (rankings.length > 0) return gatherLogs(rankings, flags);
	checkOutputs(flags, FLAG_FORMATS);
	checkAccept(flags.accept);
	readLocalPlace(flags.store);
	const shardFolder = readShardFolder(folder, flags.plan);
	const gathered = gatherFound(shardFolder);
	return measureAndReport(
		{ quiet: true },
		(tools) => tellBaselines(gathered, { cwd: process.cwd(), store: flags.store, gate: shardFolder.plan.gate }, tools),
		async (raw, { guardDirectory }) => {
			const result = acceptRedRows(summarise(raw), acceptedBy(flags));
			await writeReports(raw, result, flags, guardDirectory);
			return exitCode(result.gate, result.onInconclusive);
		},
	);
}

function gatherFound({ plan, files, unread }: ShardFolder): Raw {
	const raw = gatherShards(plan, files);
	const refusals = unread.map(({ name, why }) => warn('shard-refused', { file: name, why: why.replace(/\.$/, '') }));
	return { ...raw, context: { ...raw.context, warnings: [...refusals, ...raw.context.warnings] } };
}

function checkAccept(accept = ''): void {
	const { kind } = OPTIONS.accept;
	if (accept.trim() === '' || kind.parse(accept.trim()) !== undefined) return;
	throw flagsError([`${flagOf('accept')} ${accept}: not allowed; ${kind.form}`]);
}

function findRankings(folder: string): string[] {
	return listFiles(folder, (name) => name === LOG_FILE).map((path) => dirname(path));
}

/** A ranking has no gate, so it refuses the flags of comparisons. */
async function gatherLogs(folders: readonly string[], flags: ReportFlags): Promise<number> {
	const flagValues: Readonly<Record<string, unknown>> = { ...flags };
	const complaints = OF_COMPARISONS.filter((name) => flagValues[name] !== undefined);
	if (complaints.length > 0) throw flagsError(complaints.map((name) => `--${name}: not for a ranking`));
	checkOutputs(flags, MEASURE_FORMAT_NAMES);
	const runs = await Promise.all(folders.map((name) => readRun(name, name)));
	return reportRuns(runs, Object.fromEntries(MEASURE_FORMAT_NAMES.map((name) => [name, flagValues[name]])));
}
