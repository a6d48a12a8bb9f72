/** Runs child processes while preparing. */
import { closeSync, writeSync } from 'node:fs';
import { execa } from 'execa';
import { writeDuration } from '../config/durations.ts';
import { followTree, type KnownProcess } from '../process/followed-tree.ts';
import { cutLog, openLog, readTail } from '../process/logs.ts';
import { endLeftBehind, groupIsAlive } from '../process/processes.ts';
import { SAME_USER } from '../process/users/same-user.ts';
import { shellWord } from '../text/escape.ts';
import type { SideUser } from '../types/isolation.ts';
import type { Bytes } from '../types/units.ts';
import type { Session } from './prepare-context.ts';

const TERM_GRACE_MS = 2000;
/** Longest delay of a timer in Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A larger log keeps only its beginning and end. */
const LARGEST_LOG: Bytes = 64 * 1024 * 1024;

/** The parts that exist before the session is complete. */
export type ChildContext = Pick<Session, 'environment' | 'janitor' | 'signal'>;

/** Exit code of `env` and shells for a missing program. */
const NOT_FOUND = 127;

export interface ChildOptions {
	readonly cwd: string;
	/** File for both outputs, in a folder that only we can enter. Without it, the outputs are captured. */
	readonly log?: string;
	readonly timeoutMs: number;
	/** Whether the child runs code of a revision or its dependencies. Then no descendant may outlive it. */
	readonly foreign?: boolean;
	/** Our own user by default. */
	readonly user?: SideUser;
}

export interface ChildOutcome {
	readonly succeeded: boolean;
	readonly missing: boolean;
	/** Empty with a log. */
	readonly stdout: string;
	readonly stderr: string;
	/** `exit code 1`, `SIGKILL`, `a time-out after 15m`. */
	readonly ending: string;
	readonly timedOut: boolean;
	/** Command lines of leftover processes of a foreign child, now ended. */
	readonly leftBehind: readonly string[];
}

/**
 * Runs a program in its own process group, then ends the group and, for a foreign child, what left it. An abort or
 * time-out sends SIGTERM, and SIGKILL two seconds later. Throws the reason of an abort.
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
		// A log is not a pipe, because surviving daemons would keep a pipe open. execa passes descriptors through, but
		// its types allow them only beyond the first three streams.
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
		const errorText = () => (options.log === undefined ? String(outcome.stderr ?? '') : readTail(options.log));
		return {
			succeeded: !outcome.failed && !timedOut,
			missing:
				outcome.code === 'ENOENT' ||
				(user !== SAME_USER && outcome.exitCode === NOT_FOUND && envMisses(command, errorText())),
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

/** Recognises the error of the `env` that starts a program as another user. */
function envMisses([program = '']: readonly string[], output: string): boolean {
	const last = output.trimEnd().split('\n').at(-1) ?? '';
	return /^(\/usr\/bin\/)?env: .*: No such file/.test(last) && last.includes(program);
}

/**
 * Ends processes that have the run's mark, and those seen in the child's tree, because they may have cleared their
 * environment.
 */
function endForeign({ janitor }: Pick<ChildContext, 'janitor'>, seen: readonly KnownProcess[]): Promise<string[]> {
	return endLeftBehind(`${janitor.marker.name}=${janitor.marker.value}`, seen);
}

/** Waits for the leader, then kills its group. */
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
		// A leader run by root may wait for processes outside the group.
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

export function describeCommand(command: readonly string[]): string {
	return command.map(shellWord).join(' ');
}
