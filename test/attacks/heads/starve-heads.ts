/** Heads that take what base needs from the machine: memory, ports, disk, processes. */
import assert from 'node:assert/strict';
import { type Attack, LOOT } from '../attack.ts';
import { app, configOf, FIND_RIVAL, FORK_BOMB, server } from '../victim.ts';

/** A service that is the largest process of its run: the kernel ends the largest one first. */
const LARGE = app({ first: "globalThis.cache = Buffer.alloc(300_000_000, 'victim');" });

/**
 * Fills memory that belongs to no process, and lets it go when it ends. Its first connection is enough: who only asks it has ended it
 * before it is done. More than the control group of the test has left, and less than it has once base is gone. The end of it in small
 * steps: while the kernel still takes base's memory back, more at once would end the next largest process too, which is ours.
 */
const HOG = `import { spawn } from 'node:child_process';
const fill = 'file=/dev/shm/hog-$$; exec 3>"$file"; rm "$file"; dd if=/dev/zero bs=1M count=200 >&3 2>/dev/null; for step in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do dd if=/dev/zero bs=1M count=20 >&3 2>/dev/null; sleep 0.03; done; exec sleep 60';
let hog = null;
`;

/** A service that is slow to listen, as many are: whoever wants its port has time. */
const LATE_SERVER = server('await new Promise((resolve) => setTimeout(resolve, 500));');

/** Starts a program of head that nobody finds without isolation, and that ends by itself; it is told the port of its own server. */
const hidden = (file: string) => `import { spawn } from 'node:child_process';
spawn('/bin/sh', ['-c', 'setsid "$0" ${file} ' + process.env.PORT + ' &', process.execPath], { detached: true, stdio: 'ignore', env: {} }).unref();`;

/** Listens where a server that is about to start was told to. */
const TAKE_RIVAL = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { listening } from './find.mjs';
const tried = new Set();
setInterval(() => {
	for (const port of listening()) {
		if (tried.has(port)) continue;
		tried.add(port);
		const taker = createServer((socket) => socket.destroy());
		taker.on('error', () => {}).on('listening', () => appendFileSync('${LOOT}/ports.txt', 'took\\n'));
		taker.listen(port, '127.0.0.1');
	}
}, 5);
setTimeout(() => process.exit(), 25_000);
`;

/** Listens on all ports that servers are given, once its rival has one. */
const TAKE_ALL = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
await new Promise((resolve) => setTimeout(resolve, 2500));
let took = 0;
const own = Number(process.argv[2]);
const missing = new Set();
const take = (port) => {
	missing.delete(port);
	const taker = createServer((socket) => socket.destroy());
	taker.on('error', () => missing.add(port)).on('listening', () => took++).listen(port, '127.0.0.1');
};
for (let port = 20_000; port < 30_000; port++) if (port !== own) take(port);
// Those that servers have meanwhile, as soon as these have ended: the next pair starts right after.
setInterval(() => missing.forEach(take), 5);
const listens = new RegExp(':' + own.toString(16).toUpperCase().padStart(4, '0') + ' [0-9A-F]+:0000 0A ');
const waiting = setInterval(() => {
	if (!listens.test(readFileSync('/proc/net/tcp', 'latin1'))) return;
	clearInterval(waiting);
	missing.add(own);
}, 20);
setTimeout(() => {
	try { appendFileSync('${LOOT}/ports.txt', took > 9_990 ? 'took\\n' : took + '\\n'); } catch {}
}, 100);
setTimeout(() => process.exit(), 25_000);
`;

/** Is not asked before that is done. */
const AFTER_TAKER = server(`${hidden('take.mjs')}
import { existsSync } from 'node:fs';
for (let waited = 0; waited < 45 && !existsSync('${LOOT}/ports.txt'); waited++) await new Promise((resolve) => setTimeout(resolve, 100));`);

export const STARVE_HEADS: readonly Attack[] = [
	{
		does: 'uses up the memory, so that the kernel ends the other server',
		main: { 'lib/app.mjs': LARGE },
		files: {
			'lib/app.mjs': app({ first: HOG, each: "hog ??= spawn('/bin/sh', ['-c', fill], { stdio: 'ignore' });" }),
		},
		memoryLimit: 1_000_000_000,
		ends: { users: 'neutral', namespace: 'neutral', none: 'neutral' },
		says: /the base server (api )?(crashed|exited)[^\n]*memory ran out/,
		check: ({ result }) => {
			assert.deepEqual(
				result?.cells.map(({ verdict }) => verdict),
				['invalid'],
			);
		},
	},
	{
		does: 'takes the ports that the other server is given',
		main: { 'bench/server.mjs': LATE_SERVER },
		files: {
			'bench/find.mjs': FIND_RIVAL,
			'bench/take.mjs': TAKE_RIVAL,
			'bench/server.mjs': server(hidden('take.mjs')),
		},
		ends: { users: 'honest', namespace: 'honest', none: 'neutral' },
		says: /the base server api exited at start[^\n]*cannot listen on port \d+, which another process has taken/,
		// Without isolation nobody ends it, and it knows what the next server is told.
		check: ({ loot, level }) => assert.equal(/took/.test(loot), level === 'none'),
	},
	{
		does: 'takes all ports that servers are given',
		files: { 'bench/take.mjs': TAKE_ALL, 'bench/server.mjs': AFTER_TAKER },
		ends: { users: 'honest', namespace: 'honest', none: 'red' },
		says: /nothing can listen on 127\.0\.0\.1 between 20000 and 29999/,
		// While it lives it has them at every level; behind namespaces it can write nothing down.
		check: ({ loot, level }) => assert.equal(/took/.test(loot), level !== 'namespace'),
	},
	{
		does: 'starts as many processes as it can, while it serves',
		// On a crowded machine that takes longer than a server has.
		main: { 'benchgate.yml': configOf().replace('timeout: 10s', 'timeout: 2m') },
		files: {
			'bench/server.mjs': server(`${FORK_BOMB}process.exit(7);
`),
		},
		ends: { users: 'red' },
		faults: ['exited-at-start'],
		check: ({ loot }) => assert.match(loot, /EAGAIN after \d+/),
	},
];
