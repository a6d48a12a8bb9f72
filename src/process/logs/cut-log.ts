/** Cuts a long log: its beginning and its end stay. */
import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import type { Bytes } from '../../types/units.ts';

/** What is kept of the beginning of a log that is cut, and of its end. */
const KEPT: Bytes = 64 * 1024;
const CUT = '[benchgate: output was dropped here, because there was too much of it]\n';
const LINE_FEED = 10;

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
