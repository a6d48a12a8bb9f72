import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	checkLoadedAnswers,
	findBrokenLimit,
	findExceeded,
	type Known,
	remarkOnLoadedAnswers,
} from '../../../src/measure/answers/check-loaded-answers.ts';
import type { SampledAnswer, TurnReport } from '../../../src/measure/generator/messages.ts';
import type { Scenario } from '../../../src/types/config.ts';
import type { WindowSide } from '../../../src/types/round.ts';
import type { Sides } from '../../../src/types/units.ts';

const SCENARIO = { expect: { status: [200], json: { ok: true } } } as unknown as Scenario;
const GOOD: SampledAnswer = { status: 200, body: '{"ok":true}', count: 1000 };

function report(
	head: Partial<WindowSide>,
	rest: {
		samples?: SampledAnswer[];
		baseSamples?: SampledAnswer[];
		lengths?: Record<string, number>;
		baseLengths?: Record<string, number>;
		error?: string;
		vanished?: number;
		times?: Record<string, number[]>;
	} = {},
): TurnReport {
	const side = {
		seconds: 1,
		completed: 10_000,
		bytes: 1,
		statuses: {},
		unexpected: 0,
		errors: 0,
		cpuSeconds: 0.5,
		latency: [],
	};
	const window = {
		kind: 'duet',
		startedAt: 0,
		base: side,
		head: { ...side, ...head },
		generatorUtilisation: 0.5,
		generatorCpuSeconds: 0.5,
		otherCpu: 0,
		serverCpuIdle: 0,
	} as const;
	return {
		kind: 'report',
		id: 1,
		windows: [window],
		memoryPeak: { base: null, head: null },
		memoryAfterLoad: { base: null, head: null },
		samples: { base: rest.baseSamples ?? [GOOD], head: rest.samples ?? [GOOD] },
		lengths: { base: rest.baseLengths ?? { 11: 10_000 }, head: rest.lengths ?? { 11: 10_000 } },
		firstError: rest.error === undefined ? {} : { head: rest.error },
		statusTimes: { base: {}, head: rest.times ?? {} },
		vanished: { base: 0, head: rest.vanished ?? 0 },
	};
}

const USUAL = { base: GOOD.body, head: GOOD.body };
const judge = (scenario: Scenario, turn: TurnReport, usual: Sides<string | null> = USUAL) =>
	checkLoadedAnswers(scenario, turn, { usual });
const codes = (faults: readonly { code: string }[]) => faults.map(({ code }) => code);

test('right answers are no fault, nor are unexpected ones up to 0.1 %', () => {
	assert.deepEqual(judge(SCENARIO, report({})), []);
	assert.deepEqual(judge(SCENARIO, report({ unexpected: 10, errors: 10 }, { error: 'reset' })), []);
});

test('half of a permille is allowed, even if nearly all of it is among the samples and hardly any right answer', () => {
	const samples = [
		{ ...GOOD, count: 60 },
		{ status: 503, body: '{"error":"busy"}', count: 5 },
	];
	assert.deepEqual(judge(SCENARIO, report({ unexpected: 5 }, { samples })), []);
});

test('more than 0.1 % unexpected answers are a fault that shows the first one', () => {
	const wrong = { status: 503, body: 'busy', count: 1 };
	const [fault] = judge(SCENARIO, report({ unexpected: 11 }, { samples: [GOOD, wrong] }));
	assert.equal(fault?.code, 'unexpected-answers');
	assert.equal(fault?.side, 'head');
	assert.match(fault?.message ?? '', /^0\.11 % of the answers of head under load were unexpected; first: .*503/);
});

test('wrong bodies with the right status are a fault', () => {
	const wrong = { status: 200, body: '{"ok":false}', count: 500 };
	const [fault] = judge(SCENARIO, report({}, { samples: [GOOD, wrong] }));
	assert.equal(fault?.code, 'wrong-body');
	assert.match(fault?.message ?? '', /33\.33 % of the sampled bodies/);
});

test('connection errors, no answers and restarts are faults', () => {
	assert.deepEqual(codes(judge(SCENARIO, report({ errors: 11 }, { error: 'reset' }))), ['connection-errors']);
	assert.deepEqual(codes(judge(SCENARIO, report({ completed: 0 }, { error: 'refused' }))), ['no-answer']);
	assert.deepEqual(codes(judge(SCENARIO, report({ errors: 1 }, { vanished: 1 }))), ['restarted']);
	assert.deepEqual(codes(judge(SCENARIO, report({ resent: 1 }, { vanished: 1 }))), ['restarted']);
	assert.deepEqual(
		judge(SCENARIO, report({}, { vanished: 1 })),
		[],
		'a process that ends without an error is no restart',
	);
});

