/** A side that leaves out headers under load is at fault, if the other one keeps its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLoadedAnswers } from '../../../src/measure/answers/check-loaded-answers.ts';
import type { SeenHeaders, TurnReport } from '../../../src/measure/generator/messages.ts';
import type { Scenario, StatusLimit } from '../../../src/types/config.ts';
import type { Window } from '../../../src/types/round.ts';

const SCENARIO = { expect: { status: [200] } } as unknown as Scenario;
const WHOLE: SeenHeaders = { answers: 10_000, bare: 0, missing: 0 };
const HEADERS = { base: ['date', 'etag'], head: ['etag', 'vary', 'date'] };

function reportOf(base: SeenHeaders | undefined, head: SeenHeaders | undefined): TurnReport {
	const side = { seconds: 1, completed: 10_000, unexpected: 0, errors: 0, statuses: {} };
	return {
		windows: [{ kind: 'duet', base: side, head: side } as unknown as Window],
		samples: { base: [], head: [] },
		lengths: { base: {}, head: {} },
		headers: { base, head },
		firstError: {},
		statusTimes: { base: {}, head: {} },
		vanished: { base: 0, head: 0 },
	} as unknown as TurnReport;
}

const judge = (report: TurnReport, scenario = SCENARIO) =>
	checkLoadedAnswers(scenario, report, { usual: { base: null, head: null }, headers: HEADERS });

test('the fault has side, share and names', () => {
	// Bits of head's own names: etag and date.
	assert.deepEqual(judge(reportOf(WHOLE, { answers: 10_000, bare: 9_950, missing: 0b101 })), [
		{
			code: 'changed-under-load',
			side: 'head',
			message: '99.50 % of the answers of head under load were without a header that they had before: "etag, date"',
		},
	]);
	const [fault] = judge(reportOf({ answers: 10_000, bare: 5_000, missing: 0b10 }, WHOLE));
	assert.equal(fault?.side, 'base');
	assert.match(fault?.message ?? '', /^50\.00 % of the answers of base .*"etag"$/);
});

test('up to 0.1 % is no fault, nor is a header that both sides drop, that a limited answer lacks, or that was not read', () => {
	const bare = { answers: 10_000, bare: 5_000, missing: 1 };
	assert.deepEqual(judge(reportOf(WHOLE, WHOLE)), []);
	assert.deepEqual(judge(reportOf(WHOLE, { answers: 10_000, bare: 10, missing: 1 })), []);
	assert.deepEqual(judge(reportOf({ answers: 10_000, bare: 500, missing: 1 }, bare)), []);
	assert.deepEqual(judge(reportOf(undefined, undefined)), []);
	const statusLimit: StatusLimit = { status: 200, max: 1e9, seconds: 1 };
	assert.deepEqual(judge(reportOf(WHOLE, bare), { ...SCENARIO, statusLimit }), []);
});

test('one answer without a header does not excuse the other side', () => {
	const [one, half] = [1, 5_000].map((bare) => ({ answers: 10_000, bare, missing: 1 }));
	assert.deepEqual(
		judge(reportOf(one, half)).map(({ side }) => side),
		['head'],
	);
	assert.deepEqual(
		judge(reportOf(half, one)).map(({ side }) => side),
		['base'],
	);
});

test('each request of a mix is compared with its own answers', () => {
	const get = (path: string) => ({ request: { method: 'GET', path, headers: {} }, expect: { status: [200] } });
	const scenario = { ...SCENARIO, mix: [get('/a'), get('/b')] } as unknown as Scenario;
	const seen = (headers: SeenHeaders) => ({
		...{ completed: 10_000, unexpected: 0, statuses: [], samples: [], lengths: {}, watched: [] },
		headers,
	});
	const mix = {
		base: [seen(WHOLE), seen(WHOLE)],
		head: [seen(WHOLE), seen({ answers: 10_000, bare: 10_000, missing: 1 })],
	};
	const usual = { base: null, head: null };
	const atRest = [HEADERS, { base: ['x-b'], head: ['x-b'] }].map((headers) => ({ usual, headers }));
	const report = { ...reportOf(undefined, undefined), mix };
	const [fault, ...others] = checkLoadedAnswers(scenario, report, { usual, mix: atRest });
	assert.deepEqual(others, []);
	assert.match(fault?.message ?? '', /of head to GET \/b .*request 2 of 2.* "x-b"$/);
});

const VALUES = { base: { etag: '"b"' }, head: { etag: '"h"' } };
const judgeValues = (base: SeenHeaders | undefined, head: SeenHeaders | undefined) =>
	checkLoadedAnswers(SCENARIO, reportOf(base, head), {
		usual: { base: null, head: null },
		headers: HEADERS,
		values: VALUES,
	});

test('a header with another value under load is reported, with its value before', () => {
	assert.deepEqual(judgeValues(WHOLE, { ...WHOLE, changed: [9_950, 0, 0] }), [
		{
			code: 'changed-under-load',
			side: 'head',
			message:
				'99.50 % of the answers of head under load had another value of the header "etag" than before, "\\"h\\""',
		},
	]);
	// Base has it in another place.
	const [fault, ...others] = judgeValues({ ...WHOLE, changed: [0, 5_000] }, { ...WHOLE, changed: [1] });
	assert.equal(fault?.side, 'base');
	assert.deepEqual(others, []);
});

test('values that change on both sides, rarely, or without a look at the other side, are no fault', () => {
	assert.deepEqual(judgeValues(WHOLE, { ...WHOLE, changed: [10] }), []);
	assert.deepEqual(judgeValues({ ...WHOLE, changed: [0, 2_000] }, { ...WHOLE, changed: [10_000] }), []);
	assert.deepEqual(judgeValues({ answers: 0, bare: 0, missing: 0 }, { ...WHOLE, changed: [10_000] }), []);
	assert.deepEqual(judgeValues(undefined, { ...WHOLE, changed: [10_000] }), []);
	assert.deepEqual(
		judgeValues(WHOLE, { ...WHOLE, changed: [0, 10_000, 10_000] }),
		[],
		'vary and date are not held to any',
	);
});
