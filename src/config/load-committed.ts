/** Reads configs from commits: `git:REF:PATH`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { QUESTION_MS } from '../process/deadline.ts';
import { UserError } from '../types/errors.ts';

/** A ref never begins with a dash. */
const IN_COMMIT = /^git:([^-:][^:]*):(.+)$/s;
export function refOf(name: string): string | undefined {
	return placeOf(name)?.ref;
}

/** Splits `git:REF:PATH`; undefined for other names. */
export function placeOf(name: string): { readonly ref: string; readonly path: string } | undefined {
	const [, ref, path] = IN_COMMIT.exec(name) ?? [];
	return ref === undefined || path === undefined ? undefined : { ref, path };
}

/** Far larger than any config. The parser's limit is lower. */
export const LARGEST_CONFIG_BYTES = 4_000_000;

/** Reads `git:REF:PATH`, relative to `cwd`; undefined for other names. Throws UserError if it is missing. */
export async function readCommitted(cwd: string, name: string): Promise<string | undefined> {
	const place = placeOf(name);
	if (place === undefined) return undefined;
	const { ref, path } = place;
	try {
		const { stdout } = await promisify(execFile)('git', ['cat-file', 'blob', `${ref}:./${path}`], {
			cwd,
			maxBuffer: LARGEST_CONFIG_BYTES,
			timeout: QUESTION_MS,
		});
		return stdout;
	} catch (cause) {
		const { stderr = '', message } = cause as Error & { readonly stderr?: string };
		throw new UserError({
			code: 'unreadable-config',
			where: name,
			message: `git cannot read that config: ${stderr.trim() || message}`,
			remedy: `check the ref and the path; if the commit is missing here, run: git fetch origin ${ref}`,
			cause,
		});
	}
}