test('a limiter that lets too many through is a fault', () => {
	const limit = { status: 201, max: 2, seconds: 10 };
	assert.equal(findBrokenLimit(limit, [0, 1, 10, 10.5, 11, 20.5]), null, 'two fixed windows meet in one stretch');
	assert.match(findBrokenLimit(limit, [0, 1, 2, 3, 9]) ?? '', /^5 answers with status 201 within 9\.0 s/);
	const limited = { ...SCENARIO, expect: { status: [200, 201, 429] }, statusLimit: limit } as unknown as Scenario;
	assert.deepEqual(codes(judge(limited, report({}, { times: { 201: [0, 1, 2, 3, 4] } }))), ['status-limit']);
});

test('without samples, a limiter is checked against the most that its windows may pass', () => {
	const limit = { status: 201, max: 51, seconds: 10 };
	const counted = (count: number, seconds: number) =>
		findExceeded(limit, { seconds, statuses: { 201: count, 429: 9_000 } });
	// A minute touches seven windows of ten seconds at most, half a second two.
	assert.equal(counted(7 * 51, 60), null);
	assert.equal(
		counted(7 * 51 + 1, 60),
		'358 answers with status 201 in 60.0 s; a limit of 51 in 10 s lets at most 357 through',
	);
	assert.equal(counted(102, 0.5), null);
	assert.match(counted(103, 0.5) ?? '', /^103 answers .* at most 102 through$/);
	const limited = { ...SCENARIO, expect: { status: [200, 201, 429] }, statusLimit: limit } as unknown as Scenario;
	const [fault] = judge(limited, report({ seconds: 60, statuses: { 201: 400 } }));
	assert.deepEqual([fault?.code, fault?.side], ['status-limit', 'head']);
});

const ANY = { expect: { status: [200] } } as unknown as Scenario;
const SHORT: SampledAnswer = { status: 200, body: '{}', count: 30 };

test('a side whose bodies change their length under load is at fault, even without a sample of them', () => {
	const [fault, ...others] = judge(ANY, report({}, { lengths: { 11: 50, 2: 9_950 } }));
	assert.deepEqual(others, []);
	assert.equal(fault?.code, 'changed-under-load');
	assert.equal(fault?.side, 'head');
	assert.match(
		fault?.message ?? '',
		/^99\.50 % of the bodies of head under load were not the answer it gave before, "\{\\"ok\\":true\}"/,
	);
	assert.deepEqual(judge(ANY, report({}, { lengths: { 11: 9_990, 2: 10 } })), [], 'up to 0.1 % is no fault');
});

test('a side whose sampled bodies differ at the same length is at fault, and one is shown', () => {
	const other = { status: 200, body: '{"ok":null}', count: 900 };
	const [fault] = judge(ANY, report({}, { baseSamples: [GOOD, other] }));
	assert.equal(fault?.side, 'base');
	assert.match(fault?.message ?? '', /47\.37 % of the bodies.*; e\.g\. "\{\\"ok\\":null\}"$/);
});

test('bodies that change on both sides, or did before load, are no fault', () => {
	const lengths = { 11: 5_000, 2: 5_000 };
	assert.deepEqual(judge(ANY, report({}, { lengths, baseLengths: { 11: 9_000, 2: 1_000 } })), []);
	assert.deepEqual(judge(ANY, report({}, { lengths }), { base: GOOD.body, head: null }), []);
	assert.deepEqual(judge(ANY, report({}, { lengths }), { base: null, head: GOOD.body }), []);
	const limited = { ...ANY, statusLimit: { status: 200, max: 9, seconds: 1 } } as unknown as Scenario;
	assert.deepEqual(judge(limited, report({}, { samples: [GOOD, SHORT], lengths })), []);
});

test('a few bodies of the other side do not excuse a side whose bodies change', () => {
	const of = (head: number, base: number) =>
		report({}, { lengths: { 11: 10_000 - head, 2: head }, baseLengths: { 11: 10_000 - base, 2: base } });
	assert.deepEqual(
		judge(ANY, of(5_000, 1)).map(({ code, side }) => [code, side]),
		[['changed-under-load', 'head']],
	);
	assert.deepEqual(
		judge(ANY, of(3, 5_000)).map(({ side }) => side),
		['base'],
	);
	assert.deepEqual(judge(ANY, of(10, 0)), [], 'up to 0.1 % is no fault');
	assert.deepEqual(judge(ANY, of(100, 10)), [], 'nor is what both have about as often');
});

