#!/usr/bin/env node
/** Defines the commands; loads each on demand. */
import './process/no-debugger.ts';
import './process/small-heap.ts';
import { Command, Option } from 'commander';
import { addMeasure, addStoreCommands } from './cli/baseline/baseline-flags.ts';
import { addOptions, MEASURED } from './cli/option-flags.ts';
import { reportError, reportUncaught } from './cli/report-error.ts';
import { requireNode, requirePlatform } from './process/platforms.ts';
import { fileFlags, PRINTED_FORMATS } from './report/formats.ts';
import { EXIT } from './types/errors.ts';
import { DEFAULT_STORE } from './types/shared-names.ts';
import { toolVersion } from './version.ts';

const EXAMPLES = `
Examples:
  your branch against main, uncommitted changes included:
  $ benchgate compare --base main --head .
  two scenarios, a stricter limit, a page with charts:
  $ benchgate compare --base main --head HEAD --scenario ping,json-post \\
      --threshold 3% --html report.html
  two versions of a package, or two runtimes on one commit:
  $ benchgate compare --base npm:express@4.21.2 --head npm:express@5.1.0
  $ benchgate compare --base-runtime node@22 --head-runtime node@24
  what would go wrong, in seconds: build, start, answers, workflows:
  $ benchgate check
  which commit made it slower:
  $ benchgate bisect --good v5.1.0 --bad main --scenario param-json
  which framework is faster:
  $ benchgate measure --server koa,fastify,express --scenario ping
  what can be decided on this machine, and how surely:
  $ benchgate selftest --budget 20m

Exit codes:
  0  gate passed (or inconclusive, because base broke or with
     gate.on-inconclusive pass or neutral)
  1  gate failed: a row regressed, or head broke it, lacks it or answers
     differently, or with --drift enforce adds to drift
  2  bad usage or config
  3  nothing could be measured: a side did not build, or every row is invalid
  130  interrupted; processes are gone, finished rounds are kept in --raw
`;

const COMPARE_HELP = `
Examples:
  $ benchgate compare --base main --head .
  $ benchgate compare --base main --head . --scenario ping --budget 2m
  $ benchgate compare --base npm:koa@2 --head npm:koa@3 --html report.html

Exit codes:
  0  passed, or inconclusive with --on-inconclusive pass or neutral
  1  a row regressed, or head broke it, lacks it or answers differently
  2  bad usage or config
  3  nothing could be measured
  130  interrupted; --raw keeps what was measured

Revisions:
  git:REF           a commit, branch or tag of the repository you are in
  dir:PATH          a folder as it is now, uncommitted changes included
  npm:NAME@VERSION  a published package
  file:PATH.tgz     a packed package
  without a prefix: an existing folder, else a git ref, else NAME@VERSION
`;

const SELFTEST_EXITS = `
Examples:
  $ benchgate selftest
  $ benchgate selftest --server koa --scenario ping --threshold 3% --budget 10m

Servers are compared with themselves, as they are and with head slowed down by
2, 3, 5 and 10 %.

Exit codes:
  0  nothing speaks against the gate on this machine
  1  do not trust the gate on this machine: surely too many false alarms, or
     wrong intervals
  2  bad usage
  3  nothing could be measured
  130  interrupted; what was known so far is reported
`;

const BISECT_EXITS = `
Examples:
  $ benchgate bisect --good v5.1.0 --bad main --scenario param-json
  $ benchgate bisect --good HEAD~40 --bad HEAD --scenario ping --budget 1h

Commits are measured against the good one, a few rounds each. The next commit is
always the one expected to tell most for its time. Run the same command again to
continue one that ended or was killed.

Exit codes:
  0  the first bad commit is named and proven
  1  none was found: the two do not differ, the budget ran out, or the proof
     failed
  2  bad usage or config
  3  nothing could be measured
  130  interrupted; what was measured is kept
`;

const RANKING_EXITS = `
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

const CHECK_EXITS = `
Examples:
  $ benchgate check
  $ benchgate check --base main --head . --server api

Builds both sides, starts every server twice, asks every scenario, as a
comparison does before its first load, and then sends it up to 1,200 requests.
Reads the workflows and the machine. Each finding is ok, a note or a problem,
with what to do about it.

Exit codes:
  0  no problem was found
  1  a scenario cannot be measured: a wrong answer, or a server that broke
  2  bad usage, config or workflow
  3  nothing could be measured: a side did not build, or no scenario is answered
  130  interrupted; processes are gone
