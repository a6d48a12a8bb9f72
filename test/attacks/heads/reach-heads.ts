/** Heads that attack tokens, benchgate's processes, and the other side. */
import assert from 'node:assert/strict';
import { shownWorkflow } from '../../support/act/workflows.ts';
import { type Attack, LOOT, type Seen } from '../attack.ts';
import { app, BUILD, FIND_RIVAL, SLOW_APP, server } from '../victim.ts';

/** The attack ran without finding a token. */
const NOT_THE_TOKEN = ({ loot, run }: { loot: string; run: { token: string } }) => {
	assert.notEqual(loot, '', 'the attack did not run');
	assert.equal(loot.includes(run.token), false, 'the token was found');
};

/** It read the process with the token, where visible. */
function readTheAction(seen: Seen): void {
	NOT_THE_TOKEN(seen);
	if (seen.level === 'none') assert.match(seen.loot, /dist\/action\.js/);
}

/** It searched for its rival, and reached it only if both run as our user. Behind namespaces it cannot write. */
function reachedForRival({ loot, level }: Seen): void {
	if (level !== 'namespace') assert.match(loot, /looked/);
	assert.equal(/reached/.test(loot), level === 'none');
}

/** Head's leftover processes were found and killed. */
function leftProcesses({ result }: Seen): void {
	assert.ok(result?.warnings.some(({ code, message }) => code === 'leaked-children' && message.includes('(head)')));
}

const READ_EVERYTHING = `
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
for (const name of readdirSync('/proc')) {
	for (const file of ['environ', 'cmdline']) {
		try { appendFileSync('${LOOT}/proc.txt', readFileSync('/proc/' + name + '/' + file, 'latin1') + '\\n'); } catch {}
	}
}
appendFileSync('${LOOT}/proc.txt', JSON.stringify(process.env));
`;

const READ_CHECKOUT = `
import { appendFileSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
appendFileSync('${LOOT}/git.txt', 'looked\\n');
for (const command of [['config', '--list'], ['config', '--global', '--list'], ['remote', '-v']]) {
	try { appendFileSync('${LOOT}/git.txt', execFileSync('git', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })); } catch {}
}
`;

const FLOOD = `
import { connect } from 'node:net';
import { appendFileSync } from 'node:fs';
import { listening } from './find.mjs';
const looking = setInterval(() => {
	const request = 'GET /fast HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n'.repeat(20);
	for (const port of listening()) {
		appendFileSync('${LOOT}/flood.txt', 'tried\\n');
		for (let n = 0; n < 4; n++) {
			const socket = connect(port, '127.0.0.1');
			socket.on('error', () => {}).on('data', () => socket.write(request));
			socket.on('connect', () => { clearInterval(looking); appendFileSync('${LOOT}/flood.txt', 'flooded\\n'); socket.write(request); });
		}
	}
}, 100);
`;

/** Repeats an action on every foreign server. */
const toRival = (action: string) => `
import { appendFileSync } from 'node:fs';
import { cwdOf, processes } from './find.mjs';
try { appendFileSync('${LOOT}/rival.txt', 'looked\\n'); } catch {}
setInterval(() => {
	for (const pid of processes(/server\\.mjs/)) {
		if (cwdOf(pid) === process.cwd()) continue;
		try { ${action}; appendFileSync('${LOOT}/rival.txt', 'reached\\n'); } catch (error) { appendFileSync('${LOOT}/rival.txt', error.code + '\\n'); }
	}
}, 20);
`;

/** Each side records its argv and environment. */
const TELL = `
import { writeFileSync } from 'node:fs';
const { argv, env, pid } = process;
const text = JSON.stringify({ cwd: process.cwd(), argv, env });
writeFileSync('${LOOT}/told-' + pid, text);
`;

/** Argv and environment do not reveal the side: no word, variable or length differs. */
function toldAlike({ loot }: Seen): void {
	const told = loot
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as { readonly cwd: string; readonly env: Readonly<Record<string, string>> })
		// Only base runs under the probe, before any code of head.
		.filter(({ env }) => !env.NODE_OPTIONS?.includes('--import=data:'));
	assert.equal(new Set(told.map(({ cwd }) => cwd)).size, 2);
	assert.doesNotMatch(loot, /\b(base|head)\b/i);
	const shapes = told.map(({ env }) =>
		JSON.stringify(
			Object.entries(env)
				.map(([name, value]) => [name, value.length])
				.sort(),
		),
	);
	assert.equal(new Set(shapes).size, 1, loot);
}

