/** Loads a server with wrk. */
import type { HttpRequest } from '../../types/config.ts';
import { type DriverProgram, type DriverReport, histogramOf } from './driver-program.ts';

/** Begins the line of totals. Lines with microseconds and a count follow it. */
const TOTALS = 'benchgate-totals';
const NUMBERS = 6;

export const WRK: DriverProgram = {
	probe: ['-v'],
	remedy: 'Debian and Ubuntu: apt-get install wrk',
	file: 'load.lua',
	script: ({ target, load }) => wrkScript(target.request, load.pipelining),
	argv: ({ target, load, seconds }, path) => [
		...['-t', '1', '-c', String(load.connections), '-d', `${Math.ceil(seconds)}s`, '-s', path],
		`${target.origin}${target.request.path}`,
	],
	read: (output, { statuses }) => readWrk(output, statuses),
};

/** Returns a Lua script that sends `request`, `pipelining` at once, and prints `readWrk`'s input. */
export function wrkScript({ method, headers, body }: HttpRequest, pipelining: number): string {
	return [
		`wrk.method = ${quote(method)}`,
		...Object.entries(headers).map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`),
		...(body === undefined ? [] : [`wrk.body = ${quote(body)}`]),
		...(pipelining === 1 ? [] : [`init = function() all = string.rep(wrk.format(), ${pipelining}) end`]),
		...(pipelining === 1 ? [] : ['request = function() return all end']),
		'done = function(summary, latency)',
		'	local e = summary.errors',
		'	local failed = e.connect + e.read + e.write + e.timeout',
		`	print(string.format("${TOTALS} %d %d %d %d %d %d", summary.requests, summary.bytes, summary.duration, failed, e.timeout, e.status))`,
		'	for i = 1, #latency do',
		'		local value, count = latency(i)',
		'		print(string.format("%d %d", value, count))',
		'	end',
		'end',
		'',
	].join('\n');
}

/** Lua reads three decimal digits as any byte, so a request cannot end its string. */
function quote(text: string): string {
	const bytes = [...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`);
	return `"${bytes.join('')}"`;
}

/**
 * Returns null for malformed output. wrk adds latencies for requests that slow answers delayed, so latencies may
 * outnumber answers. It only counts statuses from 400 on.
 */
export function readWrk(output: string, statuses: readonly number[]): DriverReport | null {
	const lines = output.split('\n');
	const at = lines.findIndex((line) => line.startsWith(`${TOTALS} `));
	if (at < 0) return null;
	const numbers = numbersOf((lines[at] as string).slice(TOTALS.length + 1));
	const [completed = 0, bytes = 0, microseconds = 0, errors = 0, timeouts = 0, refused = 0] = numbers;
	if (numbers.length !== NUMBERS || !numbers.every(Number.isFinite) || microseconds <= 0) return null;
	const unexpected = statuses.some((status) => status >= 400) ? 0 : refused;
	const latency = histogramOf(
		lines.slice(at + 1).map((line) => {
			const [value = Number.NaN, count = Number.NaN] = numbersOf(line);
			return [value, count] as const;
		}),
	);
	return { completed, bytes, seconds: microseconds / 1e6, errors, timeouts, unexpected, statuses: {}, latency };
}

function numbersOf(text: string): number[] {
	return text.trim().split(' ').map(Number);
}
