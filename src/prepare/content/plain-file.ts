/** Reads a regular file without following symlinks. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Bytes } from '../../types/units.ts';

const LARGEST: Bytes = 64 * 1024 * 1024;

/**
 * O_NONBLOCK, because opening a pipe would block. O_NOFOLLOW, because a side's symlink may lead to a file that only we
 * can read.
 */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Reads a file that code of a revision may have made. Always terminates.
 *
 * @throws Error if it is missing, not regular (a pipe may never end), or over 64 MiB.
 */
export async function readPlainFile(path: string): Promise<Buffer> {
	const file = await open(path, READ).catch((error: NodeJS.ErrnoException) => {
		throw error.code === 'ELOOP' ? notPlain(path) : error;
	});
	try {
		const stats = await file.stat();
		if (!stats.isFile()) throw notPlain(path);
		if (stats.size > LARGEST) throw new Error(`${path} is larger than 64 MiB`);
		const content = Buffer.alloc(stats.size);
		// Ignore data appended meanwhile.
		let length = 0;
		for (let read = -1; read !== 0 && length < content.length; length += read) {
			({ bytesRead: read } = await file.read(content, length, content.length - length));
		}
		return content.subarray(0, length);
	} finally {
		await file.close();
	}
}

function notPlain(path: string): Error {
	return new Error(`${path} is not a regular file`);
}

export async function readPlainText(path: string): Promise<string> {
	return (await readPlainFile(path)).toString('utf8');
}
