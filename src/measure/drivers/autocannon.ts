import { execPath } from 'node:process';
import { type DriverLoad, type DriverProgram, type DriverReport, histogramOf } from './driver-program.ts';

export const AUTOCANNON: DriverProgram = {
	probe: ['--version'],
	remedy: 'npm install --global autocannon, or the version of a page: autocannon@8.0.0',
	file: 'load.cjs',
	// Its CLI prints whole milliseconds and nothing per second.
	command: [execPath],
	script: autocannonScript,
	argv: (_, path) => [path],
	read: (output, { statuses }) => readAutocannon(output, statuses),
};

/** Returns a script that calls the autocannon on PATH and prints the input of `readAutocannon`. */
export function autocannonScript({ target, load, seconds }: Pick<DriverLoad, 'target' | 'load' | 'seconds'>): string {
	const { method, path, headers, body } = target.request;
	const options = {
		...{ url: `${target.origin}${path}`, method, headers, ...(body !== undefined && { body }) },
		...{ connections: load.connections, pipelining: load.pipelining, duration: seconds },
	};
	return `'use strict';
const { existsSync, realpathSync } = require('node:fs');
const { delimiter, join } = require('node:path');
const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'autocannon'));
const autocannon = require(realpathSync(places.find((place) => existsSync(place))));
const statuses = {};
const latencies = new Map();
const perSecond = [];
const now = { requests: 0, bytes: 0 };
let [began, before] = [performance.now(), { ...now }];
const run = autocannon(${JSON.stringify(options)}, (error, result) => {
	clearInterval(counting);
	if (error) throw error;
	// It may end right before the last second is counted.
	if (performance.now() - began > 900) count();
	const { duration, errors, timeouts } = result;
	const told = { ...now, seconds: duration, errors, timeouts, statuses, perSecond, latencies: [...latencies] };
	process.stdout.write(JSON.stringify(told));
});
function count() {
	const at = performance.now();
	const seconds = (at - began) / 1000;
	perSecond.push([(now.requests - before.requests) / seconds, (now.bytes - before.bytes) / seconds]);
	[began, before] = [at, { ...now }];
}
const counting = setInterval(count, 1000);
run.on('response', (_client, status, bytes, milliseconds) => {
	now.requests++;
	now.bytes += bytes;
	statuses[status] = (statuses[status] ?? 0) + 1;
	const microseconds = Math.max(1, Math.round(milliseconds * 1000));
	const unit = 10 ** Math.max(0, Math.floor(Math.log10(microseconds)) - 2);
	const kept = Math.round(microseconds / unit) * unit;
	latencies.set(kept, (latencies.get(kept) ?? 0) + 1);
});
`;
}

export function readAutocannon(output: string, statuses: readonly number[]): DriverReport | null {
	const summary = parse(output);
	if (summary === null) return null;
	const { requests, bytes, seconds, errors, timeouts, latencies, perSecond } = summary;
	const unexpected = Object.entries(summary.statuses)
		.filter(([status]) => !statuses.includes(Number(status)))
		.reduce((sum, [, count]) => sum + count, 0);
	return {
		completed: requests,
		bytes,
		seconds,
		errors,
		timeouts,
		unexpected,
		statuses: summary.statuses,
		latency: histogramOf(latencies),
		perSecond: perSecond.map(([answers, read]) => ({ requests: answers, bytes: read })),
	};
}

interface Told {
	readonly requests: number;
	readonly bytes: number;
	readonly seconds: number;
	readonly errors: number;
	readonly timeouts: number;
	readonly statuses: Readonly<Record<string, number>>;
	readonly latencies: readonly (readonly [microseconds: number, count: number])[];
	readonly perSecond: readonly (readonly [requests: number, bytes: number])[];
}

function parse(output: string): Told | null {
	try {
		const summary = Object(JSON.parse(output)) as Told;
		const { requests, bytes, seconds, errors, timeouts, statuses, latencies, perSecond } = summary;
		const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
		const pairs = [...latencies, ...perSecond];
		const counts = [requests, bytes, seconds, errors, timeouts, ...Object.values(statuses), ...pairs.flat()];
		return counts.every(isCount) && pairs.every(({ length }) => length === 2) && seconds > 0 ? summary : null;
	} catch {
		return null;
	}
}
