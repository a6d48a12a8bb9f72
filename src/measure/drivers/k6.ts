/** Loads a server with k6. */
import type { LatencyHistogram } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
import { type DriverLoad, type DriverProgram, type DriverReport, histogramOf } from './driver-program.ts';

/** Mark the load itself: k6 takes time to start (a second) and for its summary. */
const MARKS = { began: 'benchgate-began', ended: 'benchgate-ended' } as const;
/** k6 prints no histogram, but any number of quantiles. */
const POINTS = 1000;
/** k6's status for a request without an answer. */
const NO_ANSWER = 0;
/** Time for requests in flight at the end. */
const GRACE: Seconds = 2;

export const K6: DriverProgram = {
	probe: ['version'],
	remedy: 'go install go.k6.io/k6@latest, or https://grafana.com/docs/k6/latest/set-up/install-k6/',
	file: 'load.js',
	script: k6Script,
	argv: (_, path) => [
		...['run', '--quiet', '--no-color', '--no-usage-report', '--address', '', '--log-format', 'raw'],
		path,
	],
	read: readK6,
	marks: MARKS,
};

/** Returns a script with one user per connection, which prints the input of `readK6`. */
export function k6Script({ target, load, seconds, stages, statuses }: DriverLoad): string {
	const { method, path, headers, body } = target.request;
	const request = { method, url: `${target.origin}${path}`, body: body ?? null, headers };
	const grace = duration(GRACE);
	const users = stages
		? {
				...{ executor: 'ramping-vus', startVUs: 0, gracefulRampDown: grace, gracefulStop: grace },
				stages: stages.map((stage) => ({ duration: duration(stage.seconds), target: stage.connections })),
			}
		: {
				...{ executor: 'constant-vus', vus: load.connections, duration: duration(seconds), gracefulStop: grace },
			};
	return `import http from 'k6/http';
const request = ${ascii(request)};
const statuses = ${ascii(statuses)};
const points = Array.from({ length: ${POINTS} }, (_, at) => 'p(' + ((at + 0.5) * 100) / ${POINTS} + ')');
const counted = [${NO_ANSWER}, ...statuses].map((status) => [status, 'http_reqs{status:' + status + '}']);
export const options = {
	scenarios: { load: ${ascii(users)} },
	discardResponseBodies: true,
	maxRedirects: 0,
	summaryTrendStats: ['min', 'max', ...points],
	thresholds: Object.fromEntries(counted.map(([, name]) => [name, []])),
};
http.setResponseCallback(http.expectedStatuses(...statuses));
const params = { headers: request.headers };
export function setup() {
	console.log('${MARKS.began}');
}
export default function () {
	http.request(request.method, request.url, request.body, params);
}
export function teardown() {
	console.log('${MARKS.ended}');
}
export function handleSummary({ metrics, state }) {
	const valuesOf = (name) => (metrics[name] ? metrics[name].values : {});
	const countOf = (name) => valuesOf(name).count || 0;
	const latency = valuesOf('http_req_duration');
	const told = {
		requests: countOf('http_reqs'),
		failed: valuesOf('http_req_failed').passes || 0,
		bytes: countOf('data_received'),
		milliseconds: state.testRunDurationMs,
		statuses: counted.map(([status, name]) => [status, countOf(name)]),
		least: latency.min || 0,
		most: latency.max || 0,
		points: points.map((name) => latency[name] || 0),
	};
	return { stdout: JSON.stringify(told) };
}
`;
}

/** JSON in ASCII is a literal in every version of JavaScript. */
function ascii(value: unknown): string {
	return JSON.stringify(value).replace(
		/[^\x20-\x7e]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function duration(seconds: Seconds): string {
	return `${Math.round(seconds * 1000)}ms`;
}

export function readK6(output: string): DriverReport | null {
	const summary = parse(output);
	if (summary === null) return null;
	const { requests, failed, bytes, milliseconds, statuses, least, most, points } = summary;
	const errors = statuses.find(([status]) => status === NO_ANSWER)?.[1] ?? 0;
	const answered = statuses.filter(([status, count]) => status !== NO_ANSWER && count > 0);
	return {
		completed: requests - errors,
		bytes,
		seconds: milliseconds / 1000,
		errors,
		unexpected: Math.max(0, failed - errors),
		statuses: Object.fromEntries(answered),
		latency: spread(points, least, most, requests),
	};
}

/** Each quantile represents an equal part; minimum and maximum count once. */
function spread(points: readonly number[], least: number, most: number, count: number): LatencyHistogram {
	const inner = Math.max(0, count - 2);
	const upTo = (at: number) => Math.round((at * inner) / points.length);
	return histogramOf([
		[least * 1000, Math.min(1, count)],
		...points.map((value, at) => [value * 1000, upTo(at + 1) - upTo(at)] as const),
		[most * 1000, count > 1 ? 1 : 0],
	]);
}

interface Told {
	readonly requests: number;
	readonly failed: number;
	readonly bytes: number;
	readonly milliseconds: number;
	readonly statuses: readonly (readonly [status: number, count: number])[];
	readonly least: number;
	readonly most: number;
	readonly points: readonly number[];
}

function parse(output: string): Told | null {
	try {
		const summary = Object(JSON.parse(output)) as Told;
		const { requests, failed, bytes, milliseconds, least, most, points, statuses } = summary;
		const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
		const counts = [requests, failed, bytes, milliseconds, least, most, ...points, ...statuses.flat()];
		return counts.every(isCount) && milliseconds > 0 && points.length === POINTS ? summary : null;
	} catch {
		return null;
	}
}
