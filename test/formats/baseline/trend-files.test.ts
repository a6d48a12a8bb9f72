import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
	changesPath,
	isChangesFile,
	readBisected,
	readChanges,
	renderBisected,
	renderChanges,
} from '../../../src/formats/baseline/trend-files.ts';
import { readFiles } from '../../../src/store/store.ts';
import { BISECTED_SCHEMA, CHANGES_SCHEMA, type ChangeNotes } from '../../../src/types/trend.ts';
import { bisectedWith } from '../../support/baselines/bisected.ts';
import { strictly } from '../../support/strict-schema.ts';

const NOTES: ChangeNotes = {
	schemaVersion: 1,
	kind: 'benchgate-changes',
	tool: { name: 'benchgate', version: '1.2.3' },
	createdAt: '2026-11-22T05:00:00.000Z',
	run: { id: '123', attempt: 2, url: 'https://github.com/o/r/actions/runs/123' },
	notes: [
		{
			...{ id: 'koa/ping throughput @1a2b3c4d5e6f', state: 'confirmed', by: 'proof', issue: 7, commit: null },
			at: '2026-11-22T05:00:00.000Z',
		},
		{ id: 'koa/ping throughput @1a2b3c4d5e6f', state: 'accepted', by: 'ada', at: '2026-11-23T05:00:00Z', issue: null },
	],
};

test('notes on changes are written and read back, in their own file', () => {
	const path = changesPath(NOTES);
	assert.equal(path, '2026/11/20261122T050000Z-123.2-changes.json');
	assert.ok(isChangesFile(path));
	const text = renderChanges(NOTES);
	assert.equal(text.split('\n').length, 2, 'one line');
	assert.deepEqual(readChanges(text, path), { changes: NOTES });
	assert.deepEqual(readFiles([[path, text]]), { records: [], notes: NOTES.notes, unread: [] });
	assert.ok(
		new Ajv2020({ allowUnionTypes: true }).compile(strictly(CHANGES_SCHEMA))(NOTES),
		'the schema names every key',
	);
});

for (const [label, text, kind] of [
	['cut off', renderChanges(NOTES).slice(0, 100), 'truncated'],
	['empty', '', 'truncated'],
	['another file', '{"kind":"benchgate-baseline"}', 'foreign'],
	['an unknown state', renderChanges(NOTES).replace('"accepted"', '"loved"'), 'foreign'],
	['an issue that is no number', renderChanges(NOTES).replace('"issue":7', '"issue":"7"'), 'foreign'],
	['a newer one', renderChanges(NOTES).replace('"schemaVersion":1', '"schemaVersion":2'), 'newer'],
] as const) {
	test(`${label} is named and left out`, () => {
		const read = readChanges(text, 'x-changes.json');
		assert.ok('unread' in read);
		assert.deepEqual([read.unread.kind, read.unread.file], [kind, 'x-changes.json']);
	});
}

const BISECTED = bisectedWith({});
const TEXT = renderBisected(BISECTED);

test('the finding of a bisect is written and read back, as one line', () => {
	assert.equal(TEXT.split('\n').length, 2);
	assert.deepEqual(readBisected(TEXT), { bisected: BISECTED });
	assert.ok(new Ajv2020({ allowUnionTypes: true }).compile(strictly(BISECTED_SCHEMA))(BISECTED));
	const open = bisectedWith({ change: null, low: null, high: null, skipped: 3 });
	assert.deepEqual(readBisected(renderBisected(open)), { bisected: open });
});

for (const [label, text, why] of [
	['cut off', TEXT.slice(0, 80), /not complete JSON/],
	['a list', '[]', /does not hold what a bisect found/],
	['a hash that is a path', TEXT.replace('b'.repeat(40), '../../b'), /commit must match pattern/],
	['a title without end', TEXT.replace('Copy', 'x'.repeat(300)), /title must NOT have more than 200/],
	['a probability of two', TEXT.replace('0.993', '2'), /probability must be <= 1/],
	['a server that is markup', TEXT.replace('"koa"', '"<b>"'), /server must match pattern/],
	[
		'a newer one',
		TEXT.replace('"schemaVersion":1', '"schemaVersion":2'),
		/written by benchgate .* with schema version 2; this one reads 1/,
	],
] as const) {
	test(`${label} is refused with the reason`, () => {
		const read = readBisected(text);
		assert.match('why' in read ? read.why : 'read', why);
	});
}
