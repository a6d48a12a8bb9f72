import { readRequest } from '../config/load-request.ts';
import { flagOf, OPTION_NAMES, type OptionName, type OptionTexts, optionOf } from '../config/option-names.ts';
import { flagsError, readSome } from '../config/read-flags.ts';
import type { CompareOptions } from '../config/resolve-request.ts';
import { parsePlan } from '../formats/plan-file.ts';
import { renderRaw } from '../formats/raw/raw-file.ts';
import { checkWritable, writeOutput } from '../output/write-files.ts';
import { FLAG_FORMATS } from '../report/formats.ts';
import { describeShardRun, shardFile } from '../report/shard-words.ts';
import { readNamedFile } from '../runs/read-named-file.ts';
import { runShard } from '../runs/run-shard.ts';
import { EXIT } from '../types/errors.ts';
import type { Raw } from '../types/result.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { keepPartial, type ReportFlags } from './write-reports.ts';

/** Flags of `benchgate compare --plan`. */
export type ShardFlags = OptionTexts & ReportFlags & MeasuringFlags & { readonly skipUnchanged?: boolean };

/** Run id of a shard outside a workflow. */
const LOCAL = 'local';
const PART: readonly OptionName[] = ['plan', 'shard', 'attempt'];
/** Options on how each machine measures, not on how results are decided. */
const HERE = OPTION_NAMES.filter((name) => {
	const { compare, gather } = optionOf(name).uses;
	return compare?.here && !gather && !PART.includes(name);
});

/**
 * Measures one shard. Returns 0 even if rows are slower, because only gathering decides; 3 if the shard does not match
 * the plan, 130 if interrupted.
 */
export async function runShardCommand(flags: ShardFlags): Promise<number> {
	const cwd = process.cwd();
	const { shard, attempt } = readNumbers(flags);
	const path = flags.plan ?? '';
	const plan = parsePlan(readNamedFile(path, { what: 'plan', flag: '--plan' }), path);
	const raw = flags.raw ?? shardFile({ shard, of: plan.shards.length, attempt });
	checkWritable('--raw', raw);
	const planned = {
		...plan.options,
		...Object.fromEntries(HERE.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]))),
	} as unknown as CompareOptions;
	const { config, reproduce, harnessFrom } = await readRequest(cwd, planned);
	return measureAndReport(
		flags,
		async (tools) => {
			const keep = (partial: Raw) => keepPartial(partial, raw, tools);
			const shardRun = { plan, shard, attempt, runId: LOCAL };
			return runShard({ ...tools, ...shardRun, config, cwd, reproduce, harnessFrom, keep });
		},
		async (measured, { guardDirectory }) => {
			await writeOutput({ flag: '--raw', path: raw, content: renderRaw(measured), guard: guardDirectory });
			process.stdout.write(`${describeShardRun(measured, raw)}\n`);
			return measured.ended === 'interrupted' ? EXIT.interrupted : EXIT.passed;
		},
	);
}

function readNumbers(flags: ShardFlags): { readonly shard: number; readonly attempt: number } {
	const complaints: string[] = [];
	if (!flags.shard?.trim()) complaints.push('--plan: needs --shard NUMBER, which part of the plan to measure');
	const { shard = 1, attempt = 1 } = readSome(flags, ['shard', 'attempt'], complaints);
	const foreignFlags = OPTION_NAMES.filter((name) => flags[name] !== undefined && ![...PART, ...HERE].includes(name));
	const files = FLAG_FORMATS.filter((name) => name !== 'raw' && flags[name] !== undefined);
	for (const name of foreignFlags) {
		const why = optionOf(name).uses.gather ? 'say it to benchgate gather' : 'the plan says it already';
		complaints.push(`${flagOf(name)}: not with --plan; ${why}`);
	}
	if (flags.skipUnchanged) complaints.push('--skip-unchanged: not with --plan; the plan says it already');
	if (flags.skipUnaffected === 'true')
		complaints.push('--skip-unaffected true: not with --plan, which measures all its rows');
	for (const name of files) complaints.push(`--${name}: not with --plan; say it to benchgate gather`);
	if (complaints.length > 0) throw flagsError(complaints);
	return { shard, attempt };
}
