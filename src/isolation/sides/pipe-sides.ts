/** Hands what one side prints to another: read with the rights of the one, written with those of the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATE, within } from '../../process/deadline.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { SideUser } from '../../types/isolation.ts';

/** A shell script, and who runs it. */
export interface PipeEnd {
	readonly user: SideUser;
	readonly script: string;
}

/**
 * Runs `from` with its output as the input of `to`, and returns whether `to` succeeded. What takes longer than `patience`, in
 * milliseconds, is ended with all that both users run.
 */
export async function pipeSides(from: PipeEnd, to: PipeEnd, patience: number): Promise<boolean> {
	const script = `${commandOf(from)} | ${commandOf(to)}`;
	const env = { PATH: process.env.PATH ?? '' };
	const copying = spawn('/bin/sh', ['-c', script], { cwd: '/', env, detached: true, stdio: 'ignore' });
	const ended = Promise.race([once(copying, 'exit'), once(copying, 'error')]).catch(() => {});
	if ((await within(patience, ended)) !== LATE) return copying.exitCode === 0;
	await Promise.all([from.user.endAll(), to.user.endAll()]);
	await ended;
	return false;
}

function commandOf({ user, script }: PipeEnd): string {
	const env = user.environment({ PATH: process.env.PATH ?? '' });
	return user.launch(['/bin/sh', '-c', script], { cwd: '/', env }).argv.map(shellWord).join(' ');
}
