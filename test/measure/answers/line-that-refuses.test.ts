import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { lineThatRefuses } from '../../../src/measure/answers/find-changed-answers.ts';
import { matchAnswer } from '../../../src/measure/answers/match-answer.ts';

const answer = (body: string) => ({ status: 200, headers: {}, body, bytes: Buffer.byteLength(body) });

/** Returns the line, after checking its effect when read back as YAML. */
function line(right: string, wrong: string, expect = {}): string | null {
	const yaml = lineThatRefuses({ status: [200], ...expect }, [right], wrong);
	if (yaml === null) return null;
	const written = parse(`{ status: [200], ${yaml} }`);
	assert.equal(matchAnswer(written, answer(right)), null, yaml);
	assert.notEqual(matchAnswer(written, answer(wrong)), null, yaml);
	return yaml;
}

const DATA = '{"data":{"user":{"id":"1"}}}';

test('a line refuses a missing key, another kind of value, or an extra key', () => {
	assert.equal(line(DATA, '{"errors":[{"message":"no"}],"data":null}'), 'json: { data: { user: <any> } }');
	assert.equal(line(DATA, '{"error":"no"}'), 'json: { data: <any> }');
	assert.equal(line(DATA, '{"data":{"user":{"id":"1"}},"errors":[]}'), 'json: { errors: <absent> }');
	assert.equal(line('{"id":"a","age":1}', '{"id":"a","age":null}'), 'json: { age: <number> }');
	assert.equal(line('{"id":1234567890123456789}', '{"id":""}'), 'json: { id: <number> }');
	assert.equal(line('{"id":"a"}', '{"id":1234567890123456789}'), 'json: { id: <string> }');
	assert.equal(line('[1234567890123456789]', 'no'), 'json: [<number>]');
	assert.equal(line('{"id":1234567890123456789}', '{"id":7}'), null);
	assert.equal(line('{"id":"a"}', '{"id":7}'), 'json: { id: <string> }');
	assert.equal(line('{"ok":true}', '{"ok":"no"}'), 'json: { ok: true }');
	assert.equal(line('{"rows":[1,2]}', '{"rows":[]}'), 'json: { rows: [<any>, <any>] }');
	assert.equal(line('{"no":{},"it\'s":1}', '{"no":{}}'), `json: { "it's": <any> }`);
	assert.equal(line('{"no":1}', '{}'), 'json: { "no": <any> }');
});

test('existing lines of `expect` stay', () => {
	const json = { data: { user: { id: '1' } }, v: 1 };
	assert.equal(
		line('{"v":1,"data":{"user":{"id":"1"},"more":1}}', '{"v":1,"data":{"user":{"id":"1"}}}', { json }),
		'json: { data: { user: { id: "1" }, more: <any> }, v: 1 }',
	);
});

test('text is refused by its words if they are short, else by its length', () => {
	assert.equal(line('ok', 'try later'), 'text: "ok"');
	assert.equal(line('x'.repeat(100), 'try later'), 'bodyBytes: 100');
	assert.equal(line('{"ok":1}', '<p>no</p>'), 'json: {}');
});

test('there is no line if no short one would suffice', () => {
	assert.equal(line('{"a":"one"}', '{"a":"two"}'), null);
	assert.equal(line(`{"a":[${'1,'.repeat(50)}1]}`, '{"a":[]}'), null);
});
