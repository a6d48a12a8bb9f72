import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { LATE, within } from '../process/deadline.ts';
import { signalGroup } from '../process/processes.ts';
import { SYSTEM_PATH } from '../process/users/run-as-root.ts';
import { nameAll } from '../text/phrase.ts';
import { goneMounts, openMounts, READY, showsProcesses, type View, viewScript } from './view-script.ts';

/** A mount namespace with a view. It ends with this process. */
export interface KeptView {
	/** Process that keeps the namespace, for `nsenter --target`. */
	readonly pid: number;
	readonly starter: number;
	/** Mounts that could not be made read-only. */
	readonly open: readonly string[];
	/** Files whose mask is missing. */
	readonly gone: readonly string[];
	readonly showsProcesses: boolean;
	close(): Promise<void>;
}

const NAMED = 3;
const PATIENCE_MS = 30_000;
/** More than one, because a program needs a moment to replace a file. */
const TRIES = 3;
/** A keeper that waits for a dead file system ignores the end of its stdin. */
const CLOSE_MS = 5_000;

/**
 * Builds the view in the namespaces that the prefix `unshare` creates. It ends with `close` or this process, even if
 * killed. `kill` ends the group of a stuck keeper.
 *
 * @throws Error with the last line of stderr, or after a timeout.
 */
export async function keepView(
	unshare: readonly string[],
	view: View,
	kill: (pid: number) => void = (pid) => signalGroup(pid, 'SIGKILL'),
): Promise<KeptView> {
	for (let tries = 1; ; tries++) {
		const kept = await buildView(unshare, view, kill);
		if (kept.gone.length === 0 || tries === TRIES) return kept;
		await kept.close();
	}
}

async function buildView(unshare: readonly string[], view: View, kill: (pid: number) => void): Promise<KeptView> {
	const [program = '', ...args] = unshare;
	const keeper = spawn(program, [...args, '/bin/sh', '-c', viewScript(view)], {
		cwd: '/',
		// The keeper ends with its stdin, and Ctrl-C does not reach it.
		detached: true,
		stdio: ['pipe', 'pipe', 'pipe'],
		env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
	});
	keeper.stdin.on('error', () => {});
	const exited = once(keeper, 'exit');
	// Avoids an unhandled rejection before anything awaits it.
	exited.catch(() => {});
	const close = async () => {
		keeper.stdin.end();
		if ((await within(CLOSE_MS, exited)) !== LATE || keeper.pid === undefined) return;
		kill(keeper.pid);
		await within(CLOSE_MS, exited);
	};
	let complaint = '';
	keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
		complaint = (complaint + text).slice(-1000);
	});
	const keeperOutput = await within(PATIENCE_MS, readUntilReady(keeper.stdout));
	for (const stream of [keeper, keeper.stdin, keeper.stdout, keeper.stderr]) (stream as { unref?(): void }).unref?.();
	if (keeperOutput === LATE || keeperOutput.pid === null) {
		await close();
		throw new Error(
			keeperOutput === LATE
				? `the view could not be built within ${PATIENCE_MS / 1000} s`
				: complaint.trim().split('\n').at(-1) || 'the view could not be built',
		);
	}
	const { pid, text } = keeperOutput;
	const viewState = { open: openMounts(text, view), gone: goneMounts(text), showsProcesses: showsProcesses(text) };
	return { pid, starter: keeper.pid ?? 0, ...viewState, close };
}

export function areReadOnly(views: readonly KeptView[]): boolean {
	return views.every(({ open, gone }) => open.length + gone.length === 0);
}

export function whyExposed(views: readonly KeptView[]): string | null {
	const [open, gone] = [views.flatMap((view) => view.open), views.flatMap((view) => view.gone)];
	const reasons = [
		...(open.length > 0 ? [`could not be made read-only: ${nameAll(open, NAMED)}`] : []),
		...(gone.length > 0 ? [`was replaced again and again: ${nameAll(gone, NAMED)}`] : []),
		...(views.some((view) => view.showsProcesses) ? ['other processes could not be hidden'] : []),
	];
	return reasons.length === 0 ? null : reasons.join('; ');
}

/** `pid` null if the script ended early. */
async function readUntilReady(output: Readable): Promise<{ text: string; pid: number | null }> {
	let text = '';
	for await (const line of createInterface({ input: output })) {
		text += `${line}\n`;
		if (line.startsWith(READY)) return { text, pid: Number(line.slice(READY.length)) };
	}
	return { text, pid: null };
}
