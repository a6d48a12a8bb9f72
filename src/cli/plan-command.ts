import { readRequest } from '../config/load-request.ts';
import { type OptionTexts, optionsOf, withDefaults } from '../config/option-names.ts';
import { flagsError, readSome } from '../config/read-flags.ts';
import { withBothRevisions } from '../config/resolve-request.ts';
import { renderPlan } from '../formats/plan-file.ts';
import { parseRaw } from '../formats/raw/raw-file.ts';
import { checkWritable, writeOutput } from '../output/write-files.ts';
import { earlierCosts } from '../plan/shards/shard-costs.ts';
import { toTerminal } from '../report/document/terminal-writer.ts';
import { planDocument } from '../report/plan-document.ts';
import { planMatrix } from '../runs/plan-shards.ts';
import { readNamedFile } from '../runs/read-named-file.ts';
import { findUnchanged } from '../runs/run-comparison.ts';
import { EXIT } from '../types/errors.ts';
import type { Raw } from '../types/result.ts';
import { toolVersion } from '../version.ts';
import { sayUnchanged } from './compare-command.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { printReport } from './write-reports.ts';

export interface PlanFlags extends OptionTexts, MeasuringFlags {
	readonly dryRun?: boolean;
	/** As in a comparison, skipped rows get no machine. */
	readonly skipUnchanged?: boolean;
}

export async function runPlanCommand(typedFlags: PlanFlags): Promise<number> {
	const flags = withBothRevisions(typedFlags);
	const cwd = process.cwd();
	const { out = '', shards = '' } = withDefaults('plan', flags);
	const complaints: string[] = [];
	const { shards: count } = readSome({ shards }, ['shards'], complaints);
	if (count === undefined) throw flagsError(complaints);
	if (!flags.dryRun) checkWritable('--out', out);
	const costs = flags.costs === undefined ? null : earlierCosts(readEarlier(flags.costs));
	const { config, harnessFrom } = await readRequest(cwd, flags);
	return measureAndReport(
		flags,
		async (tools) => {
			const comparison = { ...tools, config, revisions: { base: flags.base, head: flags.head }, cwd, harnessFrom };
			const sources = flags.skipUnchanged ? await findUnchanged(comparison) : null;
			if (sources?.unchanged) return null;
			const { sameCode = [], warnings = [] } = sources ?? {};
			for (const { message } of warnings) tools.progress.step(message);
			const options = typed(flags, config.seed);
			// Without a server in the checkout, all rows are skipped or none, and a comparison on one machine
			// decides that.
			const skipUnchanged = sources !== null && !sources.mayBeUnchanged;
			return planMatrix({
				...comparison,
				count,
				known: costs,
				options,
				skipUnchanged,
				...(sameCode.length > 0 && { sameCode }),
			});
		},
		async (plan, { guardDirectory }) => {
			if (plan === null) return sayUnchanged('so there is nothing to divide');
			if (!flags.dryRun) {
				await writeOutput({ flag: '--out', path: out, content: renderPlan(plan), guard: guardDirectory });
			}
			printReport((style) => toTerminal(planDocument(plan, flags.dryRun ? 'nowhere' : { file: out }), style));
			return EXIT.passed;
		},
	);
}

function typed(flags: PlanFlags, seed: number): Readonly<Record<string, string>> {
	const optionNames = new Set(optionsOf('plan').flatMap(([name, { uses }]) => (uses.compare ? [name] : [])));
	const entries = Object.entries(flags).flatMap(([name, text]) =>
		typeof text === 'string' && optionNames.has(name as never) ? [[name, text] as const] : [],
	);
	return { ...Object.fromEntries(entries), seed: String(seed) };
}

function readEarlier(path: string): Raw {
	const remedy = 'name a file written by `benchgate compare --raw` or `benchgate gather --raw`, or leave --costs out';
	return parseRaw(readNamedFile(path, { remedy, flag: '--costs' }), path, toolVersion());
}