`;

const EXPLAIN_EXITS = `
Counts what a request does on both sides: calls of each function, bytes
allocated, promises, reads and writes. Counts are exact on a noisy machine, and
do not show code that got slower with the same calls.

Examples:
  $ benchgate explain raw.json                   rows of a stored run
  $ benchgate explain --base HEAD~1 --head HEAD  every row of two revisions

Exit codes:
  0  reported
  2  bad usage or config
  3  nothing could be measured: a side did not build
  130  interrupted; processes are gone
`;

const INIT_EXITS = `
Examples:
  $ benchgate init --try
  $ benchgate init --from openapi.yml --methods POST

--try runs what the config says in two copies of this folder. It sends only GET
and HEAD requests unless --methods names more.

Exit codes:
  0  the config is written and, where it was tried, no problem was found
  1  a scenario cannot be measured as it was written
  2  bad usage, or there is a config already
  3  what was written does not build, start or answer
  130  interrupted; processes are gone
`;

const PLAN_STEPS = `
Examples:
  $ benchgate plan --base main --head HEAD --shards 4
  then each shard on a machine of its own, which writes one file:
  $ benchgate compare --plan plan.json --shard 1
  then, in the folder with the plan and these files:
  $ benchgate gather .

Exit codes:
  0  the plan is written
  2  bad usage or config
`;

const JUDGE_HELP = `
Examples:
  $ benchgate compare --base main --head . --raw raw.json
  $ benchgate judge raw.json --html report.html

Exit codes:
  0, 1, 3  as of the comparison
  2        bad usage, or not a file of raw data
`;

const GATHER_HELP = `
Examples:
  $ benchgate gather .
  $ benchgate gather shards --plan plan.json --html report.html

Exit codes:
  0, 1, 3  as of a comparison or ranking; rows of a missing shard are not
           decided
  2        bad usage, or files that do not belong together