const MIX = {
	mix: [
		{ weight: 999, request: { method: 'GET', path: '/often' }, expect: { status: [200] } },
		{ weight: 1, request: { method: 'GET', path: '/users/{{id}}' }, expect: { status: [200], json: { id: '{{id}}' } } },
	],
} as unknown as Scenario;
const OFTEN = { completed: 9_990, unexpected: 0, statuses: [], samples: [GOOD], lengths: { 11: 9_990 }, watched: [] };
const user = (row: number, id: unknown): SampledAnswer => ({
	status: 200,
	body: JSON.stringify({ id }),
	count: 1,
	row,
});
const RARE = {
	completed: 10,
	unexpected: 0,
	statuses: [],
	samples: [user(0, 7), user(1, '9')],
	lengths: { 8: 5, 10: 5 },
	watched: [],
};
const KNOWN = {
	usual: USUAL,
	mix: [{ usual: USUAL }, { usual: { base: null, head: null } }],
	data: [{ id: 7 }, { id: '9' }],
};
const judgeMix = (often: object, rare: object) => {
	const mix = {
		base: [OFTEN, RARE],
		head: [
			{ ...OFTEN, ...often },
			{ ...RARE, ...rare },
		],
	};
	return checkLoadedAnswers(MIX, { ...report({}), mix }, KNOWN);
};

test('each request of a mix is judged by its own answers, so that a rare one cannot hide', () => {
	assert.deepEqual(judgeMix({}, {}), []);
	const [fault, ...others] = judgeMix({}, { unexpected: 10, samples: [{ status: 500, body: '', count: 10, row: 1 }] });
	assert.deepEqual(others, []);
	assert.deepEqual([fault?.code, fault?.side], ['unexpected-answers', 'head']);
	assert.match(
		fault?.message ?? '',
		/^100\.00 % of the answers of head to GET \/users\/\{\{id\}\} \(request 2 of 2\) under load were unexpected; first: status 500/,
	);
});

test('a sampled answer is compared with the row of its request', () => {
	const [fault, ...others] = judgeMix({}, { samples: [user(0, 7), user(1, 7)] });
	assert.deepEqual(others, []);
	assert.match(
		fault?.message ?? '',
		/^50\.00 % of the sampled bodies of head to GET .*: body at \$\.id is 7 instead of "9"$/,
	);
});

test('a request of a mix whose bodies change on one side is named', () => {
	const [fault, ...others] = judgeMix({ lengths: { 11: 10, 2: 9_980 } }, {});
	assert.deepEqual(others, []);
	assert.equal(fault?.code, 'changed-under-load');
	assert.match(
		fault?.message ?? '',
		/^99\.90 % of the bodies of head to GET \/often \(request 1 of 2\) under load were not/,
	);
});

const QUERY = { expect: { status: [200] } } as unknown as Scenario;
const RIGHT = '{"data":{"user":{"id":"1"}}}';
const ERROR = '{"errors":[{"message":"no connection"}],"data":null}';
const atRest = { usual: { base: RIGHT, head: RIGHT } };
const sampled = (right: number, wrong: number, body = ERROR): SampledAnswer[] => [
	{ status: 200, body: RIGHT, count: right },
	{ status: 200, body, count: wrong },
];

test('behaviour of both sides under load alone is reported, with a line for `expect`', () => {
	const loaded = report(
		{},
		{ samples: sampled(20, 80), baseSamples: sampled(15, 85), lengths: { 52: 1 }, baseLengths: { 52: 1 } },
	);
	assert.deepEqual(checkLoadedAnswers(QUERY, loaded, atRest), []);
	assert.deepEqual(remarkOnLoadedAnswers(QUERY, loaded, atRest), [
		{
			code: 'changed-on-both',
			side: null,
			message:
				'Under load 85.00 % of the bodies of base and 80.00 % of those of head were unlike those before, e.g. "{\\"errors\\":[{\\"message\\":\\"no connection\\"}],\\"data\\":null}". If they are wrong, refuse them with expect: json: { data: { user: <any> } }.',
		},
	]);
});

test('few answers, a clock, or a growing list get no remark', () => {
	const remarks = (wrong: number, body?: string, usual = RIGHT) => {
		const samples = sampled(1000 - wrong, wrong, body);
		return remarkOnLoadedAnswers(QUERY, report({}, { samples, baseSamples: samples }), {
			usual: { base: usual, head: usual },
		});
	};
	assert.equal(remarks(500).length, 1);
	assert.deepEqual(remarks(5), []);
	assert.deepEqual(remarks(500, '{"data":{"user":{"id":"2"}}}'), []);
	assert.deepEqual(
		remarkOnLoadedAnswers({ ...QUERY, statusLimit: { status: 200, max: 1, seconds: 1 } }, report({}), atRest),
		[],
	);
	const grown = [{ status: 200, body: '{"rows":[1,2,3]}', count: 1 }];
	const rows = { usual: { base: '{"rows":[1]}', head: '{"rows":[1]}' } };
	assert.deepEqual(remarkOnLoadedAnswers(QUERY, report({}, { samples: grown, baseSamples: grown }), rows), []);
});

