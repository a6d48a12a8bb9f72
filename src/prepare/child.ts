/** Runs a child process of preparing, with its log, its time limit and its end. */
import { closeSync, writeSync } from 'node:fs';
import { execa } from 'execa';
import { writeDuration } from '../config/durations.ts';
import { followTree, type KnownProcess } from '../process/followed-tree.ts';
import { cutLog, openLog, readTail } from '../process/logs.ts';
import { endLeftBehind, groupIsAlive } from '../process/processes.ts';
import { SAME_USER } from '../process/users/same-user.ts';
import { shellWord } from '../text/shell-word.ts';
import type { SideUser } from '../types/isolation.ts';
import type { Bytes } from '../types/units.ts';
import type { Session } from './prepare-context.ts';

/** How long a child may take to end after SIGTERM. */
const TERM_GRACE_MS = 2000;
/** Timers cannot wait longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A log that grows beyond this keeps its beginning and its end only. */
const LARGEST_LOG: Bytes = 64 * 1024 * 1024;

/** The part of a session children need; the toolchain is asked before the session is complete. */
export type ChildContext = Pick<Session, 'environment' | 'janitor' | 'signal'>;

/** How `env` ends where a program is not there; so do shells, and whatever else. */
const NOT_FOUND = 127;

export interface ChildOptions {
	readonly cwd: string;
	/** File both outputs are appended to, in a folder that only we can enter; without it they are captured. */
	readonly log?: string;
	/** Longest time it may take. */
	readonly timeoutMs: number;
	/** Whether it runs code of a revision or of its dependencies: nothing it started may then outlive it. */
	readonly foreign?: boolean;
	/** Who it runs as; our own user when absent. */
	readonly user?: SideUser;
}

export interface ChildOutcome {
	readonly succeeded: boolean;
	/** The program is not there. */
	readonly missing: boolean;
	/** Captured output; empty when it went to a log. */
	readonly stdout: string;
	readonly stderr: string;
	/** How it ended, for messages: `exit code 1`, `SIGKILL`, `a time-out after 15m`. */
	readonly ending: string;
	/** Whether it was stopped because `timeoutMs` had passed. */
	readonly timedOut: boolean;
	/** Command lines of processes a foreign child left behind, which were ended. */
	readonly leftBehind: readonly string[];
}

/**
 * Runs a program in a process group of its own, guarded by the janitor, and returns how it ended. Nothing of the group is left
 * afterwards, and of a foreign child nothing that left the group either (see `endForeign`). Throws the abort reason when the
 * signal fires meanwhile. What has to be stopped gets SIGTERM, and SIGKILL after two seconds.
 */
export async function runChild(
	context: ChildContext,
	command: readonly string[],
	options: ChildOptions,
): Promise<ChildOutcome> {
	context.signal.throwIfAborted();
	const user = options.user ?? SAME_USER;
	user.hold(null);
	const env = user.environment(context.environment);
	const launch = user.launch(command, { cwd: options.cwd, env });
	const [program = '', ...args] = launch.argv;
	const log = options.log === undefined ? undefined : openLog(options.log);
	try {
		if (log !== undefined) writeSync(log, `$ ${describeCommand(command)}\n`);
		// A descriptor instead of a pipe: daemons that outlive the child would hold a pipe open for ever. execa passes it
		// on as it is, but its types know descriptors only beyond the first three streams.
		const output = (log ?? 'pipe') as 'pipe';
		const child = execa(program, args, {
			cwd: launch.cwd,
			env: launch.env,
			extendEnv: false,
			stdio: ['ignore', output, output],
			detached: true,
			cleanup: false,
			reject: false,
		});
		const shorten = () => log !== undefined && cutLog(log, LARGEST_LOG);
		const tree = options.foreign && child.pid !== undefined ? followTree(child.pid, shorten) : null;
		const end = await endGroup(context, user, child.pid, options.timeoutMs, child);
		const leftBehind = options.foreign ? await endForeign(context, tree?.stop() ?? []) : [];
		context.signal.throwIfAborted();
		const { outcome, timedOut } = end;
		const said = () => (options.log === undefined ? String(outcome.stderr ?? '') : readTail(options.log));
		return {
			succeeded: !outcome.failed && !timedOut,
			missing:
				outcome.code === 'ENOENT' ||
				(user !== SAME_USER && outcome.exitCode === NOT_FOUND && envMisses(command, said())),
			stdout: String(outcome.stdout ?? ''),
			stderr: String(outcome.stderr ?? ''),
			ending: timedOut
				? `a time-out after ${writeDuration(options.timeoutMs / 1000)}`
				: (outcome.signal ?? `exit code ${outcome.exitCode ?? 'unknown'}`),
			timedOut,
			leftBehind,
		};
	} finally {
		if (log !== undefined) closeSync(log);
	}
}

/** Whether the last words are those of the `env` that starts a program as another user. */
function envMisses([program = '']: readonly string[], output: string): boolean {
	const last = output.trimEnd().split('\n').at(-1) ?? '';
	return /^(\/usr\/bin\/)?env: .*: No such file/.test(last) && last.includes(program);
}

/**
 * Ends what code of a revision left behind, and returns the command lines: every process that carries the run's mark, and
 * those seen in its tree while it ran, which may have cleared their environment.
 */
function endForeign({ janitor }: Pick<ChildContext, 'janitor'>, seen: readonly KnownProcess[]): Promise<string[]> {
	return endLeftBehind(`${janitor.marker.name}=${janitor.marker.value}`, seen);
}

/** Waits for the leader and then removes its group; ends both early on abort or time-out. */
async function endGroup<T>(
	context: ChildContext,
	user: SideUser,
	pid: number | undefined,
	timeoutMs: number,
	ended: PromiseLike<T>,
): Promise<{ readonly outcome: T; readonly timedOut: boolean }> {
	if (pid === undefined) return { outcome: await ended, timedOut: false };
	const release = context.janitor.guardGroup(pid);
	const timers: NodeJS.Timeout[] = [];
	let timedOut = false;
	const kill = () => {
		if (groupIsAlive(pid)) user.signalGroup(pid, 'SIGKILL');
		// What has left the group is what is waited for, where something of root's leads it.
		void user.endAll().catch(() => {});
	};
	const stop = () => {
		user.signalGroup(pid, 'SIGTERM');
		timers.push(setTimeout(kill, TERM_GRACE_MS));
	};
	const stopLate = () => {
		timedOut = true;
		stop();
	};
	context.signal.addEventListener('abort', stop, { once: true });
	timers.push(setTimeout(stopLate, Math.min(timeoutMs, LONGEST_TIMER_MS)));
	try {
		return { outcome: await ended, timedOut };
	} finally {
		context.signal.removeEventListener('abort', stop);
		for (const timer of timers) clearTimeout(timer);
		if (groupIsAlive(pid)) user.signalGroup(pid, 'SIGKILL');
		release();
	}
}

/** Returns a command as one would type it into a shell. */
export function describeCommand(command: readonly string[]): string {
	return command.map(shellWord).join(' ');
}
