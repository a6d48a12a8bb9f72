/** Usage errors: each is reported before any preparation or measurement, with exit code 2. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { LEAST_NODE } from '../../src/process/platforms.ts';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	configOf,
	makePlayground,
} from '../support/cli.ts';

const playground = makePlayground(
	{ after },
	{ ...behavingSides({ api: '' }), 'benchgate.yml': configOf([behavingServer('api')]) },
);
const SIDES = ['--base', 'dir:base', '--head', 'dir:head'];
const HINT = '(benchgate --help lists the commands and options)\n';
const hintOf = (command: string) => `(benchgate ${command} --help lists its options)\n`;

/** Arguments, and the whole of stderr. */
const REFUSED: readonly [readonly string[], string][] = [
	[['frobnicate'], `error: unknown command 'frobnicate'\n${HINT}`],
	[['comapre'], `error: unknown command 'comapre'\n(Did you mean compare?)\n${HINT}`],
	[
		['compare', ...SIDES, '--budegt', '5s'],
		`error: unknown option '--budegt'\n(Did you mean --budget?)\n${hintOf('compare')}`,
	],
	[
		['compare', '--head', 'dir:head'],
		'benchgate: missing --base: the revision to compare head with\nTo fix it: add it, e.g. --base main; to compare two runtimes on one commit: --base-runtime node@22 --head-runtime node@24\n',
	],
	[['judge'], `error: missing required argument 'raw.json'\n${hintOf('judge')}`],
	[
		['bisect', '--good', 'v1', '--scenario', 'ok'],
		`error: required option '--bad <commit>' not specified\n${hintOf('bisect')}`,
	],
	[
		['bisect', '--good', 'v1', '--bad', 'main'],
		`error: required option '--scenario <names>' not specified\n${hintOf('bisect')}`,
	],
	[
		['bisect', '--good', 'v1', '--bad', 'main', '--scenario', 'ok,ping', '--server', 'api,koa'],
		'benchgate: --scenario: a bisect follows one row, and these are 2: api/ok, koa/ping\nTo fix it: name one server and one scenario: --server NAME --scenario NAME\n',
	],
	...(
		[
			['--threshold', '0%', 'not allowed; a percentage above 0% and below 100%, e.g. 5%'],
			['--threshold', '200%', 'not allowed; a percentage above 0% and below 100%, e.g. 5%'],
			['--budget', 'soon', 'not allowed; a duration in ms, s, m or h, e.g. 90s or 10m'],
			[
				'--base-runtime',
				'nod@22',
				'not allowed; node@22, node@22.12.0, bun, bun@1, deno or deno@2; node alone is the Node at hand',
			],
			['--rounds', '1', 'not allowed; a whole number from 2 to 1000'],
			['--design', 'duel', 'not allowed; one of duet, alternating, sequential; did you mean "duet"?'],
			['--on-inconclusive', 'maybe', 'not allowed; one of pass, fail, neutral'],
			['--server', 'expres', '"expres" is not a server; did you mean "express"?'],
			['--server', 'apo', '"apo" is not a server; did you mean "api"?'],
			['--scenario', 'pingg', '"pingg" is not a scenario; did you mean "ping"?'],
		] as const
	).map(([flag, value, form]): [string[], string] => [
		['compare', ...SIDES, flag, value],
		`benchgate: ${flag} ${value}: ${form}\n`,
	]),
	[
		['compare', '--plan', 'nope.json', '--shard', '1'],
		'benchgate: --plan nope.json: there is no such file\nTo fix it: check the path\n',
	],
	[
		['baseline', 'site', '--store', 'dir:nope'],
		'benchgate: --store dir:nope: there are no baselines to draw\nTo fix it: name the place that has them: branch:NAME or dir:PATH; or measure one: benchgate baseline --save\n',
	],
	[
		['compare', ...SIDES, '--config', 'nope.yml'],
		'benchgate: nope.yml: there is no such config\nTo fix it: check the path given with --config, or write a config with benchgate init\n',
	],
	[
		['compare', ...SIDES, '--html', 'nowhere/report.html'],
		'benchgate: --html nowhere/report.html: the file cannot be written: the folder does not exist; nothing was left half-written\nTo fix it: create the folder first\n',
	],
	[
		['compare', ...SIDES, '--raw', 'base'],
		'benchgate: --raw base: the file cannot be written: that is a folder; nothing was left half-written\nTo fix it: name a file in it\n',
	],
	[
		['compare', ...SIDES, '--node', '/bin/false'],
		'benchgate: --node /bin/false: that is not a Node binary that runs here\nTo fix it: give the path of a Node binary, e.g. --node "$(command -v node)"\n',
	],
];

for (const [args, stderr] of REFUSED) {
	test(`benchgate ${args.join(' ')}`, async () => {
		const run = await playground.run(args);
		assertExit(run, 2);
		assert.equal(run.stderr, stderr);
		assert.equal(run.stdout, '');
	});
}

test('a Node that is too old is named before any work, and help still works on it', async () => {
	const old = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
	const env = { NODE_OPTIONS: `--import=data:text/javascript,${old}` };
	for (const args of [['compare', ...SIDES], ['list'], ['judge', 'raw.json']]) {
		const run = await playground.run(args, { env });
		assertExit(run, 2);
		const node = process.execPath;
		assert.equal(
			run.stderr,
			`benchgate: ${node}: Node 20.20.2 is too old for benchgate, which needs Node 22 or later\nTo fix it: run benchgate with a newer Node; to measure servers on this one, add --node ${node}\n`,
		);
		assert.equal(run.stdout, '');
	}
	assertExit(await playground.run(['--help'], { env }), 0);
});

