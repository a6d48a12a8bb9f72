import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../process/deadline.ts';
import { asRoot, type Privilege, SYSTEM_PATH } from '../process/users/run-as-root.ts';
import { isKernelSince } from './isolation-facts.ts';

/** Keeps users away from local ports. */
export interface PortGuard {
	/**
	 * Refuses connections to the port from these users only. Exempts the port from connection tracking, because a full
	 * conntrack table would block new connections.
	 */
	refuse(uids: readonly number[], port: number): void;
	close(): Promise<void>;
}

/** First kernel whose tables can belong to a program. */
const OWNED_TABLES = [5, 12] as const;
const PATIENCE_MS = 5_000;
const CLOSE_MS = 5_000;
const MOST_LISTED = 10_000;
/** Matches complaints of nft, because sudo prints other messages to the same stream. */
const COMPLAINT = /\bError:|not permitted/;
/** Matches the last rule as listed. Echoed input is not indented. */
const LISTED = /^\s+.*@refused/m;
const OPENING = 'tcp flags & (fin | syn | rst | ack) == syn';

/**
 * Returns null without nft, or where it is refused. The kernel removes the table with the program that owns it, which
 * ends with its stdin, even after our kill -9.
 */
export async function openPortGuard(nft: string | null, privilege: Privilege, name: string): Promise<PortGuard | null> {
	if (nft === null || !isKernelSince(OWNED_TABLES)) return null;
	const [program = '', ...args] = asRoot(privilege, [nft, '-i']);
	const keeper = spawn(program, args, {
		cwd: '/',
		detached: true,
		stdio: ['pipe', 'pipe', 'pipe'],
		env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
	});
	const exited = Promise.race([once(keeper, 'exit'), once(keeper, 'error')]).catch(() => {});
	keeper.stdin.on('error', () => {});
	const stands = new Promise<boolean>((resolve) => {
		let listed = '';
		keeper.stdout.setEncoding('utf8').on('data', (text: string) => {
			listed = (listed + text).slice(-MOST_LISTED);
			if (LISTED.test(listed)) resolve(true);
		});
		keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
			if (COMPLAINT.test(text)) resolve(false);
		});
		void exited.then(() => resolve(false));
	});
	const say = (command: string) => void keeper.stdin.write(`${command}\n`);
	const close = async () => {
		keeper.ref();
		keeper.stdin.end();
		await within(CLOSE_MS, exited);
	};
	const table = `inet ${name}`;
	say(`add table ${table} { flags owner; }`);
	say(`add set ${table} refused { typeof meta skuid . tcp dport; }`);
	say(`add chain ${table} out { type filter hook output priority 0; }`);
	say(`add rule ${table} out oifname lo ${OPENING} meta skuid . tcp dport @refused reject with tcp reset`);
	say(`list chain ${table} out`);
	if ((await within(PATIENCE_MS, stands)) !== true) {
		await close();
		return null;
	}
	for (const stream of [keeper, keeper.stdin, keeper.stdout, keeper.stderr]) (stream as { unref?(): void }).unref?.();
	// Some kernels refuse these rules, and the guard then only refuses users. A packet that leaves through `lo`
	// untracked also arrives untracked.
	say(`add set ${table} served { type inet_service; }`);
	say(`add chain ${table} untracked { type filter hook output priority raw; }`);
	for (const end of ['dport', 'sport']) say(`add rule ${table} untracked oifname lo tcp ${end} @served notrack`);
	const refused = new Set<string>();
	return {
		refuse(uids, port) {
			// Ports are drawn anew for each process: a repeated port has another owner.
			for (const element of [...refused].filter((one) => one.endsWith(` . ${port}`))) {
				refused.delete(element);
				say(`delete element ${table} refused { ${element} }`);
			}
			say(`add element ${table} served { ${port} }`);
			const elements = uids.map((uid) => `${uid} . ${port}`);
			for (const element of elements) refused.add(element);
			if (elements.length > 0) say(`add element ${table} refused { ${elements.join(', ')} }`);
		},
		close,
	};
}
