/** `benchgate baseline measure`: words and flags only, so that `--help` is quick. What it does is loaded when it runs. */
import type { Command } from 'commander';
import { addOptions } from '../option-flags.ts';
import type { MeasureFlags } from './measure-command.ts';
import { DEFAULT_STORE } from './store-place.ts';

/** The part of the commands' bundle that is needed here. */
export interface MeasureBundle {
	readonly runMeasureCommand: (flags: MeasureFlags) => Promise<number>;
}

const NOTES = `
Measures the branch against its last release. Nothing is stored without --save.

Exit codes:
  0  measured, or nothing to measure; also when the branch is slower, unless --drift enforce
  1  with --drift enforce: a row is slower than the anchor by more than --drift-threshold
  2  bad usage or config
  3  nothing could be measured
  130  interrupted; what was measured is in --json
`;

/** Gives `benchgate baseline` the subcommand that it means when none is named. */
export function addMeasure(baseline: Command, load: () => Promise<MeasureBundle>): void {
	const measure = baseline
		.command('measure', { isDefault: true })
		.description('measure a commit against the last release (the same without a subcommand)');
	addOptions(measure, 'baseline')
		.option('--store <place>', 'where earlier baselines are: branch:NAME or dir:PATH', DEFAULT_STORE)
		.option('--save', 'add what was measured to them')
		.option('--json <file>', 'write the records, one JSON document a line')
		.option('--markdown <file>', 'write the report as GitHub-flavoured Markdown')
		.option('--quiet', 'no progress, only the report')
		.addHelpText('after', NOTES)
		.action(async (flags: MeasureFlags) => {
			process.exitCode = await (await load()).runMeasureCommand(flags);
		});
}
