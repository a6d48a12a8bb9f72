/** The last lines of a server's log that say why it ended. */
import type { ChildProcess } from 'node:child_process';
import { readTail } from '../process/logs/file-tail.ts';
import { isTelling } from './vitals/tell-vitals.ts';

const LOG_LINES = 10;
const LOG_CHARACTERS = 300;
/** Frames of a stack and lines that only point at something: the words that matter stand around them. */
const STACK_LINE = /^\s+at |^\s*File ".*", line \d+|^[\s^~]*$/;

/**
 * Returns the last lines of a server's output without stack frames, empty when there are none; cut at the beginning, because what
 * went wrong usually stands at the end.
 */
export function lastWords(file: string): string {
	const lines = readTail(file)
		.split('\n')
		.filter((line) => !isTelling(line));
	const text = lines
		.join('\n')
		.slice(-4_000)
		.trimEnd()
		.split('\n')
		.filter((line) => !STACK_LINE.test(line))
		.slice(-LOG_LINES)
		.join('\n')
		.trim();
	return text.length > LOG_CHARACTERS ? `…${text.slice(-LOG_CHARACTERS)}` : text;
}

/** Returns how a server ended and why, as far as it said; null while it runs. Its words are untrusted. */
export function describeEnding(
	child: ChildProcess,
	reason: () => string | null,
	lastLines: () => string,
): string | null {
	if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) return null;
	const how = child.pid === undefined ? 'could not be started' : (child.signalCode ?? `exit code ${child.exitCode}`);
	const known = reason();
	if (known !== null) return `${how}; it ${known}`;
	const lines = lastLines();
	return lines === '' ? `${how}, and printed nothing` : `${how}; it printed: ${lines}`;
}
