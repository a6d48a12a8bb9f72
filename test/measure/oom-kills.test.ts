import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOomKill } from '../../src/measure/server-process.ts';

const KILLED = { exitCode: null, signalCode: 'SIGKILL' };

test('a server killed while the kernel ended processes for memory is reported as such', () => {
	assert.match(
		describeOomKill(KILLED, 3, 4) ?? '',
		/^was killed while the kernel ended processes because memory ran out$/,
	);
	const inShell = { exitCode: 137, signalCode: null };
	assert.match(describeOomKill(inShell, 0, 2) ?? '', /memory ran out/);
});

test('other ends, ends without kills of the kernel, and machines without counts are not reported as such', () => {
	assert.equal(describeOomKill({ exitCode: 1, signalCode: null }, 3, 4), null);
	assert.equal(describeOomKill({ exitCode: null, signalCode: 'SIGTERM' }, 3, 4), null);
	assert.equal(describeOomKill(KILLED, 3, 3), null);
	assert.equal(describeOomKill(KILLED, null, 4), null);
	assert.equal(describeOomKill(KILLED, 3, null), null);
});
