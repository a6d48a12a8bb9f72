/** Compressed answers are compared with those at rest, like plain ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describeRow } from '../../../src/measure/answers/answers-at-rest.ts';
import { checkLoadedAnswers, type Known } from '../../../src/measure/answers/check-loaded-answers.ts';
import { readCompressed } from '../../../src/measure/answers/read-compressed.ts';
import type { SampledAnswer, TurnReport, WatchedRow } from '../../../src/measure/generator/messages.ts';
import { MAX_BODY } from '../../../src/measure/generator/reading/body-keeper.ts';
import type { Scenario } from '../../../src/types/config.ts';
import type { Window } from '../../../src/types/round.ts';

const TEXT = JSON.stringify({ rows: Array.from({ length: 100 }, (_, id) => ({ id, name: `user ${id}` })) });
const ZIPPED = gzipSync(TEXT);
const ASKING = { method: 'GET', path: '/', headers: { 'accept-encoding': 'gzip, br' } };
const SCENARIO = { request: ASKING, expect: { status: [200] } } as unknown as Scenario;
const EXPECTING = { ...SCENARIO, expect: { status: [200], json: { rows: '<any>' } } } as unknown as Scenario;

type Lengths = Readonly<Record<string, number>>;
interface Side {
	readonly bodies: readonly (Buffer | string)[];
	readonly lengths?: Lengths;
	readonly encoding?: string;
	/** Of its answers at rest; null if it varied. */
	readonly bytes?: number | null;
	readonly usual?: string | null;
	readonly known?: false;
}

/** The fault of a head with these answers, beside a base that keeps its own. */
async function judge(head: Side, base: Side = { bodies: [ZIPPED] }, scenario = SCENARIO): Promise<string[]> {
	const of = <T>(read: (side: Side) => T) => ({ base: read(base), head: read(head) });
	const counted = { seconds: 1, completed: 10_000, unexpected: 0, errors: 0, statuses: {} };
	const samples = ({ bodies }: Side): SampledAnswer[] =>
		bodies.map((body) => ({ status: 200, body: Buffer.from(body as string).toString('latin1'), count: 100 }));
	const report = {
		windows: [{ kind: 'duet', ...of(() => counted) } as unknown as Window],
		samples: of(samples),
		lengths: of(({ lengths = {} }) => lengths),
		firstError: {},
		statusTimes: of(() => ({})),
		vanished: of(() => 0),
	} as unknown as TurnReport;
	const known: Known = {
		usual: of(({ usual = TEXT }) => usual),
		compressed: of((side) =>
			side.known === false ? null : { encoding: side.encoding ?? 'gzip', bytes: side.bytes ?? null },
		),
	};
	const read = await readCompressed(scenario, report, known);
	return checkLoadedAnswers(scenario, read, known).map(({ code, side, message }) => `${side} ${code} ${message}`);
}

test('the same text is the same answer, whatever the bytes of its encoding', async () => {
	const zipped = [0, 1, 6, 9].map((level) => gzipSync(TEXT, { level }));
	assert.deepEqual(await judge({ bodies: zipped }), []);
	assert.deepEqual(await judge({ bodies: [brotliCompressSync(TEXT)], encoding: 'br' }), []);
	assert.deepEqual(await judge({ bodies: [deflateSync(TEXT)], encoding: 'deflate' }), []);
	assert.deepEqual(await judge({ bodies: [ZIPPED], encoding: 'gzip' }, { bodies: [TEXT], encoding: '' }), []);
	assert.deepEqual(await judge({ bodies: [TEXT] }), [], 'a header that is gone is told elsewhere');
	const big = '{"rows":"größe"}';
	assert.deepEqual(await judge({ bodies: [gzipSync(big)], usual: big }), []);
	assert.match(
		(await judge({ bodies: [gzipSync('{"rows":"gr"}')], usual: big }))[0] ?? '',
		/^head changed-under-load /,
	);
	// Without usual answers, they are matched against `expect`.
	const foreign = [gzipSync('{"rows":"größe"}'), gzipSync('{"rows":1}')];
	assert.deepEqual(await judge({ bodies: foreign, usual: null }, undefined, EXPECTING), []);
});