test('another status that both sides give under load alone gets a remark', () => {
	const scenario = { expect: { status: [200, 503] } } as unknown as Scenario;
	const loaded = report({ statuses: { 200: 9_000, 503: 1_000 } });
	const both = { ...loaded, windows: loaded.windows.map((window) => ({ ...window, base: window.head })) };
	assert.match(
		remarkOnLoadedAnswers(scenario, both, { ...atRest, status: 200 })[0]?.message ?? '',
		/^Under load 10\.00 % of the answers of base and 10\.00 % of those of head had another status than before, 200: mostly 503\. .*expect: \{ status: 200 \}\.$/,
	);
});

const VARIED = {
	usual: { base: null, head: null },
	examples: ['{"at":1001,"rows":[1,2,3]}', '{"at":1002,"rows":[1,2,3]}'],
};
const at = (count: number, body: string): SampledAnswer => ({ status: 200, body, count });

test('a body that varies by itself is no shorter under load on one side alone', () => {
	const lengths = { 26: 9_900, 11: 100 };
	const samples = [at(99, '{"at":1003,"rows":[1,2,3]}'), at(1, '{"at":1004}')];
	const alone = report(
		{},
		{ samples, lengths, baseSamples: [at(100, '{"at":1005,"rows":[1,2,3]}')], baseLengths: { 26: 10_000 } },
	);
	const [fault, ...more] = checkLoadedAnswers(QUERY, alone, VARIED);
	assert.deepEqual([fault?.code, fault?.side, more.length], ['changed-under-load', 'head', 0]);
	assert.match(
		fault?.message ?? '',
		/^1\.00 % of the bodies of head under load were shorter than any before, which had at least 26 characters; e\.g\. /,
	);
	const alike = report({}, { samples, lengths, baseSamples: samples, baseLengths: lengths });
	assert.deepEqual(checkLoadedAnswers(QUERY, alike, VARIED), []);
	const many = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index + 30}`, 1]));
	const usual = [at(1, VARIED.examples[0] ?? '')];
	const unknown = report(
		{},
		{ samples: usual, baseSamples: usual, lengths: { ...many, other: 100 }, baseLengths: { 26: 100 } },
	);
	assert.deepEqual(checkLoadedAnswers(QUERY, unknown, VARIED), []);
});

test('a body that varies by itself has no other keys under load on one side alone', () => {
	const base = [at(100, '{"at":1005,"rows":[1,2,3]}')];
	const check = (share: number) =>
		checkLoadedAnswers(
			QUERY,
			report(
				{},
				{
					baseSamples: base,
					samples: [at(100 - share, '{"at":1003,"rows":[1,2,3]}'), at(share, '{"filler":"xxxxxxxxxxxxxx"}')],
					lengths: { 26: 1 },
					baseLengths: { 26: 1 },
				},
			),
			VARIED,
		);
	assert.match(
		check(80)[0]?.message ?? '',
		/^80\.00 % of the sampled bodies of head under load were unlike all before; e\.g\. "\{\\"filler/,
	);
	assert.deepEqual(check(10), [], 'few are sampled');
});

test('a body that varies by itself is not kept under load on one side alone', () => {
	const each = (count: number) =>
		Array.from({ length: 16 }, (_, index) => at(index < 8 ? 1 : count, `{"at":${1100 + index},"rows":[1,2,3]}`));
	const check = (samples: SampledAnswer[], baseSamples: SampledAnswer[], known: Known = VARIED) =>
		checkLoadedAnswers(QUERY, report({}, { samples, baseSamples, lengths: { 26: 1 }, baseLengths: { 26: 1 } }), known);
	const kept = [at(60, '{"at":1003,"rows":[1,2,3]}'), at(40, '{"at":1004,"rows":[1,2,3]}')];
	const [fault, ...more] = check(kept, each(50));
	assert.deepEqual([fault?.code, fault?.side, more.length], ['changed-under-load', 'head', 0]);
	assert.match(
		fault?.message ?? '',
		/^60\.00 % of the sampled bodies of head under load were the same, "\{\\"at\\":1003.*, although they differed before$/,
	);
	assert.deepEqual(check(kept, kept), [], 'a clock that both show');
	assert.deepEqual(check(each(50), each(5)), []);
	const constant = '{"at":1003,"rows":[1,2,3]}';
	assert.deepEqual(check([at(10, constant)], each(50)), [], 'few are sampled');
	assert.deepEqual(check([at(100, constant)], each(50), { ...VARIED, usual: { base: null, head: constant } }), []);
});
