/** Finds a token that actions/checkout left in git's configuration. */
import { execa } from 'execa';
import { scrubEnvironment } from '../process/environment.ts';
import type { Warning } from '../types/units.ts';

/** Git prints sections and keys in lower case. */
const SETTINGS = '^(http\\..*\\.extraheader|http\\.extraheader|remote\\..*\\.(push)?url|url\\..*\\.(push)?insteadof)$';
const URL_WITH_PASSWORD = /:\/\/(?:[^/@\s]*:[^/@\s]+|[^/@\s:]{20,})@/;

/**
 * Returns the warning `credentials-kept` if git's effective configuration has a token, which the code under test can
 * read, else null.
 */
export async function findKeptCredentials(workspace: string): Promise<Warning | null> {
	const { stdout } = await execa(
		'git',
		['-c', 'safe.directory=*', '-C', workspace, 'config', '--null', '--get-regexp', SETTINGS],
		{ env: scrubEnvironment(process.env, 'build'), extendEnv: false, reject: false, stdin: 'ignore', timeout: 10_000 },
	);
	const setting = (stdout ?? '').split('\0').find(holdsCredentials);
	if (setting === undefined) return null;
	return {
		code: 'credentials-kept',
		message: `the checkout keeps a token in git's configuration (${nameOf(setting)}), where the code under test can read it; add "persist-credentials: false" under "with:" of the step actions/checkout`,
	};
}

/** `git config --null` prints key, newline, value. */
function holdsCredentials(entry: string): boolean {
	const [key = '', ...value] = entry.split('\n');
	return /extraheader$/i.test(key)
		? /authorization|token|cookie/i.test(value.join(' '))
		: URL_WITH_PASSWORD.test(entry);
}

/** Leaves out the middle of the key, which may be a URL with a password. */
function nameOf(entry: string): string {
	const [key = ''] = entry.split('\n');
	return `${key.slice(0, key.indexOf('.'))}.*.${key.slice(key.lastIndexOf('.') + 1)}`;
}
