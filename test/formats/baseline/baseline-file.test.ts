import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { baselinePath, readBaseline, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import { syntheticRecords } from '../../support/baselines/records.ts';

const RECORDS = syntheticRecords({ seed: 3, commits: 8, cells: 6, failed: 0.3, eras: 2 });
const [RECORD] = RECORDS as [BaselineRecord, ...BaselineRecord[]];

test('a written record reads back', () => {
	for (const record of RECORDS) assert.deepEqual(readBaseline(renderBaseline(record), 'x'), { record });
});

test('a file’s name contains time, commit, place and run, and no two runs share one', () => {
	assert.match(baselinePath(RECORD), /^\d{4}\/\d\d\/\d{8}T\d{6}Z-[0-9a-f]{12}-[0-9a-f]{8}-[0-9A-Za-z]+\.\d+\.json$/);
	assert.equal(new Set(RECORDS.map(baselinePath)).size, RECORDS.length);
	const again = { ...RECORD, run: { ...RECORD.run, attempt: 2 } };
	assert.notEqual(baselinePath(again), baselinePath(RECORD));
	assert.match(baselinePath({ ...RECORD, purpose: 'link' }), /-link\.json$/);
	const npm = { ...RECORD, commit: { ...RECORD.commit, sha: null, label: 'koa@2.16.1/../../x' } };
	assert.match(baselinePath(npm), /^\d{4}\/\d\d\/[^/]+\.json$/, 'no label leads out of the folder');
});

test('text that is no record is refused with the reason, never with a crash', () => {
	const text = renderBaseline(RECORD);
	fc.assert(
		fc.property(fc.nat(text.length - 2), fc.string(), (at, noise) => {
			assert.ok('unread' in readBaseline(text.slice(0, at), 'x'));
			const read = readBaseline(text.slice(0, at) + noise + text.slice(at + noise.length), 'x');
			if ('unread' in read) assert.notEqual(read.unread.why, '');
		}),
		{ seed: 1, numRuns: 300 },
	);
	for (const wrong of ['', 'null', '[]', '7', '{"kind":"benchgate-raw"}'])
		assert.ok('unread' in readBaseline(wrong, 'x'));
});

test('nesting deeper than in any record is refused before a writer has to repeat it', () => {
	const nested = (depth: number) =>
		renderBaseline(RECORD).replace('{', `{"more":${'['.repeat(depth)}${']'.repeat(depth)},`);
	assert.ok('record' in readBaseline(nested(3), 'x'), 'later versions may say more');
	const read = readBaseline(nested(100_000), 'x');
	assert.ok('unread' in read && read.unread.kind === 'foreign');
	assert.match(read.unread.why, /it nests more than/);
});

test('impossible figures are refused: they would enter every later sum', () => {
	const withCell = (changes: object) => {
		const [cell, ...others] = RECORD.cells;
		return renderBaseline({ ...RECORD, cells: [{ ...cell, ...changes } as never, ...others] });
	};
	assert.ok('record' in readBaseline(withCell({ theta: -3 }), 'x'));
	for (const changes of [
		{ theta: 1e308 },
		{ low: -1e300 },
		{ high: 1e17 },
		{ se: 1e300 },
		{ roundSd: 1e200 },
		{ lag1: -1e9 },
	]) {
		assert.ok('unread' in readBaseline(withCell(changes), 'x'), JSON.stringify(changes));
	}
	const solo = { throughput: 1e300, cpuPerRequest: null, latencyP50: null, memoryPeak: null, windows: 1 };
	assert.ok('unread' in readBaseline(withCell({ solo }), 'x'));
});

test('a record of a usual matrix is small', () => {
	const [record] = syntheticRecords({ seed: 4, commits: 1, cells: 24 });
	assert.ok(deflateSync(renderBaseline(record as BaselineRecord)).length < 20_000);
});
