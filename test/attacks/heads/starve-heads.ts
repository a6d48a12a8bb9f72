/** Heads that exhaust base's resources: memory, ports, disk, processes. */
import assert from 'node:assert/strict';
import { type Attack, LOOT } from '../attack.ts';
import { app, configOf, FIND_RIVAL, FORK_BOMB, server } from '../victim.ts';

/** The largest process of its run, which the kernel's OOM killer picks first. */
const LARGE = app({ first: "globalThis.cache = Buffer.alloc(300_000_000, 'victim');" });

/**
 * Fills memory outside any process, and frees it on exit. The first request starts it; processes that only answer the
 * check exit before it is full. Needs more than the test's control group has left, and less than it has without base.
 * The last part grows in small steps: while the kernel reclaims base's memory, a larger one would also kill the next
 * largest process, benchgate.
 */
const HOG = `import { spawn } from 'node:child_process';
const fill = 'file=/dev/shm/hog-$$; exec 3>"$file"; rm "$file"; dd if=/dev/zero bs=1M count=200 >&3 2>/dev/null; for step in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do dd if=/dev/zero bs=1M count=20 >&3 2>/dev/null; sleep 0.03; done; exec sleep 60';
let hog = null;
`;

/** Slow to listen, as real services are: leaves time to take its port. */
const LATE_SERVER = server('await new Promise((resolve) => setTimeout(resolve, 500));');

/**
 * Starts a head process that cannot be found without isolation and exits by itself; its argument is its own server's
 * port.
 */
const hidden = (file: string) => `import { spawn } from 'node:child_process';
spawn('/bin/sh', ['-c', 'setsid "$0" ${file} ' + process.env.PORT + ' &', process.execPath], { detached: true, stdio: 'ignore', env: {} }).unref();`;

/** Listens on the port assigned to a starting server. */
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

/** Listens on all server ports, once its rival has one. */
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
// Ports of running servers, as soon as they end: the next pair starts right after.
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

/** Listens only after TAKE_ALL is done. */
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
		ends: 'neutral',
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
		// Without isolation it survives, and can read the next server's port.
		check: ({ loot, level }) => assert.equal(/took/.test(loot), level === 'none'),
	},
	{
		does: 'takes all ports that servers are given',
		files: { 'bench/take.mjs': TAKE_ALL, 'bench/server.mjs': AFTER_TAKER },
		ends: { users: 'honest', namespace: 'honest', none: 'red' },
		says: /nothing can listen on 127\.0\.0\.1 between 20000 and 29999/,
		// It holds the ports at every level while it lives; behind namespaces it cannot write its record.
		check: ({ loot, level }) => assert.equal(/took/.test(loot), level !== 'namespace'),
	},
	{
		does: 'starts as many processes as it can, while it serves',
		// On a crowded machine this exceeds the usual timeout.
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
