/** With several right statuses, a side that changes its status under load is at fault, if the other keeps its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLoadedAnswers } from '../../../src/measure/answers/check-loaded-answers.ts';
import type { TurnReport } from '../../../src/measure/generator/messages.ts';
import type { Scenario, StatusLimit } from '../../../src/types/config.ts';
import type { Window } from '../../../src/types/round.ts';

type Statuses = Readonly<Record<number, number>>;

const SCENARIO = { expect: { status: [200, 404] } } as unknown as Scenario;
const USUAL = { base: null, head: null };
const GOOD: Statuses = { 200: 2_500 };
const sum = (counts: Statuses) => Object.values(counts).reduce((total, count) => total + count, 0);
const four = (counts: Statuses) => Array.from({ length: 4 }, () => counts);

function reportOf(base: readonly Statuses[], head: readonly Statuses[]): TurnReport {
	const side = (statuses: Statuses = {}) => ({
		seconds: 1,
		completed: sum(statuses),
		unexpected: 0,
		errors: 0,
		statuses,
	});
	return {
		windows: head.map(
			(counts, at) => ({ kind: 'duet', base: side(base[at]), head: side(counts) }) as unknown as Window,
		),
		samples: { base: [], head: [] },
		lengths: { base: {}, head: {} },
		firstError: {},
		statusTimes: { base: {}, head: {} },
		vanished: { base: 0, head: 0 },
	} as unknown as TurnReport;
}

const judge = (
	base: readonly Statuses[],
	head: readonly Statuses[],
	{ status = 200, scenario = SCENARIO }: { status?: number | null; scenario?: Scenario } = {},
) => checkLoadedAnswers(scenario, reportOf(base, head), { usual: USUAL, status });
const sides = (faults: ReturnType<typeof judge>) => faults.map(({ side }) => side);

test('a head that gives the cheaper status under load is reported', () => {
	assert.deepEqual(judge(four(GOOD), four({ 404: 5_000 })), [
		{
			code: 'changed-under-load',
			side: 'head',
			message: '100.00 % of the answers of head under load had another status than before, 200: mostly 404',
		},
	]);
	assert.deepEqual(sides(judge(four(GOOD), four({ 200: 2_400, 404: 100 }))), ['head'], 'a part of them is enough');
	assert.deepEqual(sides(judge(four({ 200: 50, 404: 2_450 }), four(GOOD))), ['base']);
	const inMost = [GOOD, ...four({ 404: 5_000 }).slice(1)];
	assert.deepEqual(sides(judge(four(GOOD), inMost)), ['head'], 'one right window excuses nothing');
});

test('statuses that vary by chance, on both sides, or at rest are no fault', () => {
	assert.deepEqual(judge(four(GOOD), four(GOOD)), []);
	assert.deepEqual(judge(four({ 200: 2_400, 404: 100 }), four({ 200: 2_000, 404: 500 })), []);
	assert.deepEqual(judge(four(GOOD), four({ 404: 5_000 }), { status: null }), []);
	assert.deepEqual(judge(four({ 200: 98 }), four({ 200: 98, 404: 2 })), [], 'too few to tell');
	assert.deepEqual(judge(four({ 200: 5 }), four({ 404: 5_000 })), [], 'nobody to compare with');
	assert.deepEqual(judge(four(GOOD), four({ 200: 24_990, 404: 10 })), [], 'up to 0.1 %');
	const statusLimit: StatusLimit = { status: 200, max: 1e9, seconds: 1 };
	assert.deepEqual(judge(four(GOOD), four({ 404: 5_000 }), { scenario: { ...SCENARIO, statusLimit } }), []);
});

test('answers that a limiter passes at once, in one window of one side, are no fault', () => {
	const limited = { 404: 2_500 };
	const burst = { 200: 100, 404: 2_400 };
	assert.deepEqual(judge(four(limited), [limited, burst, limited, limited], { status: 404 }), []);
	assert.deepEqual(judge([burst, limited, limited, limited], four(limited), { status: 404 }), []);
});

test('each request of a mix is compared with its own statuses', () => {
	const get = (path: string, status: readonly number[]) => ({
		request: { method: 'GET', path, headers: {} },
		expect: { status },
	});
	const scenario = { ...SCENARIO, mix: [get('/a', [200]), get('/b', [200, 404])] } as unknown as Scenario;
	const seen = (statuses: readonly Statuses[]) => ({
		...{ completed: 10_000, unexpected: 0, samples: [], lengths: {}, watched: [] },
		statuses,
	});
	const mix = { base: [seen([]), seen(four(GOOD))], head: [seen([]), seen(four({ 404: 3_000 }))] };
	const atRest = { usual: USUAL, status: 200 };
	const report = { ...reportOf(four(GOOD), four(GOOD)), mix } as TurnReport;
	const [fault, ...others] = checkLoadedAnswers(scenario, report, { usual: USUAL, mix: [atRest, atRest] });
	assert.deepEqual(others, []);
	assert.match(fault?.message ?? '', /^100\.00 % .* of head to GET \/b \(request 2 of 2\) .* mostly 404$/);
});
