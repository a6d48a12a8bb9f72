/**
 * What a server on Node reports about itself while it runs: garbage collection and its event loop. Nobody can see these from
 * outside, so a few lines of ours run in its process, and tell in its output. Code under test could tell otherwise: nothing is
 * decided by it (docs/measuring.md, "What Node reports about itself").
 */

/** Begins every line that is told. */
const MARK = '[benchgate-vitals';

/** Often enough for a turn of some seconds, which begins after the first time. */
const TELL_MS = 250;

/**
 * The lines themselves: process id, milliseconds since the epoch; then, since the process began, time in collections, their number and
 * the time the loop was active and idle; and the longest collection since the line before. All times in milliseconds. Worker threads tell
 * nothing, because their loop is not that of the server.
 */
const PROGRAM = `
import { writeSync } from 'node:fs';
import { performance, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
	let [time, count, longest] = [0, 0, 0];
	new PerformanceObserver((list) => {
		for (const { duration } of list.getEntries()) {
			time += duration;
			count++;
			if (duration > longest) longest = duration;
		}
	}).observe({ entryTypes: ['gc'] });
	const tell = () => {
		const { active, idle } = performance.eventLoopUtilization();
		const told = [process.pid, Date.now(), time, count, active, idle, longest];
		longest = 0;
		try {
			writeSync(2, '\\n${MARK} ' + told.join(' ') + ']\\n');
		} catch {}
	};
	tell();
	setInterval(tell, ${TELL_MS}).unref();
}
`;

/** Has Node tell. In a variable that is split at spaces, and needs no file that a server may read. */
export const TELL_FLAG = `--import=data:text/javascript,${encodeURIComponent(PROGRAM)}`;

/** What a process told at one moment, in milliseconds. */
export interface Telling {
	readonly pid: number;
	readonly at: number;
	readonly time: number;
	readonly count: number;
	readonly active: number;
	readonly idle: number;
	readonly longest: number;
}

/** Whether a line of output is one of ours. */
export function isTelling(line: string): boolean {
	return line.startsWith(MARK);
}

/** Returns what a server's output tells, in its order. What is no line of ours as we write it is left out. */
export function readTellings(output: string): readonly Telling[] {
	return output.split('\n').flatMap((line) => {
		if (!isTelling(line) || !line.endsWith(']')) return [];
		const numbers = line
			.slice(MARK.length + 1, -1)
			.split(' ')
			.map(Number);
		const [pid = 0, at = 0, time = 0, count = 0, active = 0, idle = 0, longest = 0] = numbers;
		const isWhole = numbers.length === 7 && numbers.every((number) => Number.isFinite(number) && number >= 0);
		return isWhole ? [{ pid, at, time, count, active, idle, longest }] : [];
	});
}
