import type { Command } from 'commander';
import { fileFlags } from '../../report/formats.ts';
import { DEFAULT_STORE } from '../../types/shared-names.ts';
import { addOptions } from '../option-flags.ts';
import type { MeasureFlags } from './measure-command.ts';

const NOTES = `
Measures the branch against its last release. Nothing is stored without --save.

Examples:
  $ benchgate baseline --save
  $ benchgate baseline --anchor v5.0.0 --scenario ping

Exit codes:
  0  measured, or nothing to measure; also when the branch is slower, unless
     --drift enforce
  1  with --drift enforce: a row is slower than the anchor by more than
     --drift-threshold
  2  bad usage or config
  3  nothing could be measured
  130  interrupted; what was measured is in --json
`;

const STORE = ['--store <place>', 'where baselines are kept: branch:NAME or dir:PATH', DEFAULT_STORE] as const;

export function addStoreCommands(baseline: Command): void {
	baseline
		.command('list')
		.description('show the stored baselines, newest first')
		.option(...STORE)
		.option('--limit <count>', 'how many', '30')
		.option('--json', 'as JSON, whole')
		.option('--rows', 'show where each row stands instead, with its latest change and drift')
		.action(async (flags) => {
			const { runBaselineList } = await import('./list-baselines.ts');
			process.exitCode = await runBaselineList(flags);
		});
	baseline
		.command('show')
		.description('show everything stored about a commit')
		.argument('<commit>', 'its hash, the beginning of its hash, or its label')
		.option(...STORE)
		.action(async (commit: string, flags) => {
			const { runBaselineShow } = await import('./list-baselines.ts');
			process.exitCode = await runBaselineShow(commit, flags);
		});
	baseline
		.command('export')
		.description('write the stored baselines in another format')
		.option(...STORE)
		.option('--format <name>', 'csv, ndjson, data.js (github-action-benchmark) or bencher', 'csv')
		.option('--commit <commit>', 'only those of one commit')
		.option('--output <file>', 'file to write (default: standard output)')
		.action(async (flags) => {
			const { runBaselineExport } = await import('./export-baselines.ts');
			process.exitCode = await runBaselineExport(flags);
		});
	baseline
		.command('import')
		.description(
			'add baselines from files: our own, a data.js or JSON of github-action-benchmark, Bencher Metric Format',
		)
		.argument('<files...>')
		.option(...STORE)
		.option('--commit <revision>', 'the commit that was measured, if the file does not name it')
		.action(async (files: string[], flags) => {
			const { runBaselineImport } = await import('./import-baselines.ts');
			process.exitCode = await runBaselineImport(files, flags);
		});
	baseline
		.command('site')
		.description('write the dashboard as static files, or look at it: --open')
		.option(...STORE)
		.option('--output <folder>', 'where to write it', 'benchgate-site')
		.option('--open', 'serve it on this machine and open a browser; writes nothing')
		.action(async (flags) => {
			const { runBaselineSite } = await import('./site-command.ts');
			process.exitCode = await runBaselineSite(flags);
		});
	baseline
		.command('prune')
		.description('show the baselines from before a given day; --yes removes them')
		.option(...STORE)
		.requiredOption('--before <day>', 'older than this day, e.g. 2026-01-31')
		.option('--yes', 'remove them')
		.action(async (flags) => {
			const { runBaselinePrune } = await import('./prune-baselines.ts');
			process.exitCode = await runBaselinePrune(flags);
		});
}

export function addMeasure(baseline: Command): void {
	const measure = baseline
		.command('measure', { isDefault: true })
		.description('measure a commit against the last release (the same without a subcommand)');
	addOptions(measure, 'baseline')
		.option('--store <place>', 'where earlier baselines are: branch:NAME or dir:PATH', DEFAULT_STORE)
		.option('--save', 'add what was measured to them');
	for (const { flag, help } of fileFlags('baseline')) measure.option(flag, help);
	measure
		.option('--quiet', 'no progress, only the report')
		.addHelpText('after', NOTES)
		.action(async (flags: MeasureFlags) => {
			const { runMeasureCommand } = await import('./measure-command.ts');
			process.exitCode = await runMeasureCommand(flags);
		});
}
