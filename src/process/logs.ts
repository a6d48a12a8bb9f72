/** Log files of processes: created private, cut when long, read from the end. */
import {
	chmodSync,
	closeSync,
	fchmodSync,
	fstatSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	readSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Bytes } from '../types/units.ts';

/** More than anybody reads of a log, and little enough for a log of any size. */
const TAIL_BYTES: Bytes = 64 * 1024;

/** What is kept of the beginning of a log that is cut, and of its end. */
const KEPT: Bytes = 64 * 1024;

const CUT = '[benchgate: output was dropped here, because there was too much of it]\n';

const LINE_FEED = 10;

/** Makes the folder for all logs, which only we can enter, and returns its path. */
export function makeLogFolder(cacheFolder: string): string {
	const folder = join(cacheFolder, 'logs');
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o700);
	return folder;
}

/**
 * Opens a log in a folder that only we can enter, to append to and to read, and returns its descriptor. Whoever is handed that can open it
 * again, whatever user it is: what writes to /dev/stderr does.
 */
export function openLog(path: string): number {
	const log = openSync(path, 'a+');
	fchmodSync(log, 0o666);
	return log;
}

// Cuts a long log: its beginning and its end stay.

/**
 * Cuts a log that is larger than `largest` bytes to its beginning and its end, with a line between them that says so. `file` is
 * open for reading and appending; everybody else who writes to it appends too. What is written in this moment may be lost.
 */
export function cutLog(file: number, largest: Bytes): void {
	const { size } = fstatSync(file);
	if (size <= largest) return;
	const begin = readPart(file, 0);
	const end = readPart(file, size - KEPT);
	const whole = begin.lastIndexOf(LINE_FEED) + 1;
	// The beginning stays where it is: others write while this is done, and only behind it.
	ftruncateSync(file, whole || KEPT);
	try {
		writeSync(
			file,
			Buffer.concat([Buffer.from(whole > 0 ? CUT : `\n${CUT}`), end.subarray(end.indexOf(LINE_FEED) + 1)]),
		);
	} catch {
		// The disk is full: whoever prints will notice.
	}
}

function readPart(file: number, position: number): Buffer {
	const buffer = Buffer.alloc(KEPT);
	return buffer.subarray(0, readSync(file, buffer, 0, KEPT, position));
}

// Reads the end of a log.

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
