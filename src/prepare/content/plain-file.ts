/** Reads a plain file, and never follows a link. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Bytes } from '../../types/units.ts';

/** More than any manifest or lockfile has. */
const LARGEST: Bytes = 64 * 1024 * 1024;

/** Without waiting: to open a pipe takes until somebody writes. A link may lead to what we can read, and whoever made it cannot. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Returns the content of a file that code of a revision may have made, as it is now: reading ends whatever it is.
 *
 * @throws Error when it is not there, no regular file (a pipe may never have an end), or larger than 64 MiB.
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
		// What is appended meanwhile is not read.
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

/** The same as text. */
export async function readPlainText(path: string): Promise<string> {
	return (await readPlainFile(path)).toString('utf8');
}
