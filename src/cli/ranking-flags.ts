import { type Command, Option } from 'commander';
import { fileFlags, PRINTED_FORMATS } from '../report/formats.ts';
import { addOptions } from './option-flags.ts';
import type { RankingFlags } from './ranking-command.ts';

const EXITS = `
Every server is loaded in turn with the reference, in short windows on one CPU,
in rounds with fresh processes. Servers whose intervals overlap share a rank.
With --out, run the same command again to continue one that ended or was killed.

Examples:
  $ benchgate measure --server koa,fastify,express --scenario ping
  $ benchgate measure --out ranking --html ranking.html --budget 1h

Exit codes:
  0  the report is written, however fast the servers are
  2  bad usage or config
  3  nothing could be measured
  130  interrupted; what was measured so far is reported, and kept with --out
`;

type Commands = () => Promise<{ runRankingCommand(flags: RankingFlags): Promise<number> }>;

export function addRanking(program: Command, load: Commands): void {
	const measure = program
		.command('measure')
		.description('rank servers by how fast they are in each scenario, with intervals');
	addOptions(measure, 'measure')
		.option('--out <folder>', 'keep every round and the reports there, and continue from what is there')
		.option('--merge <folders>', 'measure nothing: join the runs in these folders, separated by commas')
		.option('--dry-run', 'only print what would be measured and how long it takes');
	measure.addOption(new Option('--format <name>', 'what is printed (default: terminal)').choices([...PRINTED_FORMATS]));
	for (const { flag, help } of fileFlags('measure')) measure.option(flag, help);
	measure
		.option('--quiet', 'no progress, only the report')
		.addHelpText('after', EXITS)
		.action(async (flags: RankingFlags) => {
			const { runRankingCommand } = await load();
			process.exitCode = await runRankingCommand(flags);
		});
}
