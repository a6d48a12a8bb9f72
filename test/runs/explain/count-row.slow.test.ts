/** Causes planted into a small framework, found by counts of a request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Counts } from '../../../src/types/explain/counts.ts';
import { APP, countPlanted, LAYERS } from './planted.ts';

const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

interface Planted {
	readonly label: string;
	readonly app?: string;
	readonly layers?: string;
	readonly check: (counts: Counts) => void;
}

const functionNamed = ({ functions }: Counts, wanted: string) => functions.find(({ name }) => name === wanted);
const workOf = ({ work }: Counts, wanted: string) => {
	const workOfKind = work.find(({ kind }) => kind === wanted);
	assert.ok(workOfKind, `${wanted} is not among ${work.map(({ kind }) => kind)}`);
	return workOfKind;
};

const MIDDLEWARE = APP.replace(
	'compose([setType,',
	'compose([setType, async function passOn(_, next) { await next(); },',
);
const TWICE = LAYERS.replace(
	'return (context) => dispatch(context, 0);',
	'return async (context) => { await dispatch({ ...context, response: { setHeader() {}, end() {} } }, 0); return dispatch(context, 0); };',
);

const CASES: readonly Planted[] = [
	{
		label: 'nothing',
		check: ({ functions, work, unseen }) => assert.deepEqual([functions, work, unseen], [[], [], []]),
	},
	{
		label: 'a middleware that only passes on',
		app: MIDDLEWARE,
		check(counts) {
			const [first] = counts.functions;
			// V8 counts an async function again after its await.
			assert.deepEqual([first?.name, first?.state, first?.head], ['passOn', 'new', 2]);
			assert.equal(first?.line, lineOf(MIDDLEWARE, 'passOn'));
			assert.ok(workOf(counts, 'promises').head > workOf(counts, 'promises').base);
		},
	},
	{
		label: 'a function that is called twice',
		layers: TWICE,
		check(counts) {
			const answer = functionNamed(counts, 'answer');
			assert.deepEqual([answer?.state, answer?.base, answer?.head, answer?.varies], ['same', 1, 2, false]);
		},
	},
	{
		label: 'one more JSON.stringify',
		app: APP.replace('JSON.stringify(body)', 'JSON.stringify(body, null, JSON.stringify(body).length > 99 ? 1 : 0)'),
		check(counts) {
			const [first] = counts.functions;
			assert.deepEqual([first?.name, first?.state, first?.base, first?.head], ['answer', 'changed', 1, 1]);
			const { base, head, varies } = workOf(counts, 'bytes-allocated');
			assert.ok(head > base && !varies, `${base} → ${head}`);
		},
	},
	{
		label: 'one more write',
		app: APP.replace(
			'response.end(JSON.stringify(body));',
			'response.setHeader("content-length", 11); response.write(JSON.stringify(body).slice(0, 5)); await new Promise(setImmediate); response.end(JSON.stringify(body).slice(5));',
		),
		check(counts) {
			const { base, head } = workOf(counts, 'writes');
			assert.equal(Math.round(head - base), 1);
		},
	},
];

test('counts name the planted cause', async (t) => {
	const rowCounts = await countPlanted(CASES);
	for (const [at, { label, check }] of CASES.entries()) {
		await t.test(label, () => {
			const { counts, notes } = rowCounts[at] ?? {};
			assert.ok(counts, notes?.join());
			check(counts);
		});
	}
});
