/** Vitals that a server on Node prints to stderr. Code under test could forge them: they decide nothing. */

const MARK = '[benchgate-vitals';

const TELL_MS = 250;

/**
 * Fields: process id; milliseconds since the epoch; since the process began, time in collections, their number, time the
 * loop was active, and idle; longest collection since the previous line. Worker threads print nothing.
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

/** Encoded: NODE_OPTIONS is split at spaces. A data URL: the server may not be allowed to read our files. */
export const TELL_FLAG = `--import=data:text/javascript,${encodeURIComponent(PROGRAM)}`;

/** Times in milliseconds. */
export interface Telling {
	readonly pid: number;
	readonly at: number;
	readonly time: number;
	readonly count: number;
	readonly active: number;
	readonly idle: number;
	readonly longest: number;
}

export function isTelling(line: string): boolean {
	return line.startsWith(MARK);
}

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
