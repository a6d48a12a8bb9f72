import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { SYSTEM_PATH } from '../process/users/run-as-root.ts';
import { openMounts, READY, type View, viewScript } from './view-script.ts';

/** A mount namespace that shows a view, for as long as this process lives. */
export interface KeptView {
	/** Id of the process that keeps it; `nsenter --target` takes it. */
	readonly pid: number;
	/** Id of the process that started it. */
	readonly starter: number;
	/** Mounts that are still writable although they should not be. */
	readonly open: readonly string[];
	close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/**
 * Builds the view in what `unshare` (the command up to its program) opens, a mount namespace at least, and returns it. Nothing of it is seen outside, and it is gone when closed and
 * when this process ends, however.
 *
 * @throws Error with the last words of what failed.
 */
export async function keepView(unshare: readonly string[], view: View): Promise<KeptView> {
	const [program = '', ...args] = unshare;
	const keeper = spawn(program, [...args, '/bin/sh', '-c', viewScript(view)], {
		cwd: '/',
		// Ctrl-C is for this process; the end of its stdin is what ends the keeper.
		detached: true,
		stdio: ['pipe', 'pipe', 'pipe'],
		env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
	});
	keeper.stdin.on('error', () => {});
	const exited = once(keeper, 'exit');
	const close = async () => {
		keeper.stdin.end();
		await exited;
	};
	let said = '';
	let complaint = '';
	keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
		complaint = (complaint + text).slice(-1000);
	});
	const patience = setTimeout(() => keeper.stdin.end(), PATIENCE_MS);
	try {
		for await (const line of createInterface({ input: keeper.stdout })) {
			said += `${line}\n`;
			if (!line.startsWith(READY)) continue;
			for (const stream of [keeper, keeper.stdin, keeper.stdout, keeper.stderr])
				(stream as { unref?(): void }).unref?.();
			return { pid: Number(line.slice(READY.length)), starter: keeper.pid ?? 0, open: openMounts(said, view), close };
		}
	} finally {
		clearTimeout(patience);
	}
	await close();
	throw new Error(complaint.trim().split('\n').at(-1) || 'the view could not be built');
}
