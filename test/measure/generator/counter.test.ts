/** A counter's report on bodies, however a server chooses them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isCompressing } from '../../../src/measure/answers/ask.ts';
import { checkLoadedAnswers } from '../../../src/measure/answers/check-loaded-answers.ts';
import { type Counter, createCounter } from '../../../src/measure/generator/counter.ts';
import type { TurnReport } from '../../../src/measure/generator/messages.ts';
import { MAX_BODY } from '../../../src/measure/generator/reading/body-keeper.ts';
import type { Place } from '../../../src/measure/generator/ring.ts';
import type { Scenario } from '../../../src/types/config.ts';
import type { Window, WindowSide } from '../../../src/types/round.ts';

const USUAL = '{"ok":true}';
const ALIKE = { missing: 0, changed: 0 };
const SCENARIO = { expect: { status: [200], json: { ok: true } } } as unknown as Scenario;

interface Answered {
	readonly status?: number;
	readonly body?: string;
	readonly row?: number;
}

function answer(counter: Counter, count: number, of: (n: number) => Answered): void {
	for (let n = 0; n < count; n++) {
		const { status = 200, body = USUAL, row } = of(n);
		const place: Place = {
			request: 0,
			method: 'GET',
			requestBuffer: Buffer.alloc(0),
			...(row !== undefined && { row }),
		};
		counter.onAnswer(
			status,
			body.length,
			1,
			place,
			{ length: body.length, text: body, bytes: body.length, latin1: body },
			ALIKE,
			0,
		);
	}
}

type Answering = (counter: Counter) => void;

const right: Answering = (counter) => answer(counter, 20_000, () => ({}));

/**
 * Returns the faults of a head with these answers before and after counting starts, beside a base that keeps its own.
 */
function judge(before: Answering, counted: Answering, scenario = SCENARIO, usual = USUAL, base = right): string[] {
	const load = (first: Answering, then: Answering) => {
		const counter = createCounter([[200]]);
		first(counter);
		counter.start();
		then(counter);
		return { window: counter.finish(1, 0.5), report: counter.requests[0] };
	};
	const sides = { base: load(base, base), head: load(before, counted) };
	const of = <T>(pick: (side: typeof sides.base) => T) => ({ base: pick(sides.base), head: pick(sides.head) });
	const report = {
		windows: [{ kind: 'duet', ...of(({ window }): WindowSide => window) } as unknown as Window],
		samples: of((side) => side.report?.samples ?? []),
		lengths: of((side) => side.report?.lengths ?? {}),
		firstError: {},
		statusTimes: { base: {}, head: {} },
		vanished: { base: 0, head: 0 },
	} as unknown as TurnReport;
	const faults = checkLoadedAnswers(scenario, report, { usual: { base: usual, head: usual } });
	return faults.map(({ code, side }) => `${code} of ${side}`);
}

test('errors of a warm-up take no place of inspected bodies', () => {
	const errors = (counter: Counter) => {
		answer(counter, 8, (n) => ({ status: 503, body: `busy ${n}` }));
		right(counter);
	};
	assert.deepEqual(judge(errors, right), []);
	const wrong = (counter: Counter) => answer(counter, 20_000, () => ({ body: '{"ok":null}' }));
	assert.deepEqual(judge(errors, wrong), ['wrong-body of head']);
});

test('later bodies are seen, however many distinct ones came first', () => {
	const many = (counter: Counter) => answer(counter, 20_000, (n) => ({ body: `{"ok":true,"n":${n % 10}}` }));
	const wrong = (counter: Counter) => answer(counter, 20_000, (n) => ({ body: `{"ok":null,"n":${n % 10}}` }));
	const statusOnly = { expect: { status: [200] } } as unknown as Scenario;
	assert.deepEqual(judge(many, wrong), ['wrong-body of head']);
	assert.deepEqual(judge(many, wrong, statusOnly), ['changed-under-load of head']);
});

