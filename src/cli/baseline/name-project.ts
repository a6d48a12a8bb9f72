/** What the repository around is called, and where its page is. */
import { basename } from 'node:path';
import { execa } from 'execa';
import { QUESTION_MS } from '../../process/deadline.ts';

/** Addresses of a repository on a server with pages for commits: `https://HOST/OWNER/NAME(.git)`, `git@HOST:OWNER/NAME.git`. */
const REMOTE = /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)([\w.-]+(?::\d+)?)[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

/** Returns what the repository around calls itself, and its page. */
export async function nameProject(
	cwd: string,
): Promise<{ readonly project: string; readonly repository: string | null }> {
	const { stdout } = await execa('git', ['remote', 'get-url', 'origin'], { cwd, reject: false, timeout: QUESTION_MS });
	const [, host, path] = REMOTE.exec(String(stdout ?? '').trim()) ?? [];
	if (host === undefined || path === undefined) return { project: basename(cwd), repository: null };
	return { project: path, repository: `https://${host}/${path}` };
}
