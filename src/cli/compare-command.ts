/** `benchgate compare`. */

import { readRequest } from '../config/load-request.ts';
import { flagOf, OPTION_NAMES, type OptionName, type OptionTexts, optionOf } from '../config/option-names.ts';
import { OPTIONS } from '../config/options.ts';
import { explainOptionsOf, flagsError, readSome } from '../config/read-flags.ts';
import { type CompareOptions, type Request, withBothRevisions } from '../config/resolve-request.ts';
import { parsePlan } from '../formats/plan-file.ts';
import { renderRawPieces } from '../formats/raw/raw-file.ts';
import { acceptRedRows } from '../judge/acceptance.ts';
import { exitCode } from '../judge/gate.ts';
import { withBaselines } from '../judge/row-drift.ts';
import { summarise } from '../judge/summarise.ts';
import { checkOutputs, checkWritable, writeOutput } from '../output/write-files.ts';
import { leftOutWarnings, planCells } from '../plan/plan-cells.ts';
import { planRun } from '../plan/plan-run.ts';
import { USUAL_SETUP } from '../plan/shards/shard-costs.ts';
import { countingSeconds, estimateSeconds } from '../plan/timing.ts';
import { FLAG_FORMATS } from '../report/formats.ts';
import { describeShardRun, shardFile } from '../report/shard-words.ts';
import { readMainRows } from '../runs/baseline/read-main-rows.ts';
import { explainRun } from '../runs/explain/explain-run.ts';
import { readNamedFile } from '../runs/read-named-file.ts';
import { runComparison } from '../runs/run-comparison.ts';
import { runShard } from '../runs/run-shard.ts';
import { countOf, formatDuration } from '../text/numbers.ts';
import type { Config } from '../types/config.ts';
import { EXIT } from '../types/errors.ts';
import type { Explanation } from '../types/explain.ts';
import type { Raw } from '../types/result.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Acceptance } from '../types/verdict.ts';
import { openLocalStore, readLocalPlace, storeFlag } from './baseline/local-store.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { keepPartial, type ReportFlags, writeReports } from './write-reports.ts';

/** Short, because the comparison can be reported without baselines. */
const PATIENCE_MS = 30_000;

export interface CompareFlags extends OptionTexts, ReportFlags, MeasuringFlags {
	readonly store: string;
	/** Skips servers whose `reads` do not differ, or everything if the code is equal. */
	readonly skipUnchanged?: boolean;
	readonly dryRun?: boolean;
}

export async function runCompareCommand(typedFlags: CompareFlags): Promise<number> {
	if (typedFlags.plan !== undefined) return runShardCommand(typedFlags);
	refuseAlone(typedFlags);
	const flags = withBothRevisions(typedFlags);
	const cwd = process.cwd();
	checkOutputs(flags, FLAG_FORMATS);
	readLocalPlace(flags.store);
	const request = await readRequest(cwd, flags);
	if (flags.dryRun) {
		process.stdout.write(`${describeComparison(request)}\n`);
		return EXIT.passed;
	}
	const { config, reproduce, harnessFrom } = request;
	const accepted = acceptedBy(flags);
	let explanation: Explanation | null = null;
	return measureAndReport(
		flags,
		async (tools) => {
			const measured = await runComparison({
				...tools,
				config,
				revisions: { base: flags.base, head: flags.head },
				cwd,
				reproduce,
				harnessFrom,
				keep: (partial) => keepPartial(partial, flags.raw, tools),
				skipUnchanged: flags.skipUnchanged === true,
				skipUnaffected: config.skipUnaffected === false ? undefined : 'all',
				covers: true,
				afterwards: async (raw, pair, prepared) => {
					explanation = await explainRun(raw, pair, prepared, explainOptionsOf(flags));
				},
			});
			if ('unchanged' in measured) return null;
			return tellBaselines(measured, { cwd, store: flags.store, gate: config.gate }, tools);
		},
		async (raw, { guardDirectory }) => {
			if (raw === null) return sayUnchanged('so nothing was measured');
			const result = acceptRedRows(summarise(raw), accepted);
			await writeReports(raw, result, flags, guardDirectory, explanation);
			return raw.ended === 'interrupted' ? EXIT.interrupted : exitCode(result.gate, config.gate.onInconclusive);
		},
	);
}

export function sayUnchanged(so: string): number {
	process.stdout.write(`Both sides are the same code, ${so}.\n`);
	return EXIT.passed;
}

function refuseAlone(flags: CompareFlags): void {
	const shardFlags = (['shard', 'attempt'] as const).filter((name) => flags[name] !== undefined);
	if (shardFlags.length > 0) throw flagsError(shardFlags.map((name) => `${flagOf(name)}: only with --plan`));
}

