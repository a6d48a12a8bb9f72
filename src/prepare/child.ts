import { closeSync, openSync, writeSync } from 'node:fs';
import { execa } from 'execa';
import { signalGroup } from '../process/processes.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Session } from './prepare-context.ts';

/** How long a child may take to end after SIGTERM. */
const TERM_GRACE_MS = 2000;

/** The part of a session children need; the toolchain is asked before the session is complete. */
export type ChildContext = Pick<Session, 'environment' | 'janitor' | 'signal'>;

export interface ChildOptions {
	readonly cwd: string;
	/** File both outputs are appended to; without it they are captured. */
	readonly log?: string;
	readonly timeoutMs?: number;
}

export interface ChildOutcome {
	readonly succeeded: boolean;
	/** The program is not there. */
	readonly missing: boolean;
	/** Captured output; empty when it went to a log. */
	readonly stdout: string;
	readonly stderr: string;
	/** How it ended, for messages: `exit code 1`, `SIGKILL`. */
	readonly ending: string;
}

/**
 * Runs a program in a process group of its own, guarded by the janitor, and returns how it ended; nothing of the group is
 * left afterwards. Throws the abort reason when the signal fires meanwhile (SIGTERM, SIGKILL after two seconds).
 */
export async function runChild(
	context: ChildContext,
	command: readonly string[],
	options: ChildOptions,
): Promise<ChildOutcome> {
	context.signal.throwIfAborted();
	const [program = '', ...args] = command;
	const log = options.log === undefined ? undefined : openSync(options.log, 'a');
	try {
		if (log !== undefined) writeSync(log, `$ ${describeCommand(command)}\n`);
		// A descriptor instead of a pipe: daemons that outlive the child would hold a pipe open for ever. execa passes it
		// on as it is, but its types know descriptors only beyond the first three streams.
		const output = (log ?? 'pipe') as 'pipe';
		const child = execa(program, args, {
			cwd: options.cwd,
			env: context.environment,
			extendEnv: false,
			stdio: ['ignore', output, output],
			detached: true,
			cleanup: false,
			reject: false,
		});
		const outcome = await endGroup(context, child.pid, options.timeoutMs, child);
		context.signal.throwIfAborted();
		return {
			succeeded: !outcome.failed,
			missing: outcome.code === 'ENOENT',
			stdout: String(outcome.stdout ?? ''),
			stderr: String(outcome.stderr ?? ''),
			ending: outcome.signal ?? `exit code ${outcome.exitCode ?? 'unknown'}`,
		};
	} finally {
		if (log !== undefined) closeSync(log);
	}
}

/** Waits for the leader and then removes its group; ends both early on abort or time-out. */
async function endGroup<T>(
	context: ChildContext,
	pid: number | undefined,
	timeoutMs: number | undefined,
	ended: PromiseLike<T>,
): Promise<T> {
	if (pid === undefined) return ended;
	const release = context.janitor.guardGroup(pid);
	const timers: NodeJS.Timeout[] = [];
	const stop = () => {
		signalGroup(pid, 'SIGTERM');
		timers.push(setTimeout(() => signalGroup(pid, 'SIGKILL'), TERM_GRACE_MS));
	};
	context.signal.addEventListener('abort', stop, { once: true });
	if (timeoutMs !== undefined) timers.push(setTimeout(stop, timeoutMs));
	try {
		return await ended;
	} finally {
		context.signal.removeEventListener('abort', stop);
		for (const timer of timers) clearTimeout(timer);
		signalGroup(pid, 'SIGKILL');
		release();
	}
}

/** Returns a command as one would type it into a shell. */
export function describeCommand(command: readonly string[]): string {
	return command.map(shellWord).join(' ');
}
