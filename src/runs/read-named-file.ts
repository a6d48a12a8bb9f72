import { readFileSync } from 'node:fs';
import { UserError } from '../types/errors.ts';

interface Words {
	readonly what?: string;
	readonly remedy?: string;
	readonly flag?: string;
}

/** Reads a file named by the user. Throws UserError `cannot-read`. */
export function readNamedFile(file: string, { what = 'file', remedy = 'check the path', flag }: Words = {}): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		const message = code === 'ENOENT' ? 'there is no such file' : `the ${what} cannot be read: ${code}`;
		throw new UserError({
			code: 'cannot-read',
			where: flag === undefined ? file : `${flag} ${file}`,
			message,
			remedy,
			cause,
		});
	}
}
