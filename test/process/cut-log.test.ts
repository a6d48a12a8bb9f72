import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutLog } from '../../src/process/logs.ts';

const LARGEST = 1024 * 1024;

test('a log that is too large keeps its beginning and its end, however often it is cut', () => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	const path = join(folder, 'server.log');
	const log = openSync(path, 'a+');
	const other = openSync(path, 'a');
	writeSync(other, 'the beginning\n');
	cutLog(log, LARGEST);
	assert.equal(readFileSync(path, 'utf8'), 'the beginning\n');
	for (const round of [1, 2]) {
		writeSync(other, 'in the middle\n'.repeat(LARGEST / 10));
		writeSync(other, `the end of ${round}\n`);
		cutLog(log, LARGEST);
		const text = readFileSync(path, 'utf8');
		assert.ok(statSync(path).size < LARGEST / 4);
		assert.match(text, /^the beginning\nin the middle\n/);
		assert.ok(text.endsWith(`in the middle\nthe end of ${round}\n`));
		const lines = new Set(text.split('\n'));
		assert.ok(lines.has('[benchgate: output was dropped here, because there was too much of it]'));
		assert.ok([...lines].every((line) => /^(the beginning|in the middle|the end of \d|\[benchgate.*|)$/.test(line)));
	}
	for (const file of [log, other]) closeSync(file);
	rmSync(folder, { recursive: true });
});

test('a line longer than the kept part is cut in its middle', () => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	const path = join(folder, 'server.log');
	writeFileSync(path, 'x'.repeat(2 * LARGEST));
	const log = openSync(path, 'a+');
	cutLog(log, LARGEST);
	assert.ok(statSync(path).size < LARGEST / 4);
	assert.match(readFileSync(path, 'utf8'), /^x+\n\[benchgate: .*\]\nx+$/);
	closeSync(log);
	rmSync(folder, { recursive: true });
});
