import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { k6Script, readK6 } from '../../../src/measure/drivers/k6.ts';

const POINTS = 1000;
const summary = {
	requests: 5_000,
	failed: 2_502,
	bytes: 767_754,
	milliseconds: 2_054.5,
	statuses: [
		[0, 2],
		[201, 2_498],
		[429, 0],
	],
	least: 0.07,
	most: 12.3456,
	// Half of them took 0.4 ms, the others up to 1.4 ms.
	points: Array.from({ length: POINTS }, (_, at) => (at < POINTS / 2 ? 0.4 : 0.4 + at / POINTS)),
};

test('the summary is read', () => {
	const report = readK6(JSON.stringify(summary)) ?? assert.fail('it was not read');
	const { latency, ...rest } = report;
	assert.deepEqual(rest, {
		completed: 4_998,
		bytes: 767_754,
		seconds: 2.0545,
		errors: 2,
		unexpected: 2_500,
		statuses: { 201: 2_498 },
	});
	assert.equal(
		latency.reduce((sum, [, count]) => sum + count, 0),
		5_000,
	);
	assert.deepEqual(latency[0], [70, 1]);
	assert.deepEqual(latency.at(-1), [12_300, 1]);
	const fast = latency.find(([value]) => value === 400)?.[1] ?? 0;
	assert.ok(Math.abs(fast - 2_500) <= 5, `${fast}`);
});

test('each answer is in the histogram once, however few there are', () => {
	for (const requests of [0, 1, 2, 3, 7, 999, 1_001]) {
		const report = readK6(JSON.stringify({ ...summary, requests, failed: 0, statuses: [[0, 0]] }));
		const all = report?.latency.reduce((sum, [, count]) => sum + count, 0);
		assert.equal(all, requests);
		assert.ok(report?.latency.every(([value, count]) => value >= 1 && Number.isInteger(count)));
	}
});

test('any other text is no result', () => {
	const others = [
		'',
		'null',
		'[]',
		'{}',
		'{"requests":1}',
		JSON.stringify({ ...summary, milliseconds: 0 }),
		JSON.stringify({ ...summary, requests: -1 }),
		JSON.stringify({ ...summary, requests: '5' }),
		JSON.stringify({ ...summary, points: [1] }),
		JSON.stringify({ ...summary, points: null }),
		JSON.stringify({ ...summary, statuses: [['x', 1]] }),
		`${JSON.stringify(summary)} and more`,
	];
	for (const other of others) assert.equal(readK6(other), null, other.slice(0, 60));
});

/** The options and requests of the script without k6: its modules and globals are replaced. */
function optionsOf(script: string): { options: Record<string, unknown>; sent: unknown[][] } {
	const sent: unknown[][] = [];
	const http = {
		setResponseCallback: () => {},
		expectedStatuses: (...statuses: number[]) => statuses,
		request: (...request: unknown[]) => sent.push(request),
	};
	const program = script
		.replace(/^import http from 'k6\/http';$/m, '')
		.replaceAll(/^export default function/gm, 'function send')
		.replaceAll(/^export /gm, '');
	const { options, send } = new Function('http', `${program}\nreturn { options, send };`)(http);
	send();
	return { options, sent };
}

const order = {
	target: { origin: 'http://127.0.0.1:3000', pid: 1, request: { method: 'GET', path: '/ping', headers: {} } },
	side: 'head' as const,
	load: { connections: 50, pipelining: 1 },
	seconds: 10,
	statuses: [200, 429],
	runStartedAt: 0,
};

test('every connection is a user, for the whole time', () => {
	const { options, sent } = optionsOf(k6Script(order));
	assert.deepEqual(options.scenarios, {
		load: { executor: 'constant-vus', vus: 50, duration: '10000ms', gracefulStop: '2000ms' },
	});
	assert.deepEqual(options.thresholds, {
		'http_reqs{status:0}': [],
		'http_reqs{status:200}': [],
		'http_reqs{status:429}': [],
	});
	assert.deepEqual(sent, [['GET', 'http://127.0.0.1:3000/ping', null, { headers: {} }]]);
});

test('users come and go with the stages, from zero', () => {
	const stages = [
		{ seconds: 30, connections: 50 },
		{ seconds: 60, connections: 50 },
		{ seconds: 10, connections: 0 },
	];
	const { options } = optionsOf(k6Script({ ...order, stages }));
	assert.deepEqual(options.scenarios, {
		load: {
			executor: 'ramping-vus',
			startVUs: 0,
			gracefulRampDown: '2000ms',
			gracefulStop: '2000ms',
			stages: [
				{ duration: '30000ms', target: 50 },
				{ duration: '60000ms', target: 50 },
				{ duration: '10000ms', target: 0 },
			],
		},
	});
});

test('exactly the quantiles that are read are requested', () => {
	const { options } = optionsOf(k6Script(order));
	const [least, most, ...points] = options.summaryTrendStats as string[];
	assert.deepEqual([least, most], ['min', 'max']);
	assert.deepEqual([points.length, new Set(points).size], [POINTS, POINTS]);
	assert.deepEqual([points[0], points[499], points.at(-1)], ['p(0.05)', 'p(49.95)', 'p(99.95)']);
});

test('every request is sent as written', () => {
	const any = fc.string({ unit: 'binary', maxLength: 40 });
	fc.assert(
		fc.property(any, any, any, any, (path, name, value, body) => {
			const request = { method: 'POST', path: `/${path}`, headers: { [`x-${name}`]: value }, body };
			const script = k6Script({ ...order, target: { ...order.target, request } });
			assert.match(script, /^[\t\n\x20-\x7e]*$/);
			assert.deepEqual(optionsOf(script).sent, [
				['POST', `http://127.0.0.1:3000/${path}`, body, { headers: request.headers }],
			]);
		}),
		{ seed: 9 },
	);
});
