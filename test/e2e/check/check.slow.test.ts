/** More of `benchgate check`: sides that do not build, its defaults, signals, and a terminal with a user at it. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	CLI,
	configOf,
	makePlayground,
	type Playground,
} from '../../support/cli.ts';
import { stepsOf } from '../../support/pages/tutorial-steps.ts';
import { pickPort } from '../../support/servers/http-server.ts';
import { assertNothingLeft, makeRepository, STARTING } from '../interrupts/interruption.ts';
import { CHECK_SIDES, findingsOf, initRepository, SHOP } from './checking.ts';

test('no measurable cell, and a side that does not build: exit code 3', async (t) => {
	const playground = makePlayground(t, {
		...behavingSides({ api: 'wrong-body' }),
		'benchgate.yml': configOf([behavingServer('api')]),
		'failing.yml': configOf([behavingServer('api')], { prepare: 'echo broken >&2; exit 9' }),
	});
	assertExit(await playground.run(CHECK_SIDES), 3);
	const run = await playground.run([...CHECK_SIDES, '--config', 'failing.yml']);
	assertExit(run, 3);
	assert.match(run.stdout, /^problem {2}base {7}base \(dir:base\): /m);
	assert.match(run.stdout, /^ {20}\| broken$/m);
	assert.match(run.stdout, /^ok {7}machine /m);
});

test('without flags it compares the last commit with the folder', async (t) => {
	const playground = makeRepository(t);
	playground.write({ 'base/behaviour-api': 'wrong-body' });
	const run = await playground.run(['check', '--isolation', 'none']);
	assertExit(run, 3);
	assert.match(run.stdout, /^problem {2}answers {4}api\/ok: head gave a wrong answer to GET \//m);
});

test('a folder that is as committed is the last commit twice, whatever files init has written', async (t) => {
	const playground = makeRepository(t);
	playground.write({ '.github/workflows/benchgate.yml': 'on: push\n', 'README.md': 'new' });
	const run = await playground.run(['check', '--isolation', 'none']);
	assertExit(run, 0);
	assert.match(run.stdout, /^ok {7}head {7}this folder, as committed/m);
	assert.match(run.stdout, /Next: npx benchgate compare --base HEAD --head \.$/m);
});

/** A server that a comparison could not load, in the way named by MODE. */
const UNFIT = `
import { createServer } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { readFileSync } from 'node:fs';
const { MODE, PORT, HOST, OTHER } = process.env;
let served = 0;
const answer = (request, response) => {
	if (MODE === 'limiter' && ++served > 100) return response.writeHead(429, { 'retry-after': '60' }).end();
	if (MODE === 'redirect' && request.headers['x-forwarded-proto'] !== 'https')
		return response.writeHead(301, { location: 'https://' + request.headers.host + '/' }).end();
	response.writeHead(200, { 'content-type': MODE === 'stream' ? 'text/event-stream' : 'application/json' });
	if (MODE === 'stream') return response.write('data: 1\\n\\n');
	response.end('{"ok":true}');
};
const secret = () => ({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') });
const server = MODE === 'tls' ? createHttps(secret(), answer) : MODE === 'http2' ? createHttp2(answer) : createServer(answer);
server.listen(PORT, HOST);
if (MODE === 'metrics') createServer(answer).listen(OTHER, HOST);
`;

test('a check finds servers that a comparison could not load, with remedies', async (t) => {
	const modes = ['tls', 'http2', 'redirect', 'stream', 'limiter', 'metrics'];
	const port = String(await pickPort());
	const servers = modes.map((name) => ({ name, command: 'node server.mjs', env: { MODE: name, OTHER: port } }));
	const playground = makePlayground(t, { 'benchgate.yml': configOf(servers) });
	const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'.split(' ');
	for (const side of ['base', 'head']) {
		playground.write({ [`${side}/server.mjs`]: UNFIT });
		const files = ['-keyout', `${side}/key.pem`, '-out', `${side}/cert.pem`];
		execFileSync('openssl', [...made, ...files], { cwd: playground.folder, stdio: 'pipe' });
	}
	const run = await playground.run(CHECK_SIDES);
	assertExit(run, 3);
	const findings = findingsOf(run);
	const expected = [
		/^problem answers tls\/ok: both sides gave no plain HTTP\/1\.1 answer to GET \/: the port speaks HTTPS \(TLS\)$/,
		/^problem answers http2\/ok: both sides gave no plain HTTP\/1\.1 answer to GET \/: the port speaks HTTP\/2$/,
		/^problem answers redirect\/ok: base gave .* status 301 instead of 200, with location "https:.*; head gave/,
		/^problem answers stream\/ok: base did not finish its answer to GET \/: no complete answer within 10 s/,
		/^problem answers limiter\/ok: both sides gave .* status 429 instead of 200 \(retry-after: "60"\), after 9\d right answers in a burst over 4 connections$/,
		/^problem answers metrics\/ok: .*cannot listen on port \d+, which another process has taken/,
	];
	const problems = findings.filter((line) => line.startsWith('problem '));
	assert.equal(problems.length, expected.length, run.stdout);
	for (const pattern of expected)
		assert.ok(
			problems.some((line) => pattern.test(line)),
			`${pattern}\n${run.stdout}`,
		);
	await assertNoProcess(playground);
});

