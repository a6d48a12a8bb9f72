/** Log files of processes. */
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

const TAIL_BYTES: Bytes = 64 * 1024;

/** Bytes kept at the beginning, and at the end, of a truncated log. */
const KEPT: Bytes = 64 * 1024;

const CUT = '[benchgate: output was dropped here, because there was too much of it]\n';

const LINE_FEED = 10;

export function makeLogFolder(cacheFolder: string): string {
	const folder = join(cacheFolder, 'logs');
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o700);
	return folder;
}

/**
 * Opens a log to append and read, in a folder that only we can enter. Mode 0666 lets a process of any user that
 * inherits the log reopen it through /dev/stderr.
 */
export function openLog(path: string): number {
	const log = openSync(path, 'a+');
	fchmodSync(log, 0o666);
	return log;
}

/** Drops the middle of a log larger than `largest`. All writers must append. Output written meanwhile may be lost. */
export function cutLog(file: number, largest: Bytes): void {
	const { size } = fstatSync(file);
	if (size <= largest) return;
	const begin = readPart(file, 0);
	const end = readPart(file, size - KEPT);
	const whole = begin.lastIndexOf(LINE_FEED) + 1;
	// Truncates in place, because other processes append meanwhile.
	ftruncateSync(file, whole || KEPT);
	try {
		writeSync(
			file,
			Buffer.concat([Buffer.from(whole > 0 ? CUT : `\n${CUT}`), end.subarray(end.indexOf(LINE_FEED) + 1)]),
		);
	} catch {
		// The disk is full.
	}
}

function readPart(file: number, position: number): Buffer {
	const buffer = Buffer.alloc(KEPT);
	return buffer.subarray(0, readSync(file, buffer, 0, KEPT, position));
}

/**
 * Returns the last 64 KiB from the start of a line; empty when unreadable. Invalid UTF-8 becomes replacement
 * characters.
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