`;

const SKIP_UNCHANGED = [
	'--skip-unchanged',
	'do not measure servers whose code is the same on both sides (reads in the config lists their code)',
] as const;

const VERBOSE = ['--verbose', 'the whole report: versions, limits, method and every note'] as const;

const program = new Command('benchgate')
	.description(
		'Did this change make the server slower? Runs base and head side by side on one machine and decides with intervals.',
	)
	.version(toolVersion())
	.addHelpText('after', EXAMPLES)
	.showHelpAfterError('(benchgate --help lists the commands and options)')
	.configureHelp({ sortOptions: false, helpWidth: 80 })
	.hook('preAction', () => {
		requirePlatform(process.platform);
		requireNode(process.versions.node, process.execPath);
	})
	.exitOverride();

const compare = program
	.command('compare')
	.description('load base and head side by side, and decide for every server and scenario whether head is slower');
addOptions(compare, 'compare')
	.addOption(new Option(...SKIP_UNCHANGED).helpGroup(MEASURED))
	.option('--dry-run', 'only print what would be measured, and how long it takes')
	.option('--store <place>', 'where baselines of the main branch are: branch:NAME or dir:PATH', DEFAULT_STORE);
for (const { flag, help } of fileFlags('compare')) compare.option(flag, help);
compare
	.option(...VERBOSE)
	.option('--quiet', 'no progress, only the report')
	.addHelpText('after', COMPARE_HELP)
	.action(async (flags) => {
		const { runCompareCommand } = await import('./cli/compare-command.ts');
		process.exitCode = await runCompareCommand(flags);
	});

const judge = program
	.command('judge')
	.description('decide and report again from stored measurements: the same verdicts, without load')
	.argument('<raw.json>', 'file written by compare --raw');
for (const { flag, help } of fileFlags('judge')) judge.option(flag, help);
judge
	.option(...VERBOSE)
	.addHelpText('after', JUDGE_HELP)
	.action(async (file: string, flags) => {
		const { runJudgeCommand } = await import('./cli/judge-command.ts');
		process.exitCode = await runJudgeCommand(file, flags);
	});

const plan = program
	.command('plan')
	.description('divide a comparison among several machines (shards), so that all take about the same time');
addOptions(plan, 'plan');
plan
	.addOption(new Option(...SKIP_UNCHANGED).helpGroup(MEASURED))
	.option('--dry-run', 'only show the shards, and what one more or fewer would cost')
	.option('--quiet', 'no progress, only the plan')
	.addHelpText('after', PLAN_STEPS)
	.action(async (flags) => {
		const { runPlanCommand } = await import('./cli/plan-command.ts');
		process.exitCode = await runPlanCommand(flags);
	});

const gather = program
	.command('gather')
	.description('decide a comparison from the files of its shards, or join the shards of a ranking, into one report')
	.argument('<folder>', 'folder with plan.json and the files of the shards, or with the folders of a ranking');
addOptions(gather, 'gather').option(
	'--store <place>',
	'where baselines of the main branch are: branch:NAME or dir:PATH',
	DEFAULT_STORE,
);
for (const { flag, help } of fileFlags('gather')) gather.option(flag, help);
gather
	.option(...VERBOSE)
	.addHelpText('after', GATHER_HELP)
	.action(async (folder: string, flags) => {
		const { runGatherCommand } = await import('./cli/gather-command.ts');
		process.exitCode = await runGatherCommand(folder, flags);
	});

const selftest = program
	.command('selftest')
	.description('test the gate on this machine: false alarms, known slowdowns, and the threshold it can decide');
addOptions(selftest, 'selftest');
for (const { flag, help } of fileFlags('selftest')) selftest.option(flag, help);
selftest
	.option('--quiet', 'no progress, only the report')
	.addHelpText('after', SELFTEST_EXITS)
	.action(async (flags) => {
		const { runSelftestCommand } = await import('./cli/selftest-command.ts');
		process.exitCode = await runSelftestCommand(flags);
	});

const baseline = program
	.command('baseline')
	.description('measure the main branch against its last release, and manage what is stored');
addMeasure(baseline);
addStoreCommands(baseline);
const bisect = program
	.command('bisect')
	.description('find the commit that made a scenario slower, in spite of noise, and prove it');
addOptions(bisect, 'bisect');
for (const { flag, help } of fileFlags('bisect')) bisect.option(flag, help);
bisect
	.option('--quiet', 'no progress, only the report')
	.addHelpText('after', BISECT_EXITS)
	.action(async (flags) => {
		const { runBisectCommand } = await import('./cli/bisect-command.ts');
		process.exitCode = await runBisectCommand(flags);
	});

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
	.addHelpText('after', RANKING_EXITS)
	.action(async (flags) => {
		const { runRankingCommand } = await import('./cli/ranking-command.ts');
		process.exitCode = await runRankingCommand(flags);
	});

const check = program
	.command('check')
	.description('look for what would stop a comparison: config, builds, covered code, answers, workflows');
addOptions(check, 'check');
check
	.option('--quiet', 'no progress, only the findings')
	.addHelpText('after', CHECK_EXITS)
	.action(async (flags) => {
		const { runCheckCommand } = await import('./cli/check-command.ts');
		process.exitCode = await runCheckCommand(flags);
	});

const explain = program
	.command('explain')
	.description('explain why rows changed: what a request does more often in head than in base, and where')
	.argument('[raw.json]', 'file written by compare --raw; its revisions and rows are explained');
addOptions(explain, 'explain');
for (const { flag, help } of fileFlags('explain')) explain.option(flag, help);
explain
	.option('--quiet', 'no progress, only the report')
	.addHelpText('after', EXPLAIN_EXITS)
	.action(async (file: string | undefined, flags) => {
		const { runExplainCommand } = await import('./cli/explain-command.ts');
		process.exitCode = await runExplainCommand(file, flags);
	});

program
	.command('list')
	.description('show the built-in servers and scenarios')
	.option('--runs <package>', 'only the scenarios and servers that run this npm package under load')
	.action(async (flags) => {
		const { runListCommand } = await import('./cli/list-command.ts');
		await runListCommand(flags);
	});

program
	.command('init')
	.description('write a commented benchgate.yml and the workflows here; never overwrites a file')
	.option('--try', 'then start the servers and send each scenario once, after asking you')
	.option('--yes', 'with --try: do not ask first, for scripts')
	.option('--from <file>', 'OpenAPI 3 document whose operations become scenarios')
	.option('--methods <names>', 'methods that may be sent, besides GET and HEAD, separated by commas')
	.addHelpText('after', INIT_EXITS)
	.action(async (flags) => {
		const { runInitCommand } = await import('./cli/init-command.ts');
		process.exitCode = await runInitCommand(flags);
	});

for (const command of [...program.commands, ...baseline.commands]) {
	const name = command.parent === program ? command.name() : `baseline ${command.name()}`;
	command.showHelpAfterError(`(benchgate ${name} --help lists its options)`);
}
reportUncaught();
try {
	await program.parseAsync();
} catch (error) {
	const code = (error as { code?: string }).code;
	// Commander has already printed help, version or usage error.
	if (code?.startsWith('commander.'))
		process.exitCode = (error as { exitCode: number }).exitCode === 0 ? EXIT.passed : EXIT.usage;
	else process.exitCode = reportError(error, process.stderr);
}
