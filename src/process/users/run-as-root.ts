import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { shellWord } from '../../text/shell-word.ts';

/** How commands are run as root: as we are, or through sudo that asks for no password. */
export type Privilege = 'root' | 'sudo';

const run = promisify(execFile);
/** Programs of system administration are not on every user's PATH. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const MOST_OUTPUT = 16 * 1024 * 1024;
/** A sudo that asks something after all, or a hanging directory service, must not stop a run for ever. */
const PATIENCE_MS = 120_000;
/** What walks over all files of a folder: a home with the caches of a package manager has hundreds of thousands. */
const WALKS: ReadonlySet<string> = new Set(['rm', 'chown', 'chgrp', 'chmod', 'find']);
const WALK_PATIENCE_MS = 1_200_000;

/** Returns how long a command may take before it is taken for one that hangs, in milliseconds. */
export function patienceOf([program = '']: readonly string[]): number {
	return WALKS.has(program) ? WALK_PATIENCE_MS : PATIENCE_MS;
}

/** Returns `argv` so that it runs as root. */
export function asRoot(privilege: Privilege, argv: readonly string[]): string[] {
	return privilege === 'root' ? [...argv] : ['sudo', '-n', '--', ...argv];
}

/** Runs a command as root and returns its output. Rejects with what it printed when it fails. */
export function runAsRoot(privilege: Privilege, argv: readonly string[]): Promise<string> {
	return runFor(asRoot(privilege, argv), patienceOf(argv));
}

/**
 * Runs commands as root, one after the other until one fails, all with one sudo: it takes longer than most of them. Rejects as
 * `runAsRoot` does.
 */
export async function runAllAsRoot(privilege: Privilege, commands: readonly (readonly string[])[]): Promise<void> {
	if (privilege === 'root') {
		for (const argv of commands) await runAsRoot(privilege, argv);
		return;
	}
	const script = commands.map((argv) => argv.map(shellWord).join(' ')).join(' && ');
	await runFor(asRoot(privilege, ['/bin/sh', '-c', script]), Math.max(...commands.map(patienceOf)));
}

/** Runs a command as our own user, as `runAsRoot` does. */
export function runPlain(argv: readonly string[]): Promise<string> {
	return runFor(argv, patienceOf(argv));
}

async function runFor([program = '', ...args]: readonly string[], timeout: number): Promise<string> {
	const env = { PATH: SYSTEM_PATH, LC_ALL: 'C' };
	const { stdout } = await run(program, args, { cwd: '/', env, maxBuffer: MOST_OUTPUT, timeout });
	return stdout;
}

/** Runs a command as root, waits for it, and returns whether it succeeded and what it printed as its last line. */
export function tryAsRoot(privilege: Privilege, argv: readonly string[]): { succeeded: boolean; lastLine: string } {
	const [program = '', ...args] = asRoot(privilege, argv);
	return tryCommand(program, args);
}

/** The same without becoming root. */
export function tryCommand(program: string, args: readonly string[]): { succeeded: boolean; lastLine: string } {
	const env = { PATH: SYSTEM_PATH, LC_ALL: 'C' };
	// SIGTERM would wait for ever for a process that is stopped.
	const limits = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
	const outcome = spawnSync(program, args, { cwd: '/', env, encoding: 'utf8', ...limits });
	const text = `${outcome.stdout ?? ''}${outcome.stderr ?? ''}`.trim();
	const lastLine = outcome.error?.message ?? text.split('\n').at(-1) ?? '';
	return { succeeded: outcome.status === 0, lastLine };
}