test('a body too long to be kept as a whole is right, and reported when it changes', () => {
	const [x, y] = ['x', 'y'].map((filler) => JSON.stringify({ ok: true, filler: filler.repeat(MAX_BODY) }));
	const kept = (counter: Counter) => answer(counter, 1_000, () => ({ body: x ?? '' }));
	const other = (counter: Counter) => answer(counter, 1_000, () => ({ body: y ?? '' }));
	assert.deepEqual(judge(kept, kept, SCENARIO, x, kept), []);
	assert.deepEqual(judge(other, other, SCENARIO, x, kept), ['changed-under-load of head']);
});

test('lengths other than the usual one are counted, however many came first', () => {
	const lengths = (counter: Counter) => {
		right(counter);
		answer(counter, 15, (n) => ({ body: USUAL.padEnd(100 + n) }));
	};
	const sampled = createCounter([[200]]);
	lengths(sampled);
	answer(sampled, 5_000, (n) => ({ body: USUAL.padEnd(200 + (n % 3)) }));
	const { lengths: counts = {} } = sampled.requests[0] ?? {};
	assert.deepEqual([counts[USUAL.length], counts.other], [20_000, 5_000]);
});

test('errors take no place of answers to rows of a data file', () => {
	const counter = createCounter([[200]]);
	answer(counter, 20_000, (n) => ({ status: 503, body: 'busy', row: n % 7 }));
	answer(counter, 20_000, (n) => ({ row: n % 7 }));
	const { samples = [] } = counter.requests[0] ?? {};
	assert.equal(samples.filter(({ status }) => status === 200).length, 64);
	assert.deepEqual(
		samples.filter(({ status }) => status === 503).map(({ count }) => count),
		[20_000],
	);
});

test('for a request of a mix that asks for a compressed answer bytes are kept, for the others characters', () => {
	const mix = [{ 'Accept-Encoding': 'gzip' }, { 'accept-encoding': 'identity' }, { accept: 'text/html' }];
	const compressed = mix.map((headers) => isCompressing({ headers }));
	assert.deepEqual(compressed, [true, false, false]);
	const counter = createCounter(
		mix.map(() => [200]),
		compressed,
	);
	for (const request of mix.keys()) {
		const place: Place = { request, method: 'GET', requestBuffer: Buffer.alloc(0) };
		for (let n = 0; n < 2_000; n++) {
			counter.onAnswer(200, 3, 1, place, { length: 1, text: '€', bytes: 3, latin1: 'â\x82¬' }, ALIKE, 0);
		}
	}
	const { requests } = counter;
	assert.deepEqual(
		requests.map((report) => report.lengths),
		[{ 3: 2_000 }, { 1: 2_000 }, { 1: 2_000 }],
	);
	assert.deepEqual(
		requests.map(({ samples }) => samples.map(({ body }) => body)),
		[['â\x82¬'], ['€'], ['€']],
	);
});

test('truncated bytes are no sample, and still counted', () => {
	const counter = createCounter([[200]], [true]);
	const long = 'x'.repeat(MAX_BODY + 1);
	answer(counter, 1_000, () => ({ body: long }));
	assert.deepEqual(counter.requests[0]?.samples, []);
	assert.deepEqual(counter.requests[0]?.lengths, { [long.length]: 1_000 });
});

test('differing header values are counted for each header', () => {
	const counter = createCounter([[200]]);
	const place: Place = { request: 0, method: 'GET', requestBuffer: Buffer.alloc(0) };
	const body = { length: 2, text: '{}', bytes: 2, latin1: '{}' };
	for (const changed of [0b100, 0b101, 0]) counter.onAnswer(200, 2, 1, place, body, { missing: 0, changed }, 0);
	counter.onAnswer(503, 2, 1, place, body, { missing: 0, changed: 0b111 }, 0);
	assert.deepEqual(counter.requests[0]?.headers, { answers: 3, bare: 0, missing: 0, changed: [1, 0, 2] });
});

