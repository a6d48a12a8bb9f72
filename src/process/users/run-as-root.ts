import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { shellWord } from '../../text/escape.ts';

/** `sudo` is passwordless. */
export type Privilege = 'root' | 'sudo';

const run = promisify(execFile);
/** Not every user has all of these folders on PATH. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const MOST_OUTPUT = 16 * 1024 * 1024;
/** A sudo that prompts, or a hanging directory service, must not block a run forever. */
const PATIENCE_MS = 120_000;
/** Programs that may visit hundreds of thousands of files in a home with package manager caches. */
const WALKS: ReadonlySet<string> = new Set(['rm', 'chown', 'chgrp', 'chmod', 'find']);
const WALK_PATIENCE_MS = 1_200_000;

export function patienceOf([program = '']: readonly string[]): number {
	return WALKS.has(program) ? WALK_PATIENCE_MS : PATIENCE_MS;
}

export function asRoot(privilege: Privilege, argv: readonly string[]): string[] {
	return privilege === 'root' ? [...argv] : ['sudo', '-n', '--', ...argv];
}

/** Runs a command as root and returns its output. On failure, the error contains the output. */
export function runAsRoot(privilege: Privilege, argv: readonly string[]): Promise<string> {
	return runFor(asRoot(privilege, argv), patienceOf(argv));
}

/** Runs commands until one fails, with a single sudo, which takes longer than most of them. */
export async function runAllAsRoot(privilege: Privilege, commands: readonly (readonly string[])[]): Promise<void> {
	if (privilege === 'root') {
		for (const argv of commands) await runAsRoot(privilege, argv);
		return;
	}
	const script = commands.map((argv) => argv.map(shellWord).join(' ')).join(' && ');
	await runFor(asRoot(privilege, ['/bin/sh', '-c', script]), Math.max(...commands.map(patienceOf)));
}

export function runPlain(argv: readonly string[]): Promise<string> {
	return runFor(argv, patienceOf(argv));
}

async function runFor([program = '', ...args]: readonly string[], timeout: number): Promise<string> {
	const env = { PATH: SYSTEM_PATH, LC_ALL: 'C' };
	const { stdout } = await run(program, args, { cwd: '/', env, maxBuffer: MOST_OUTPUT, timeout });
	return stdout;
}

export function tryAsRoot(privilege: Privilege, argv: readonly string[]): { succeeded: boolean; lastLine: string } {
	const [program = '', ...args] = asRoot(privilege, argv);
	return tryCommand(program, args);
}

export function tryCommand(program: string, args: readonly string[]): { succeeded: boolean; lastLine: string } {
	const env = { PATH: SYSTEM_PATH, LC_ALL: 'C' };
	// SIGKILL, because a stopped process ignores SIGTERM.
	const limits = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
	const outcome = spawnSync(program, args, { cwd: '/', env, encoding: 'utf8', ...limits });
	const text = `${outcome.stdout ?? ''}${outcome.stderr ?? ''}`.trim();
	const lastLine = outcome.error?.message ?? text.split('\n').at(-1) ?? '';
	return { succeeded: outcome.status === 0, lastLine };
}
