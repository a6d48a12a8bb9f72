import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { changesPath, isChangesFile, readChanges, renderChanges } from '../../../src/formats/baseline/changes-file.ts';
import { readFiles } from '../../../src/store/read-files.ts';
import type { ChangeNotes } from '../../../src/types/trend.ts';
import { CHANGES_SCHEMA } from '../../../src/types/trend.ts';
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
