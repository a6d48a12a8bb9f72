/** Reads the end of a log. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Bytes } from '../../types/units.ts';

/** More than anybody reads of a log, and little enough for a log of any size. */
const TAIL_BYTES: Bytes = 64 * 1024;

/**
 * Returns the last 64 KiB of a text file, from the beginning of a line on when more came before; empty when it cannot be
 * read. Bytes that are not UTF-8 become replacement characters.
 */
export function readTail(path: string): string {
	let file: number;
	try {
		file = openSync(path, 'r');
	} catch {
		return '';
	}
	try {
		const { size } = fstatSync(file);
		const start = Math.max(0, size - TAIL_BYTES);
		const buffer = Buffer.alloc(size - start);
		const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, start));
		return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
	} catch {
		return '';
	} finally {
		closeSync(file);
	}
}