test('a missing driver is named before any installation, with how to get it', async () => {
	// PATH contains only Node.
	const env = { PATH: dirname(process.execPath) };
	for (const [driver, remedy] of [
		['wrk', 'Debian and Ubuntu: apt-get install wrk'],
		['k6', 'go install go.k6.io/k6@latest, or https://grafana.com/docs/k6/latest/set-up/install-k6/'],
	] as const) {
		const run = await playground.run(['measure', '--preset', 'seed-blog', '--driver', driver], { env });
		assertExit(run, 2);
		assert.equal(
			run.stderr,
			`benchgate: --driver ${driver}: the program ${driver} is not installed\nTo fix it: install it (${remedy}), or leave --driver out: benchgate loads the servers then\n`,
		);
	}
});

test('the required Node of benchgate is that of package.json and of the build', () => {
	assert.equal(manifest.engines.node, `>=${LEAST_NODE}`);
	assert.match(
		readFileSync(join(TOOL_ROOT, 'scripts', 'build.ts'), 'utf8'),
		new RegExp(`target: 'node${LEAST_NODE}',`),
	);
});

test('several wrong flags are reported at once', async () => {
	const run = await playground.run(['compare', ...SIDES, '--threshold', '5', '--seed', '-3']);
	assertExit(run, 2);
	assert.equal(
		run.stderr,
		'benchgate: --threshold 5: not allowed; a percentage above 0% and below 100%, e.g. 5%\n--seed -3: not allowed; a whole number from 0\n',
	);
});

test('a config is refused with file, line, key, value, allowed form and nearest word, all at once', async () => {
	playground.write({
		'wrong.yml': `servers:
  - name: api
    comand: node x
    command: [1]
budgte: 10m
threshold: 0.05
scenarios:
  - name: ok
    request: { method: GET, path: ok }
`,
	});
	const run = await playground.run(['compare', ...SIDES, '--config', 'wrong.yml']);
	assertExit(run, 2);
	assert.equal(
		run.stderr,
		`benchgate: wrong.yml:3: servers[0].comand: unknown key; did you mean "command"?
wrong.yml:4: servers[0].command: a list is not allowed; text, e.g. node server.js
wrong.yml:5: budgte: unknown key; did you mean "budget"?
wrong.yml:6: threshold: 0.05 is not allowed; a percentage above 0% and below 100%, e.g. 5%
wrong.yml:8: scenarios[0]: expect is missing; a mapping such as { status: 200 }
wrong.yml:9: scenarios[0].request.path: "ok" is not allowed; a path that starts with "/", percent-encoded, without "#", e.g. /users?page=2
`,
	);
});

test('a config that is no YAML is refused with its line', async () => {
	playground.write({ 'broken.yml': 'servers: [1\nthreshold: 5%\n' });
	const run = await playground.run(['compare', ...SIDES, '--config', 'broken.yml']);
	assertExit(run, 2);
	assert.match(run.stderr, /^benchgate: broken\.yml:\d+: column \d+: /);
});

test('the bare command shows the help, on stderr because no command was given', async () => {
	const run = await playground.run([]);
	assertExit(run, 2);
	assert.match(run.stderr, /^Usage: benchgate \[options\] \[command\]\n/);
	assert.equal(run.stdout, '');
});

test('--help and --version are answered on stdout', async () => {
	const help = await playground.run(['compare', '--help']);
	assertExit(help, 0);
	assert.match(help.stdout, /^Usage: benchgate compare \[options\]\n/);
	const version = await playground.run(['--version']);
	assertExit(version, 0);
	assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
});

test('every --help fits into 80 columns, and has examples and exit codes where it measures or judges', async () => {
	const names = 'compare judge plan gather selftest bisect measure check explain init'.split(' ');
	const commands = [[], ['baseline', 'measure'], ...names.map((name) => [name])];
	for (const command of commands) {
		const { stdout } = await playground.run([...command, '--help']);
		const wide = stdout.split('\n').filter((line) => line.length > 80);
		assert.deepEqual(wide, [], command.join(' '));
		assert.match(stdout, /^Examples:\n[\s\S]*^Exit codes:\n/m, command.join(' '));
	}
});

test('a reader that leaves early is no error', async () => {
	const run = await playground.run(['list'], { through: ['sh', '-c', '"$@" | true', 'sh'] });
	assert.equal(run.stderr, '');
	assert.equal(run.code, 0);
});

test('a full disk under stdout is a message with exit code 2, not a crash that looks like a failed gate', async () => {
	const run = await playground.run(['list'], { through: ['sh', '-c', '"$@" >/dev/full', 'sh'] });
	assertExit(run, 2);
	assert.match(run.stderr, /^benchgate: stdout: the report cannot be printed: the disk is full\nTo fix it: /);
});

test('none of these prepared anything', async () => {
	assert.throws(() => playground.read('../cache/logs'), { code: 'ENOENT' });
	await assertNoProcess(playground);
});

// Resolving a revision makes folders in the cache.
test('a baseline calls its base the anchor', async () => {
	const run = await playground.run(['baseline', '--anchor', 'nowhere', '--server', 'express', '--scenario', 'ping']);
	assertExit(run, 2);
	assert.match(run.stderr, /^benchgate: --anchor: "nowhere" is not a revision\. /m);
});
