import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { baselinePath, renderBaseline } from '../../src/formats/baseline/baseline-file.ts';
import { STORED_LIMITS } from '../../src/formats/baseline/read-stored.ts';
import { folderStore } from '../../src/store/folder-store.ts';
import { readStorePlace } from '../../src/store/open-store.ts';
import { isUserError } from '../../src/types/errors.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const RECORDS = syntheticRecords({ seed: 2, commits: 4, cells: 1 });

test('a folder keeps records as files, each once', async (t) => {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-store-'));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	const store = folderStore(join(root, 'baselines'));
	assert.deepEqual(await store.read(), { records: [], notes: [], unread: [] });
	assert.equal((await store.append(RECORDS)).added, RECORDS.length);
	assert.equal((await store.append(RECORDS)).added, 0);
	const byPath = (records: typeof RECORDS) => records.toSorted((a, b) => (baselinePath(a) < baselinePath(b) ? -1 : 1));
	assert.deepEqual((await store.read()).records, byPath(RECORDS));
	await store.remove(RECORDS.slice(1).map(baselinePath));
	assert.deepEqual((await store.read()).records, RECORDS.slice(0, 1));
	const files = readdirSync(join(root, 'baselines'), { recursive: true, withFileTypes: true });
	assert.equal(files.filter((entry) => entry.isFile()).length, 1, 'nothing half-written is left');
});

test('of a folder only the newest records are opened on request, and files without the name of a baseline', async (t) => {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-store-'));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	const store = folderStore(root);
	await store.append(RECORDS);
	const byAge = RECORDS.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).map(baselinePath);
	writeFileSync(join(root, byAge.at(-1) as string), '{');
	writeFileSync(join(root, byAge[0] as string), '{');
	writeFileSync(join(root, '20260101T000000Z-1.1-changes.json'), '{');
	writeFileSync(join(root, 'cut.json'), '{');
	const { records, unread, older } = await store.read({ newest: 2 });
	assert.deepEqual(records.map(baselinePath), byAge.slice(1, 2));
	assert.deepEqual(unread.map(({ file }) => file).sort(), [byAge[0], 'cut.json'].sort());
	assert.equal(older, RECORDS.length - 2);
});

test('a file larger than any record is named, and hides no other', async (t) => {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-store-'));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	const store = folderStore(root);
	await store.append(RECORDS);
	await folderStore(join(root, 'another')).append(RECORDS);
	writeFileSync(join(root, 'large.json'), renderBaseline(RECORDS[0] as never) + ' '.repeat(STORED_LIMITS.bytes));
	const { records, unread } = await store.read();
	assert.equal(records.length, RECORDS.length, 'a folder in it that is no year is another store');
	assert.deepEqual(unread, [{ file: 'large.json', kind: 'foreign', why: 'it has more than 4194304 bytes' }]);
});

test('a folder that cannot be created is an error with its path', async (t) => {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-store-'));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	writeFileSync(join(root, 'file'), '');
	await assert.rejects(folderStore(join(root, 'file')).append(RECORDS), (error) => {
		assert.ok(isUserError(error));
		assert.match(`${error.where} ${error.message}`, /file.*cannot be written: (?:ENOTDIR|EEXIST)/);
		return true;
	});
});

test('a place is a branch, a folder or a pull request, and nothing that git would read as a flag', () => {
	assert.deepEqual(readStorePlace('branch:benchgate'), { kind: 'branch', branch: 'benchgate' });
	assert.deepEqual(readStorePlace('dir:a b'), { kind: 'folder', folder: 'a b' });
	assert.equal(readStorePlace('pull-request')?.kind, 'pull-request');
	for (const wrong of [
		'',
		'benchgate',
		'branch:',
		'branch:-f',
		'branch:a..b',
		'branch:a b',
		'branch:x.lock',
		'dir:',
		'file:x',
	]) {
		assert.equal(readStorePlace(wrong), null, wrong);
	}
});
