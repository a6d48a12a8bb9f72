/** Ends every process of a user. */
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;
/** How long the kernel may take to bury what was killed; memory of a large process takes a while to give back. */
const BURIAL_MS = 10_000;
/** How long processes may keep what should end them from doing so. */
const RESISTANCE_MS = 30_000;
/** Printed by who has sent SIGKILL to all and lives. */
const SENT = 'sent';

/** All that the sender may signal but itself, at one moment: nothing that forks gets away. BusyBox knows no `--`. */
export const KILL_ALL: readonly string[] = [
	'/bin/sh',
	'-c',
	`kill -s KILL -- -1 2>/dev/null || kill -s KILL -1 2>/dev/null; echo ${SENT}`,
];

/**
 * The same for Node as root, with a user's id. A shell is the user's for a millisecond before it sends, in which a process of
 * the user can kill or stop it. Root stops and kills one after the other first, and this is the user's for microseconds only.
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

/** Some processes that are to end, whatever they do against it. */
export interface Doomed {
	/** Whose they are, for the error. */
	readonly name: string;
	/** Ids of those that live. What forks on and on, and ends itself, may be in no list. */
	list(): number[];
	/** Runs KILL_ALL where it reaches them. Returns what it printed last. */
	send(): string;
	/** A more expensive way, for what kills or stops the sender. */
	insist(): string;
}

/**
 * Returns `argv` so that it ends within some seconds whatever is done to it: what runs beside hostile processes of its own user
 * can be stopped by them, and who waits for it waits for ever.
 */
export function briefly(argv: readonly string[]): string[] {
	return ['timeout', '-s', 'KILL', '5', ...argv];
}

/**
 * Ends them and returns how many there were before, once all are gone.
 *
 * @throws Error when some are still there after half a minute of trying.
 */
export async function endDoomed(doomed: Doomed): Promise<number> {
	const before = doomed.list();
	const due = performance.now() + RESISTANCE_MS;
	for (let said = doomed.send(); ; said = doomed.insist()) {
		// Only that the signal reached all at one moment proves that nobody is left.
		const sent = said === SENT;
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