/** Computes a tenth of these seconds: more would slow concurrent tests and prove nothing else. */
const computeFor = (seconds: number) => `const cell = new Int32Array(new SharedArrayBuffer(4));
for (const end = Date.now() + ${seconds} * 1000; Date.now() < end; Atomics.wait(cell, 0, 0, 45))
	for (const pause = Date.now() + 5; Date.now() < pause; );
`;

/** Harmless at every level, for different reasons. */
const EVERYWHERE = { users: 'honest', none: 'honest' } as const;

export const REACH_HEADS: readonly Attack[] = [
	{
		does: 'reads the environment of every process, while it builds',
		files: { 'build.mjs': `${READ_EVERYTHING}${BUILD}` },
		ends: EVERYWHERE,
		check: readTheAction,
	},
	{
		does: 'reads the environment of every process, while it serves',
		files: { 'bench/server.mjs': server(READ_EVERYTHING) },
		ends: EVERYWHERE,
		check: readTheAction,
	},
	{
		does: 'looks for what in its environment differs from that of base',
		main: { 'bench/server.mjs': server(TELL) },
		files: { 'lib/app.mjs': app({ first: '// Improved.' }) },
		ends: EVERYWHERE,
		check: toldAlike,
	},
	{
		does: "looks for credentials in git's settings",
		files: { 'build.mjs': `${READ_CHECKOUT}${BUILD}` },
		ends: EVERYWHERE,
		check: (seen) => {
			NOT_THE_TOKEN(seen);
			// act puts no token there; this line keeps it out on GitHub.
			assert.match(shownWorkflow('simple'), /persist-credentials: false/);
		},
	},
	{
		does: "floods the other server's port with requests",
		files: {
			'bench/find.mjs': FIND_RIVAL,
			'bench/flood.mjs': FLOOD,
			'bench/server.mjs': server("import './flood.mjs';"),
		},
		ends: { users: 'honest', none: 'red' },
		says: /connected to the port of the base server/,
		toldPorts: true,
		check: ({ loot, level }) => {
			assert.match(loot, /tried/);
			assert.equal(/flooded/.test(loot), level !== 'users');
		},
	},
	{
		does: 'kills the other server',
		files: {
			'bench/find.mjs': FIND_RIVAL,
			'bench/reach.mjs': toRival("process.kill(pid, 'SIGKILL')"),
			'bench/server.mjs': server("import './reach.mjs';"),
		},
		ends: { users: 'honest', namespace: 'honest', none: 'neutral' },
		says: /the base server (api )?(crashed|exited)[^\n]*SIGKILL/,
		check: reachedForRival,
	},
	{
		does: 'stops and continues the other server in pulses',
		files: {
			'bench/find.mjs': FIND_RIVAL,
			'bench/reach.mjs': toRival(
				"process.kill(pid, 'SIGSTOP'); setTimeout(() => { try { process.kill(pid, 'SIGCONT'); } catch {} }, 10)",
			),
			'bench/server.mjs': server("import './reach.mjs';"),
		},
		ends: { users: 'honest', namespace: 'honest', none: 'red' },
		says: /stopped/i,
		check: reachedForRival,
	},
	{
		does: 'opens the debugger of the load generator',
		files: {
			'bench/find.mjs': FIND_RIVAL,
			'bench/reach.mjs': `
import { appendFileSync } from 'node:fs';
import { processes } from './find.mjs';
setInterval(async () => {
	for (const pid of processes(/generator\\.cjs|action\\.js|watchdog\\.js/)) {
		try { process.kill(pid, 'SIGUSR1'); appendFileSync('${LOOT}/debugger.txt', 'signalled\\n'); } catch {}
	}
	try {
		const answer = await fetch('http://127.0.0.1:9229/json');
		appendFileSync('${LOOT}/debugger.txt', 'opened ' + await answer.text());
	} catch { appendFileSync('${LOOT}/debugger.txt', 'closed\\n'); }
}, 100);
`,
			'bench/server.mjs': server("import './reach.mjs';"),
		},
		ends: EVERYWHERE,
		check: ({ loot, level }) => {
			assert.equal(/signalled/.test(loot), level === 'none');
			assert.match(loot, /closed/);
			assert.doesNotMatch(loot, /opened/);
		},
	},
	{
		does: 'rewrites the action, for the post step to run',
		files: {
			'bench/find.mjs': FIND_RIVAL,
			'bench/reach.mjs': `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { processes } from './find.mjs';
appendFileSync('${LOOT}/reach.txt', 'looked\\n');
const looking = setInterval(() => {
	for (const pid of processes(/generator\\.cjs/)) {
		clearInterval(looking);
		const dist = /([^\\0]*\\/dist)\\/generator\\.cjs/.exec(readFileSync('/proc/' + pid + '/cmdline', 'latin1'))[1];
		try {
			writeFileSync(dist + '/action-post.js', "require('node:fs').appendFileSync('${LOOT}/post.txt', 'post ' + JSON.stringify(process.env))");
			appendFileSync('${LOOT}/reach.txt', 'rewrote\\n');
		} catch (error) { appendFileSync('${LOOT}/reach.txt', error.code + '\\n'); }
	}
}, 100);
`,
			'bench/server.mjs': server("import './reach.mjs';"),
		},
		ends: { users: 'honest', none: 'red' },
		says: /own files/,
		check: (seen) => {
			NOT_THE_TOKEN(seen);
			assert.equal(/rewrote/.test(seen.loot), seen.level === 'none');
			assert.doesNotMatch(seen.loot, /^post /m);
		},
	},
	{
		does: "changes base's files",
		files: {
			'bench/find.mjs': FIND_RIVAL,
			'bench/reach.mjs': `
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cwdOf, processes } from './find.mjs';
const [, checkouts, inside] = /^(.*\\/checkouts)\\/[^/]+(\\/.*)$/.exec(process.cwd());
setInterval(() => {
	const beside = readdirSync(checkouts).filter((name) => /^[0-9a-f]+$/.test(name)).map((name) => checkouts + '/' + name + inside);
	for (const folder of new Set([...processes(/server\\.mjs/).map(cwdOf), ...beside])) {
		if (folder === '' || folder === process.cwd()) continue;
		try {
			writeFileSync(folder + '/../lib/app.mjs', ${JSON.stringify(SLOW_APP)});
			appendFileSync('${LOOT}/reach.txt', 'rewrote\\n');
		} catch (error) { appendFileSync('${LOOT}/reach.txt', error.code + '\\n'); }
	}
}, 50);
`,
			'bench/server.mjs': server("import './reach.mjs';"),
		},
		ends: { users: 'honest', none: 'red' },
		says: /changed after base was finished/,
		check: ({ loot, level }) => assert.match(loot, level === 'none' ? /rewrote/ : /EACCES|EROFS|ENOENT/),
	},
	{
		does: 'leaves processes behind that go on computing',
		files: {
			'bench/server.mjs': server(`import { spawn } from 'node:child_process';
for (let n = 0; n < 2; n++) spawn(process.execPath, ['-e', ${JSON.stringify(computeFor(60))}], { detached: true, stdio: 'ignore' }).unref();`),
		},
		ends: EVERYWHERE,
		check: leftProcesses,
	},
	{
		does: 'hides its work in processes that nobody is to find',
		files: {
			'bench/hidden.cjs': `try { require('node:fs').appendFileSync('${LOOT}/ran.txt', 'ran\\n'); } catch {}
${computeFor(16)}`,
			'bench/server.mjs': server(`import { spawn } from 'node:child_process';
for (let n = 0; n < 2; n++) spawn('/bin/sh', ['-c', 'setsid "$0" hidden.cjs &', process.execPath], { detached: true, stdio: 'ignore', env: {} }).unref();`),
		},
		ends: { users: 'honest', namespace: 'honest', none: 'honest' },
		check: (seen) => {
			// Undetected without isolation; behind namespaces they cannot write.
			if (seen.level === 'namespace') leftProcesses(seen);
			else assert.match(seen.loot, /ran/);
		},
	},
	{
		does: 'hides its work in a program that nobody can read',
		files: {
			'bench/hidden.cjs': 'for (const end = Date.now() + 8000; Date.now() < end; );\n',
			'bench/server.mjs': server(`import { execFileSync, spawn } from 'node:child_process';
const hidden = process.env.TMPDIR + '/hidden';
execFileSync('/bin/sh', ['-c', 'cp "$0" "$1" && chmod 0111 "$1"', process.execPath, hidden]);
for (let n = 0; n < 2; n++) spawn('/bin/sh', ['-c', 'setsid "$0" hidden.cjs &', hidden], { detached: true, stdio: 'ignore', env: {} }).unref();`),
		},
		ends: { users: 'honest' },
		check: ({ result }) => {
			const cpu = result?.cells[0]?.metrics['cpu-per-request'];
			assert.ok(cpu?.base && cpu.head && cpu.head > 1.5 * cpu.base, `it was not counted: ${JSON.stringify(cpu)}`);
		},
	},
];
