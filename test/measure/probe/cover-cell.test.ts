import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { callsOf, cover, LIBRARY } from './cover-fixture.ts';

test('counts calls before and during the load, exactly, and omits functions that did not run', async () => {
	const coverage = await cover('');
	assert.deepEqual(coverage.unseen, []);
	const { requests } = coverage;
	assert.ok(requests >= 50, `${requests} requests`);
	const calls = callsOf(coverage, 'node_modules/library/index.js');
	assert.deepEqual(calls.atStart, [1, 0]);
	assert.deepEqual(calls.perRequest?.[1], requests);
	assert.equal(calls.never, undefined);
	const script = coverage.scripts.find(({ path }) => path === 'node_modules/library/index.js');
	assert.equal(script?.hash, createHash('sha256').update(LIBRARY).digest('hex'));
	const [start = 0, end = 0] = script.functions.find(([, , name]) => name === 'perRequest') ?? [];
	assert.equal(LIBRARY.slice(start, end), 'function perRequest() { return 2; }');
	assert.deepEqual(coverage.reads, []);
});

test('runs what timers would run in the time of a round', async () => {
	const timers = `
library.callInTime = (name) => { library[name](); };
setInterval((name) => library.callInTime(name), 10_000, 'never').unref();
setTimeout(async () => { await null; throw new Error('ignored'); }, 60_000);
setTimeout(() => process.exit(1), 60_000);
clearTimeout(setTimeout(() => library.perRequest(), 60_000));
const repeat = () => { setTimeout(repeat, 60_000).unref(); };
repeat();
setTimeout(() => library.callInTime('atStart'), 3_600_000).unref();
`;
	const coverage = await cover(timers);
	assert.deepEqual(coverage.unseen, []);
	const calls = callsOf(coverage, 'node_modules/library/index.js');
	assert.deepEqual(calls.never, [0, 1]);
	assert.deepEqual(calls.atStart, [1, 0]);
	assert.equal(calls.perRequest?.[1], coverage.requests);
});

test('returns a failure for a server that does not start', async () => {
	const { requests, unseen } = await cover('process.exit(7);');
	assert.equal(requests, 0);
	assert.deepEqual(
		unseen.map(({ kind }) => kind),
		['failed'],
	);
	assert.match(unseen[0]?.detail ?? '', /exited at start: exit code 7/);
});

test('the probe is one program without imports', () => {
	const source = readFileSync(new URL('../../../src/measure/probe/probe.ts', import.meta.url), 'utf8');
	const imports = source.match(/^import .*/gm) ?? [];
	assert.ok(
		imports.every((line) => line.startsWith('import type')),
		imports.join('\n'),
	);
});
