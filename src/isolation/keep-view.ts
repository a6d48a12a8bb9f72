import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { LATE, within } from '../process/deadline.ts';
import { signalGroup } from '../process/processes.ts';
import { SYSTEM_PATH } from '../process/users/run-as-root.ts';
import { nameAll } from '../text/phrase.ts';
import { goneMounts, openMounts, READY, showsProcesses, type View, viewScript } from './view-script.ts';

/** A mount namespace that shows a view, for as long as this process lives. */
export interface KeptView {
	/** Id of the process that keeps it; `nsenter --target` takes it. */
	readonly pid: number;
	/** Id of the process that started it. */
	readonly starter: number;
	/** Mounts that are still writable although they should not be. */
	readonly open: readonly string[];
	/** Files that are seen although others should be in their place. */
	readonly gone: readonly string[];
	/** Whether other processes are seen that were to be hidden. */
	readonly showsProcesses: boolean;
	close(): Promise<void>;
}

/** Mounts a reason names; the rest is counted. */
const NAMED = 3;
const PATIENCE_MS = 30_000;
/** How often a view is built in which somebody replaces a file meanwhile: that takes them a moment. */
const TRIES = 3;
/** What waits for a file system that does not answer reads no end of its stdin. */
const CLOSE_MS = 5_000;

/**
 * Builds the view in what `unshare` (the command up to its program) opens, a mount namespace at least, and returns it. Nothing
 * of it is seen outside, and it is gone when closed and when this process ends, however. `kill` ends the group of a keeper that
 * does not do so by itself.
 *
 * @throws Error with the last words of what failed, or that it took too long.
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
		// Ctrl-C is for this process; the end of its stdin is what ends the keeper.
		detached: true,
		stdio: ['pipe', 'pipe', 'pipe'],
		env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
	});
	keeper.stdin.on('error', () => {});
	const exited = once(keeper, 'exit');
	// Whoever waits for it hears of it; nobody may be waiting yet.
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
	const said = await within(PATIENCE_MS, readUntilReady(keeper.stdout));
	for (const stream of [keeper, keeper.stdin, keeper.stdout, keeper.stderr]) (stream as { unref?(): void }).unref?.();
	if (said === LATE || said.pid === null) {
		await close();
		throw new Error(
			said === LATE
				? `the view could not be built within ${PATIENCE_MS / 1000} s`
				: complaint.trim().split('\n').at(-1) || 'the view could not be built',
		);
	}
	const { pid, text } = said;
	const found = { open: openMounts(text, view), gone: goneMounts(text), showsProcesses: showsProcesses(text) };
	return { pid, starter: keeper.pid ?? 0, ...found, close };
}

/** Returns whether the sides that see these views can write nothing but what is theirs. */
export function areReadOnly(views: readonly KeptView[]): boolean {
	return views.every(({ open, gone }) => open.length + gone.length === 0);
}

/** Returns why the sides that see these views can write or see more than they are to; null when they cannot. */
export function whyExposed(views: readonly KeptView[]): string | null {
	const [open, gone] = [views.flatMap((view) => view.open), views.flatMap((view) => view.gone)];
	const reasons = [
		...(open.length > 0 ? [`could not be made read-only: ${nameAll(open, NAMED)}`] : []),
		...(gone.length > 0 ? [`was replaced again and again: ${nameAll(gone, NAMED)}`] : []),
		...(views.some((view) => view.showsProcesses) ? ['other processes could not be hidden'] : []),
	];
	return reasons.length === 0 ? null : reasons.join('; ');
}

/** What the script printed until the view stood, and the id of the process that keeps it; null when it ended before. */
async function readUntilReady(output: Readable): Promise<{ text: string; pid: number | null }> {
	let text = '';
	for await (const line of createInterface({ input: output })) {
		text += `${line}\n`;
		if (line.startsWith(READY)) return { text, pid: Number(line.slice(READY.length)) };
	}
	return { text, pid: null };
}
