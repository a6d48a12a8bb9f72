import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { asRoot, type Privilege, runAsRoot, SYSTEM_PATH } from '../process/users/run-as-root.ts';

/** Keeps users from ports of this machine, for as long as this process lives. */
export interface PortGuard {
	/** From now on, connections of the user to the port are refused. */
	refuse(uid: number, port: number): void;
	close(): Promise<void>;
}

const POLL_MS = 20;
const PATIENCE_MS = 5_000;
/** A connection's first packet. */
const OPENING = 'tcp flags & (fin | syn | rst | ack) == syn';

/**
 * Opens a guard; null where there is no nft, or a kernel older than 5.12 or without its tables. The kernel removes the table with
 * the program that made it, which ends with its stdin: nothing is left, also after kill -9.
 */
export async function openPortGuard(nft: string | null, privilege: Privilege, name: string): Promise<PortGuard | null> {
	if (nft === null) return null;
	const [program = '', ...args] = asRoot(privilege, [nft, '-i']);
	const keeper = spawn(program, args, {
		cwd: '/',
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
		env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
	});
	const exited = Promise.race([once(keeper, 'exit'), once(keeper, 'error')]).catch(() => {});
	keeper.stdin.on('error', () => {});
	const say = (command: string) => void keeper.stdin.write(`${command}\n`);
	const close = async () => {
		keeper.ref();
		keeper.stdin.end();
		await exited;
	};
	const table = `inet ${name}`;
	say(`add table ${table} { flags owner; }`);
	say(`add set ${table} refused { typeof meta skuid . tcp dport; }`);
	say(`add chain ${table} out { type filter hook output priority 0; }`);
	say(`add rule ${table} out oifname lo ${OPENING} meta skuid . tcp dport @refused reject with tcp reset`);
	const due = performance.now() + PATIENCE_MS;
	const stands = async () =>
		(await runAsRoot(privilege, [nft, 'list', 'chain', 'inet', name, 'out'])).includes('@refused');
	while (!(await stands().catch(() => false))) {
		if (keeper.exitCode !== null || keeper.signalCode !== null || performance.now() > due) {
			await close();
			return null;
		}
		await delay(POLL_MS);
	}
	for (const stream of [keeper, keeper.stdin]) (stream as { unref?(): void }).unref?.();
	const refused = new Set<string>();
	return {
		refuse(uid, port) {
			// Ports are drawn anew for each process; one that is drawn again belongs to somebody else now.
			for (const element of [...refused].filter((one) => one.endsWith(` . ${port}`))) {
				refused.delete(element);
				say(`delete element ${table} refused { ${element} }`);
			}
			refused.add(`${uid} . ${port}`);
			say(`add element ${table} refused { ${uid} . ${port} }`);
		},
		close,
	};
}