/** The flag's syntax is already checked. */
export function acceptedBy({ accept = '' }: Pick<OptionTexts, 'accept'>): readonly Acceptance[] {
	const rows = OPTIONS.accept.kind.parse(accept.trim());
	return rows ? [{ by: '--accept', via: 'flag', reason: null, rows }] : [];
}

/** Adds main's baselines to raw data if both sides belong to this repository. An unreadable store becomes a warning. */
export async function tellBaselines(
	raw: Raw,
	{ cwd, store, gate }: { readonly cwd: string; readonly store: string; readonly gate: Config['gate'] },
	{ janitor, signal }: { readonly janitor: Pick<Janitor, 'guardDirectory'>; readonly signal: AbortSignal },
): Promise<Raw> {
	const { base, head } = raw.context;
	if (signal.aborted || raw.ended === 'interrupted' || base.kind !== 'git' || !['git', 'dir'].includes(head.kind))
		return raw;
	const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
	const open = () => openLocalStore({ cwd, store, janitor, signal: patience });
	const { rows, warnings } = await readMainRows(open, signal);
	const rawWithBaselines = withBaselines(raw, rows, gate);
	const isMissing = gate.drift === 'enforce' && rows.length === 0 && warnings.length === 0;
	const missing = {
		code: 'no-baselines',
		message: `The gate enforces drift, but ${store} has no baselines, so drift was not judged. On the main branch, measure and store one: benchgate baseline --save${storeFlag({ store })}`,
	};
	const more = isMissing ? [missing] : warnings;
	return {
		...rawWithBaselines,
		context: { ...rawWithBaselines.context, warnings: [...rawWithBaselines.context.warnings, ...more] },
	};
}

/** Returns lines on cells and time, if both sides have all servers. */
export function describeComparison({ config, reproduce }: Request): string {
	const names = config.servers.map(({ name }) => name);
	const { cells, leftOut } = planCells(config, { servers: { base: names, head: names } });
	const { looks, design, timing, budgetSeconds } = planRun(config, cells, []);
	const counting = countingSeconds(cells, config.gate.metrics, budgetSeconds);
	const secondsOf = (rounds: number) => estimateSeconds(cells, rounds, design, timing) + counting;
	const [first, last] = [looks[0]?.rounds ?? 0, looks.at(-1)?.rounds ?? 0];
	const most = Math.min(secondsOf(last), budgetSeconds);
	const least = Math.min(secondsOf(first), most);
	const minutes = (seconds: number) => formatDuration(60 * Math.ceil(seconds / 60));
	const cut =
		secondsOf(first) > budgetSeconds
			? [
					`The budget is too little for ${countOf(first, 'round')}: --budget ${Math.ceil(secondsOf(first) / 60)}m is enough.`,
				]
			: [];
	return [
		`${countOf(names.length, 'server')}: ${names.join(', ')}`,
		`${countOf(config.scenarios.length, 'scenario')}: ${config.scenarios.map(({ name }) => name).join(', ')}`,
		`${countOf(cells.length, 'cell')}, each on base and head.`,
		...leftOutWarnings(leftOut).map(({ message }) => message),
		'',
		`Install and build    about ${formatDuration(USUAL_SETUP)}: an estimate for a first run; later ones find most of it in the cache`,
		`Measuring            ${formatDuration(least)} (${countOf(first, 'round')}, the fewest that decide) to ${formatDuration(most)} (${secondsOf(last) > budgetSeconds ? 'the budget' : countOf(last, 'round')}): estimates`,
		...(counting > 0 ? [`  of which counting  ${formatDuration(counting)}, after all rounds`] : []),
		`In all               ${minutes(USUAL_SETUP + least)} to ${minutes(USUAL_SETUP + most)}`,
		...cut,
		'',
		`Run it: ${reproduce}`,
	].join('\n');
}

/** Flags of `benchgate compare --plan`. */
type ShardFlags = OptionTexts & ReportFlags & MeasuringFlags & { readonly skipUnchanged?: boolean };

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
async function runShardCommand(flags: ShardFlags): Promise<number> {
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
			await writeOutput({ flag: '--raw', path: raw, content: renderRawPieces(measured), guard: guardDirectory });
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
		const why = optionOf(name).uses.gather ? 'pass it to benchgate gather' : 'the plan already sets it';
		complaints.push(`${flagOf(name)}: not with --plan; ${why}`);
	}
	if (flags.skipUnchanged) complaints.push('--skip-unchanged: not with --plan; the plan already sets it');
	if (flags.skipUnaffected === 'true')
		complaints.push('--skip-unaffected true: not with --plan, which measures all its rows');
	for (const name of files) complaints.push(`--${name}: not with --plan; pass it to benchgate gather`);
	if (complaints.length > 0) throw flagsError(complaints);
	return { shard, attempt };
}
