import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTail } from '../../src/process/logs.ts';

test('only the end of a long log is read, from the beginning of a line; a short one as a whole', (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const log = join(folder, 'log');
	writeFileSync(log, `the beginning\n${'in the middle\n'.repeat(100_000)}the end\n`);
	const tail = readTail(log);
	assert.ok(tail.length <= 64 * 1024 && tail.length > 60 * 1024, `${tail.length} characters`);
	assert.match(tail, /^in the middle\n/);
	assert.ok(tail.endsWith('in the middle\nthe end\n'));
	writeFileSync(log, 'all\nof it');
	assert.equal(readTail(log), 'all\nof it');
	assert.equal(readTail(join(folder, 'none')), '');
});
