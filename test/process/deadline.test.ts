import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LATE, within } from '../../src/process/deadline.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('work in time returns its value, late work is late, and failing work fails', async () => {
	assert.equal(await within(60_000, Promise.resolve(7)), 7);
	assert.equal(await within(1, new Promise(() => {})), LATE);
	await assert.rejects(within(60_000, Promise.reject(new Error('no'))), /no/);
});

/** Calls that wait for a program to end, or for an answer. */
const WAITING = /\b(?:execa|execFileSync|spawnSync|promisify\(execFile\)|rules\.fetch|requestListener)\(/g;
/** The options that limit the wait of such a call, directly or by the name of its limits. */
const LIMITED = /\btimeout\b|\blimits\b|\bpatiently\b|AbortSignal\.timeout|within\(/i;
/** `runChild` waits for it and ends it. */
const ELSEWHERE = ['src/prepare/child.ts'];

/** Whether a call's result is passed by name to code that ends it in time. */
function isEnded(call: string, source: string): boolean {
	const [, name] = /const (\w+) = /.exec(call) ?? [];
	return name !== undefined && source.includes(`endInTime(${name}, { ms: `);
}

/** Returns each call with its statement, from the beginning to the end of the arguments. */
function callsIn(source: string): string[] {
	return [...source.matchAll(WAITING)].map(({ index, 0: name }) => {
		let depth = 1;
		let end = index + name.length;
		for (; depth > 0 && end < source.length; end++) depth += { '(': 1, ')': -1 }[source[end] ?? ''] ?? 0;
		return source.slice(source.lastIndexOf('\n', index) + 1, end);
	});
}

test('every wait for a program or an answer has a limit', () => {
	const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !ELSEWHERE.includes(file));
	const calls = files.flatMap((file) => {
		const source = readFileSync(join(ROOT, file), 'utf8');
		const endless = callsIn(source).filter((call) => !isEnded(call, source));
		return endless.map((call) => `${file}: ${call.replace(/\s+/g, ' ')}`);
	});
	assert.ok(calls.length > 15, `only ${calls.length} such calls were found`);
	assert.deepEqual(
		calls.filter((call) => !LIMITED.test(call)),
		[],
	);
});