test('a body that used to be plain may have grown until it was compressed', async () => {
	for (const compress of [gzipSync, brotliCompressSync, deflateSync]) {
		const bodies = ['{"rows":1}', compress(TEXT)];
		assert.deepEqual(await judge({ bodies, encoding: '', usual: null }, undefined, EXPECTING), []);
	}
});

test('another text, an empty one, and bytes in no encoding are reported', async () => {
	for (const body of [gzipSync('{}'), gzipSync(''), Buffer.alloc(0), '{}', Buffer.of(0x1f, 0x8b, 0xff), 'gzip']) {
		const [fault, ...others] = await judge({ bodies: [body] });
		assert.deepEqual(others, []);
		assert.match(
			fault ?? '',
			/^head changed-under-load 100\.00 % of the bodies of head under load were not the answer/,
		);
		const [wrong] = await judge({ bodies: [body], usual: null }, { bodies: [ZIPPED] }, EXPECTING);
		assert.match(wrong ?? '', /^head wrong-body 100\.00 % of the sampled bodies/);
	}
	const [fault] = await judge({ bodies: [ZIPPED] }, { bodies: [gzipSync('{}')] });
	assert.match(fault ?? '', /^base changed-under-load .*e\.g\. "\{\}"$/);
});

test('a text far longer than the usual one is reported, and without a usual one it is not judged by its beginning', async () => {
	const bodies = [gzipSync(`{"rows":"${'x'.repeat(MAX_BODY)}"}`)];
	assert.match((await judge({ bodies }))[0] ?? '', /^head changed-under-load /);
	assert.deepEqual(await judge({ bodies, usual: null }, undefined, EXPECTING), []);
});

test('a change on both sides alike, or on a side that varied at rest, is no fault', async () => {
	const bodies = [gzipSync('{}')];
	assert.deepEqual(await judge({ bodies }, { bodies: [ZIPPED, gzipSync('[]')] }), []);
	assert.deepEqual(await judge({ bodies, known: false }), []);
	assert.deepEqual(await judge({ bodies }, { bodies: [ZIPPED], known: false }), []);
});

test('an answer compressed with less effort is recognised by its size', async () => {
	const bytes = ZIPPED.length;
	const kept = { bodies: [ZIPPED], bytes, lengths: { [bytes]: 10_000 } };
	const stored = { bodies: [gzipSync(TEXT, { level: 0 })], bytes, lengths: { [bytes]: 100, 3000: 9_900 } };
	const [fault, ...others] = await judge(stored, kept);
	assert.deepEqual(others, []);
	assert.match(
		fault ?? '',
		new RegExp(`99\\.00 % .* compressed to another size than before, e\\.g\\. 3000 bytes instead of ${bytes}$`),
	);
	assert.deepEqual(await judge(stored, { ...kept, lengths: { [bytes]: 5_000, 2900: 5_000 } }), [], 'both sides');
	assert.deepEqual(await judge({ ...stored, lengths: { [bytes]: 100, [bytes + 5]: 9_900 } }, kept), [], 'some bytes');
	assert.deepEqual(await judge({ ...stored, lengths: { 3000: 5_000, other: 5_000 } }, kept), [], 'sizes at random');
	assert.deepEqual(await judge({ ...stored, bytes: null }, kept), [], 'sizes that varied at rest');
	assert.deepEqual(await judge(stored, { ...kept, bytes: null }), [], 'nobody to compare with');
});

