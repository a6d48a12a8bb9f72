/** What wrk is told by a script, and what that prints at the end. */
import type { HttpRequest } from '../../types/config.ts';
import type { LatencyHistogram } from '../../types/round.ts';
import type { Bytes, Seconds } from '../../types/units.ts';

/** What wrk counted. */
export interface WrkReport {
	readonly completed: number;
	readonly bytes: Bytes;
	readonly seconds: Seconds;
	/** Failed connections, reads and writes, and timeouts. */
	readonly errors: number;
	/** Answers with a status from 400 on: wrk tells no other. */
	readonly refused: number;
	readonly latency: LatencyHistogram;
}

/** Begins the one line of totals; pairs of microseconds and count follow it, a line each. */
const TOTALS = 'benchgate-totals';
const NUMBERS = 5;
/** Digits of a latency that are kept. */
const DIGITS = 3;

/** Returns the script that has wrk send `request`, so many at once on each connection, and print what `readWrk` reads. */
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
		`	print(string.format("${TOTALS} %d %d %d %d %d", summary.requests, summary.bytes, summary.duration, failed, e.status))`,
		'	for i = 1, #latency do',
		'		local value, count = latency(i)',
		'		print(string.format("%d %d", value, count))',
		'	end',
		'end',
		'',
	].join('\n');
}

/** Lua reads any byte as three decimal digits, so nothing of a request can end the text it stands in. */
function quote(text: string): string {
	const bytes = [...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`);
	return `"${bytes.join('')}"`;
}

/** Returns what wrk printed, as the script has it; null for anything else. */
export function readWrk(output: string): WrkReport | null {
	const lines = output.split('\n');
	const at = lines.findIndex((line) => line.startsWith(`${TOTALS} `));
	if (at < 0) return null;
	const numbers = numbersOf((lines[at] as string).slice(TOTALS.length + 1));
	const [completed = 0, bytes = 0, microseconds = 0, errors = 0, refused = 0] = numbers;
	if (numbers.length !== NUMBERS || !numbers.every(Number.isFinite) || microseconds <= 0) return null;
	const counts = new Map<number, number>();
	for (const line of lines.slice(at + 1)) {
		const [value = Number.NaN, count = Number.NaN] = numbersOf(line);
		if (!(value >= 0) || !(count > 0)) continue;
		const kept = Number(Math.max(1, value).toPrecision(DIGITS));
		counts.set(kept, (counts.get(kept) ?? 0) + count);
	}
	const latency = [...counts].sort(([one], [other]) => one - other);
	return { completed, bytes, seconds: microseconds / 1e6, errors, refused, latency };
}

function numbersOf(text: string): number[] {
	return text.trim().split(' ').map(Number);
}
