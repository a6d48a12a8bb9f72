/** Kills every process of a user. */
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;
/** The kernel takes a while to free much memory. */
const BURIAL_MS = 10_000;
const RESISTANCE_MS = 30_000;
/** Printed only by a sender that survived. */
const SENT = 'sent';

/**
 * Kills all processes that its user may signal, except itself, atomically, so a fork bomb cannot escape. BusyBox
 * does not know `--`.
 */
export const KILL_ALL: readonly string[] = [
	'/bin/sh',
	'-c',
	`kill -s KILL -- -1 2>/dev/null || kill -s KILL -1 2>/dev/null; echo ${SENT}`,
];

/**
 * Does the same as a Node script for root. A shell belongs to the user for a millisecond before it sends, when the
 * user's processes can kill or stop it. This script first stops and kills each process as root, and belongs to the user
 * only for microseconds.
 */
export const KILL_ALL_AT_ONCE = `
const { readdirSync, readFileSync } = require('node:fs');
const uid = Number(process.argv[1]);
const isTheirs = (pid) => {
	try {
		return Number(/^Uid:\\s+(\\d+)/m.exec(readFileSync('/proc/' + pid + '/status', 'latin1'))[1]) === uid;
	} catch {
		return false;
	}
};
const send = (pid, signal) => {
	try {
		process.kill(pid, signal);
	} catch {}
};
for (const pid of readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && isTheirs(name)).map(Number)) {
	send(pid, 'SIGSTOP');
	// Who is stopped does not end by itself, so the number is nobody else's.
	send(pid, isTheirs(pid) ? 'SIGKILL' : 'SIGCONT');
}
process.setgroups([]);
process.setgid(uid);
process.setuid(uid);
send(-1, 'SIGKILL');
console.log('${SENT}');
`;

export interface Doomed {
	readonly name: string;
	/** May miss a process that keeps forking and exiting. */
	list(): number[];
	/** Runs KILL_ALL where it reaches the processes, and returns its last line of output. */
	send(): string;
	/** Like `send`, but works if processes kill or stop the sender; more expensive. */
	insist(): string;
}

/** Limits a command to 5 s: hostile processes of its user could stop it, and its parent would wait forever. */
export function briefly(argv: readonly string[]): string[] {
	return ['timeout', '-s', 'KILL', '5', ...argv];
}

/**
 * Kills the processes, waits until they are gone, and returns their number.
 *
 * @throws Error when some survive half a minute of attempts.
 */
export async function endDoomed(doomed: Doomed): Promise<number> {
	const before = doomed.list();
	const due = performance.now() + RESISTANCE_MS;
	for (let output = doomed.send(); ; output = doomed.insist()) {
		// An empty list proves nothing unless the signal reached all processes at once.
		const sent = output === SENT;
		if ((await areGoneWithin(sent ? BURIAL_MS : POLL_MS, doomed)) && sent) return before.length;
		if (performance.now() > due) {
			throw new Error(`what ${doomed.name} runs cannot be killed (processes ${doomed.list().join(', ')})`);
		}
	}
}

async function areGoneWithin(milliseconds: number, { list }: Doomed): Promise<boolean> {
	for (const due = performance.now() + milliseconds; list().length > 0; ) {
		if (performance.now() > due) return false;
		await delay(POLL_MS);
	}
	return true;
}