test('statuses are counted window by window if several are right', () => {
	const several = createCounter([[200, 404]]);
	answer(several, 10, () => ({ status: 404 }));
	for (const status of [200, 404]) {
		several.start();
		answer(several, 3, () => ({ status }));
		several.finish(1, null);
		answer(several, 5, () => ({ status: 404 }));
	}
	assert.deepEqual(several.requests[0]?.statuses, [{ 200: 3 }, { 404: 3 }]);
	const one = createCounter([[200]]);
	one.start();
	answer(one, 3, () => ({}));
	assert.deepEqual(one.requests[0]?.statuses, [{}]);
});

test('a few different bodies of a watched row that may be compressed are kept, whenever they came', () => {
	const counter = createCounter([[200]], [true], new Set([1]));
	answer(counter, 1_000, (n) => ({ body: n % 2 === 0 ? 'x' : 'y', row: n % 3 }));
	assert.deepEqual(counter.requests[0]?.watched, [{ row: 1, body: null, encoded: ['y', 'x'] }]);
	answer(counter, 10_000, (n) => ({ body: `late ${n}`, row: 1 }));
	const encoded = counter.requests[0]?.watched[0]?.encoded ?? [];
	assert.equal(new Set(encoded).size, 4);
	assert.ok(encoded.some((body) => body.startsWith('late')));
	answer(counter, 1, () => ({ body: 'x'.repeat(MAX_BODY + 1), row: 1 }));
	assert.ok(counter.requests[0]?.watched[0]?.encoded?.every((body) => body.length < 20));
});

test('with a start time for requests, latencies are those of its requests, including answers after the window', () => {
	const counter = createCounter([[200]]);
	const place: Place = { request: 0, method: 'GET', requestBuffer: Buffer.alloc(0) };
	const body = { length: 2, text: '{}', bytes: 2, latin1: '{}' };
	const take = (milliseconds: number, since: number) =>
		counter.onAnswer(200, 2, milliseconds, place, body, ALIKE, since);
	counter.start(100);
	take(30, 80);
	take(5, 105);
	assert.equal(counter.finish(0.05, null).completed, 2);
	take(40, 120);
	assert.deepEqual(counter.settledLatency(), [
		[5_023, 1],
		[40_191, 1],
	]);
	counter.start();
	take(30, 80);
	const { latency } = counter.finish(0.05, null);
	take(40, 120);
	assert.deepEqual(latency, [[30_079, 1]]);
	assert.deepEqual(counter.settledLatency(), latency);
});

test('a long gap without answers in such a window is known', () => {
	const counter = createCounter([[200]]);
	const place: Place = { request: 0, method: 'GET', requestBuffer: Buffer.alloc(0) };
	const body = { length: 2, text: '{}', bytes: 2, latin1: '{}' };
	const answerAt = (now: number) => counter.onAnswer(200, 2, 1, place, body, ALIKE, now - 1);
	counter.start(100);
	for (const now of [110, 111, 115, 140]) answerAt(now);
	counter.finish(0.04, null);
	answerAt(190);
	counter.start(200);
	answerAt(207);
	assert.deepEqual(counter.stops, [10, 25, 7]);
	counter.start();
	answerAt(300);
	assert.deepEqual(counter.stops, [10, 25, 7]);
});

test('resent requests are counted in a window, and a burst of them is one moment', async () => {
	const counter = createCounter([[200]]);
	counter.onResent();
	counter.start();
	for (let n = 0; n < 100; n++) counter.onResent();
	const burst = counter.finish(1, null);
	assert.equal(burst.resent, 100);
	assert.ok((burst.resentMoments ?? 0) <= 10, `${burst.resentMoments}`);
	counter.onResent();
	counter.start();
	for (let n = 0; n < 3; n++) {
		counter.onResent();
		await delay(20);
	}
	const apart = counter.finish(1, null);
	assert.deepEqual([apart.resent, apart.resentMoments], [3, 3]);
	counter.start();
	assert.equal(counter.finish(1, null).resent, undefined);
});
