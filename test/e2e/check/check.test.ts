/** `benchgate check`: problems of a comparison before its first load, reported at once, and no traces afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	configOf,
	makePlayground,
} from '../../support/cli.ts';
import { CHECK_SIDES, findingsOf, initRepository, SHOP } from './checking.ts';

test('two measurable sides: exit code 0 and the next command', async (t) => {
	const playground = makePlayground(t, {
		...behavingSides({ api: '' }),
		'benchgate.yml': configOf([behavingServer('api')]),
	});
	const run = await playground.run([...CHECK_SIDES, '--scenario', 'ok']);
	assertExit(run, 0);
	assert.deepEqual(findingsOf(run), [
		'ok config benchgate.yml: api with 1 scenario',
		'ok base base, ready to start 1 server: api',
		'ok head head, ready to start 1 server: api',
		'ok answers 1 cell answered as expected, and alike on both sides, also in a burst of up to 1,200 requests',
		'note sides api: no code differs, so --skip-unchanged skips it',
		'note workflows no workflow uses benchgate, so no pull request is measured',
	]);
	assert.match(run.stdout, /^ok {7}machine {4}\d+ CPU/m);
	assert.match(run.stdout, /^ok {7}isolation {2}none: /m);
	assert.match(
		run.stdout.replace(/\s+/g, ' '),
		/ No problems found\. Next: npx benchgate compare --base dir:base --head dir:head --scenario ok $/,
	);
	assert.equal(run.stderr, '');
	const pinned = await playground.run([...CHECK_SIDES, '--server-cpus', '4000']);
	assertExit(pinned, 2);
	assert.match(pinned.stderr, /CPU 4000 is not among those that benchgate may use/);
	await assertNoProcess(playground);
});

test('an error of a side is reported for every cell, and the others are still checked', async (t) => {
	const servers = ['good', 'bad', 'dead'];
	const playground = makePlayground(t, {
		...behavingSides({ good: '', bad: 'wrong-status', dead: 'exit-at-start' }),
		'benchgate.yml': configOf(servers.map((name) => behavingServer(name))),
		'.github/workflows/bench.yml':
			'on: pull_request_target\njobs: { a: { uses: benchgate/benchgate/.github/workflows/benchmark.yml@v0 } }\n',
	});
	initRepository(playground);
	const run = await playground.run(CHECK_SIDES);
	assertExit(run, 1);
	const findings = findingsOf(run);
	assert.ok(
		findings.includes(
			'ok answers 1 of 3 cells answered as expected, and alike on both sides, also in a burst of up to 1,200 requests',
		),
		run.stdout,
	);
	const problems = findings.filter((line) => line.startsWith('problem '));
	assert.match(
		problems[0] ?? '',
		/^problem answers bad\/ok: head gave a wrong answer to GET \/: status 500 instead of 200/,
	);
	assert.match(problems[1] ?? '', /^problem answers dead\/ok: .*head.*exit code 7/);
	assert.match(problems[2] ?? '', /^problem workflows .*pull_request_target, which benchgate refuses/);
	assert.match(run.stdout, /\n3 problems\. Nothing was measured\.\n$/);
	await assertNoProcess(playground);
});

test('every wrong line of a config is a problem, and the machine is still checked', async (t) => {
	const playground = makePlayground(t, { 'benchgate.yml': 'treshold: 5%\nbudget: soon\n', 'fine.yml': 'seed: 1' });
	const run = await playground.run(['check', '--quiet']);
	assertExit(run, 2);
	assert.deepEqual(findingsOf(run).slice(0, 2), [
		'problem config benchgate.yml:1: treshold: unknown key; did you mean "threshold"?',
		'problem config benchgate.yml:2: budget: "soon" is not allowed; a duration in ms, s, m or h, e.g. 90s or 10m',
	]);
	assert.match(run.stdout, /^ok {7}machine /m);
	const flag = await playground.run(['check', '--server', 'expres', '--config', 'fine.yml']);
	assertExit(flag, 2);
	assert.equal(flag.stdout, '');
});

test('init --try reports its attempts and their outcomes', async (t) => {
	const playground = makePlayground(t, SHOP);
	initRepository(playground);
	const run = await playground.run('init --from openapi.yml --methods DELETE --try --yes'.split(' '));
	assertExit(run, 1);
	assert.match(run.stdout, /^ {2}start {4}node server\.js$/m);
	assert.match(run.stdout, /^ {2}ask {6}GET \/items\?page=2$/m);
	assert.match(run.stdout, /^ {2}ask {6}DELETE \/items\/7$/m);
	const [answered, ...problems] = findingsOf(run).filter((line) => / answers /.test(line));
	assert.match(answered ?? '', /^ok answers 2 of 3 cells /);
	assert.match(problems.join('\n'), /^problem answers shop\/getTotal: .*status 404 instead of 200[^\n]*$/);
	await assertNoProcess(playground);
});

test('init --try without a terminal writes nothing', async (t) => {
	const playground = makePlayground(t, SHOP);
	const run = await playground.run(['init', '--try']);
	assertExit(run, 2);
	assert.equal(
		run.stderr,
		'benchgate: --try: it asks before it runs anything, and this is no terminal to answer in\nTo fix it: add --yes to run what is written without being asked\n',
	);
	assert.throws(() => playground.read('benchgate.yml'), { code: 'ENOENT' });
	assertExit(await playground.run(['init', '--methods', 'GTE']), 2);
	assertExit(await playground.run(['init']), 0);
});