test('each request of a mix is read by itself, plain ones not at all', async () => {
	const get = (headers: object) => ({ request: { ...ASKING, headers }, expect: { status: [200] } });
	const scenario = { ...SCENARIO, mix: [get({}), get(ASKING.headers)] } as unknown as Scenario;
	const samples = [{ status: 200, body: gzipSync('{}').toString('latin1'), count: 1 }];
	const seen = [
		{ samples, watched: [] },
		{ samples, watched: [] },
	];
	const report = { samples: { base: [], head: [] }, mix: { base: seen, head: seen } } as unknown as TurnReport;
	const usual = { base: null, head: null };
	const gzip = { encoding: 'gzip', bytes: null };
	const read = await readCompressed(scenario, report, {
		usual,
		mix: [{ usual }, { usual, compressed: { base: gzip, head: null } }],
	});
	const bodies = (side: 'base' | 'head') => read.mix?.[side].map((one) => one.samples.map(({ body }) => body));
	assert.deepEqual(bodies('base'), [[samples[0]?.body], ['{}']]);
	assert.deepEqual(bodies('head'), [[samples[0]?.body], []]);
});

const latin1 = (body: Buffer | string) => Buffer.from(body as string).toString('latin1');
const FILLED = {
	...SCENARIO,
	mix: [{ request: ASKING, expect: { status: [200], json: { id: '{{id}}' } } }],
} as unknown as Scenario;
/** The first row came gzipped. */
const gzipAnswer = { status: 200, headers: { 'content-encoding': 'gzip' }, body: '{"id":1}', bytes: 8 };
const ROWS: Known = {
	usual: { base: null, head: null },
	mix: [describeRow({ base: [gzipAnswer], head: [gzipAnswer] }, true)],
	data: [{ id: 1 }, { id: 2 }],
};

test('a sampled compressed answer to a row is compared with that row', async () => {
	const judgeRows = async (...bodies: (Buffer | string)[]) => {
		const samples = bodies.map((body, row) => ({ status: 200, body: latin1(body), count: 1, row }));
		const seen = [{ completed: 1_000, unexpected: 0, statuses: [], samples, lengths: {}, watched: [] }];
		const side = { seconds: 1, completed: 1_000, unexpected: 0, errors: 0, statuses: {} };
		const report = {
			windows: [{ kind: 'duet', base: side, head: side } as unknown as Window],
			samples: { base: [], head: [] },
			mix: { base: [{ ...seen[0], samples: [] }], head: seen },
			...{ firstError: {}, statusTimes: { base: {}, head: {} }, vanished: { base: 0, head: 0 } },
		} as unknown as TurnReport;
		const read = await readCompressed(FILLED, report, ROWS);
		return checkLoadedAnswers(FILLED, read, ROWS).map(({ code, side: whose }) => `${code} of ${whose}`);
	};
	assert.deepEqual(await judgeRows(gzipSync('{"id":1}'), gzipSync('{"id":2}')), []);
	assert.deepEqual(await judgeRows('{"id":1}', brotliCompressSync('{"id":2}')), [], 'each as it likes');
	assert.deepEqual(await judgeRows(gzipSync('{"id":1}'), gzipSync('{"id":1}')), ['wrong-body of head']);
});

test('the stored answer to a watched row is the text of all its bytes', async () => {
	const encoded = [
		[gzipSync('a'), gzipSync('a', { level: 0 }), brotliCompressSync('a')],
		[gzipSync('a'), gzipSync('b')],
		['ä'],
	].map((bodies) => bodies.map(latin1));
	const watched: WatchedRow[] = encoded.map((bodies, row) => ({ row, body: null, encoded: bodies }));
	const report = {
		samples: { base: [], head: [] },
		mix: { base: [{ samples: [], watched }], head: [{ samples: [], watched: [] }] },
	} as unknown as TurnReport;
	const { mix } = await readCompressed(FILLED, report, ROWS);
	assert.deepEqual(mix?.base[0]?.watched, [
		{ row: 0, body: 'a' },
		{ row: 1, body: null },
		{ row: 2, body: 'ä' },
	]);
	assert.deepEqual(mix?.head[0]?.watched, []);
});
