import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	costOfDrop,
	encodeInjections,
	INJECTION_KINDS,
	type Injection,
	type InjectionKind,
	parseInjection,
	withoutEffect,
} from '../../src/inject/injection.ts';
import { assertClose } from '../support/close.ts';

test('an injection reads back from the environment, and both sides get equally many characters', () => {
	for (const kind of Object.keys(INJECTION_KINDS) as InjectionKind[]) {
		const head: Injection = { kind, amount: 0.1234567890123456, every: 50 };
		const values = encodeInjections({ base: withoutEffect(head), head });
		assert.equal(values.base.length, values.head.length);
		assert.deepEqual(parseInjection(values.head), head);
		assert.deepEqual(parseInjection(values.base), { kind, amount: 0, every: 50 });
	}
});

test('every request is affected unless stated otherwise', () => {
	assert.deepEqual(parseInjection('{"kind":"wait","amount":3}'), { kind: 'wait', amount: 3, every: 1 });
});

const FORM = 'the form is {"kind":"cpu","amount":0.05,"every":1}';

for (const [text, reason] of [
	['', 'that is not JSON'],
	['{"kind":"cpu"', 'that is not JSON'],
	['[1]', 'that is not an object'],
	['null', 'that is not an object'],
	['{}', 'kind must be one of cpu, threadpool, wait, lock, allocation, leak, wrong'],
	['{"kind":"toString","amount":1}', 'kind must be one of cpu, threadpool, wait, lock, allocation, leak, wrong'],
	[
		'{"kind":"cpu","amount":-1}',
		"amount of cpu must be a number from 0 to 10 (fraction of a request's own CPU time, on average over all requests)",
	],
	['{"kind":"wrong","amount":2}', 'amount of wrong must be a number from 0 to 1 (share of the requests)'],
	['{"kind":"wait","amount":"3"}', 'amount of wait must be a number from 0 to 10000 (milliseconds)'],
	['{"kind":"wait","amount":3,"every":0}', 'every must be a whole number from 1'],
	['{"kind":"wait","amount":3,"every":1.5}', 'every must be a whole number from 1'],
	['{"kind":"wait","amount":3,"evry":2}', 'there is no "evry"; the keys are kind, amount and every'],
] as const) {
	test(`refused: ${text || 'nothing'}`, () => {
		assert.throws(() => parseInjection(text), { message: `BENCHGATE_INJECTION=${text}: ${reason}; ${FORM}` });
	});
}

test('a drop in throughput is a larger rise in cost: half as many answers cost twice as much each', () => {
	assert.equal(costOfDrop(0.5), 1);
	assert.equal(costOfDrop(0), 0);
	assertClose(1 / (1 + costOfDrop(0.05)), 0.95, 1e-12);
});
