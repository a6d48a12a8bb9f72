import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { writeOutput } from '../../src/output/write-files.ts';

test('the temporary neighbour of a file is guarded while it exists', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const path = join(folder, 'raw.json');
	const events: unknown[] = [];
	const guard = (neighbour: string) => {
		events.push(dirname(neighbour), existsSync(neighbour), existsSync(path));
		return () => void events.push('released', existsSync(neighbour), existsSync(path));
	};
	await writeOutput({ flag: '--raw', path, content: 'all', guard });
	assert.deepEqual(events, [folder, true, false, 'released', false, true]);
	assert.deepEqual(readdirSync(folder), ['raw.json']);
	assert.equal(readFileSync(path, 'utf8'), 'all');
});

test('a text in pieces is written whole, or not at all', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const path = join(folder, 'raw.json');
	await writeOutput({ flag: '--raw', path, content: ['one ', 'two ', 'drei ü'] });
	assert.equal(readFileSync(path, 'utf8'), 'one two drei ü');
	function* breaking() {
		yield 'half';
		throw new Error('lost');
	}
	await assert.rejects(writeOutput({ flag: '--raw', path, content: breaking() }), /^Error: lost$/);
	assert.equal(readFileSync(path, 'utf8'), 'one two drei ü');
	assert.deepEqual(readdirSync(folder), ['raw.json']);
});