test('one commit on both sides is noted, and a better base is named', async (t) => {
	const playground = makeRepository(t);
	const args = ['check', '--base', 'HEAD', '--head', 'git:HEAD', '--isolation', 'none'];
	const run = await playground.run(args);
	assertExit(run, 0);
	assert.match(run.stdout.replace(/\s+/g, ' '), / note sides base and head are the same code, .* --base main or/);
	playground.write({ 'base/more.js': '1' });
	const git = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid'];
	execFileSync('git', [...git, 'add', '--all'], { cwd: playground.folder });
	execFileSync('git', [...git, 'commit', '--quiet', '--message', 'more'], { cwd: playground.folder });
	const next = await playground.run(['check', '--isolation', 'none']);
	assert.match(next.stdout, /Next: npx benchgate compare --base HEAD~1 --head \.$/m);
});

test('SIGINT while servers start leaves nothing behind', {
	skip: process.platform !== 'linux' && 'needs /proc',
}, async (t) => {
	const playground = makeRepository(t, STARTING.repository);
	const running = playground.start(['check', '--base', 'git:HEAD', '--head', 'git:HEAD', '--isolation', 'none']);
	await STARTING.reached(running, playground);
	running.process.kill('SIGINT');
	assertExit(await running.ended, 130);
	await assertNothingLeft(playground);
});

/** Runs the command line on a terminal at which a user types `answer`; returns its output and exit code. */
async function onTerminal({ folder, root }: Playground, args: readonly string[], answer: string) {
	const terminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
	const child = spawn('python3', ['-c', terminal, process.execPath, CLI, ...args], {
		cwd: folder,
		env: { ...process.env, BENCHGATE_CACHE: join(root, 'cache'), NO_COLOR: '1' },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	child.stdin.end(answer);
	const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	return { printed: printed.replaceAll('\r', ''), code: code as number };
}

for (const [answer, code, isTried] of [
	['n\n', 0, false],
	['\n', 0, false],
	['yes\n', 0, true],
] as const) {
	test(`on a terminal init offers to try its config: ${JSON.stringify(answer)}`, async (t) => {
		// With the document, init would write its scenarios.
		const { 'openapi.yml': _, ...service } = SHOP;
		const playground = makePlayground(t, service);
		initRepository(playground);
		playground.write({ 'server.js': playground.read('server.js').replace("startsWith('/items')", "startsWith('/')") });
		const run = await onTerminal(playground, ['init'], answer);
		assert.equal(run.code, code, run.printed);
		assert.match(run.printed, /Start it now\? \[y\/N\]/);
		assert.equal(/^ok +answers +1 cell /m.test(run.printed), isTried, run.printed);
		assert.match(playground.read('benchgate.yml'), /command: node server\.js/);
		await assertNoProcess(playground);
	});
}

/** The service of the tutorial, without the tutorial's config. */
const TUTORIAL = readFileSync(new URL('../../../docs/tutorials/other-language.md', import.meta.url), 'utf8');

test('init --try starts a service in Python from its findings', async (t) => {
	const section = TUTORIAL.split(/^## /m).find((part) => part.startsWith('Python\n')) ?? '';
	const playground = makePlayground(t);
	initRepository(playground);
	for (const step of stepsOf(section)) {
		if (step.kind === 'write' && step.file !== 'benchgate.yml') playground.write({ [step.file]: step.text });
	}
	const run = await playground.run(['init', '--try', '--yes']);
	assertExit(run, 0);
	assert.match(run.stdout, /^It asks 1 of 1 route found in its code\.$/m);
	assert.match(run.stdout, /^ok +answers +1 cell answered as expected/m);
	await assertNoProcess(playground);
});
