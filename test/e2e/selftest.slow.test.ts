/** The selftest on real servers, to its end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SelftestResult } from '../../src/types/selftest.ts';
import { assertExit, assertNoProcess, makePlayground } from '../support/cli.ts';

test('a short selftest measures, decides and reports, and leaves nothing running', async (t) => {
	const playground = makePlayground(t);
	const flags = '--server node-http --scenario ping --threshold 50% --budget 1m --warmup 500ms --seed 4';
	const run = await playground.run([
		'selftest',
		...flags.split(' '),
		...'--json selftest.json --markdown selftest.md --html selftest.html'.split(' '),
	]);
	assertExit(run, 0);
	const result = JSON.parse(playground.read('selftest.json')) as SelftestResult;
	assert.equal(result.ended, 'budget');
	// Their number, and whether an injected one fits, depend on the machine.
	for (const { trial, drop } of result.trials) assert.equal(drop === 0, trial % 2 === 1, `trial ${trial}`);
	const [first] = result.trials;
	assert.ok(first?.trial === 1 && first.server === 'node-http' && first.scenario === 'ping');
	// Concurrent tests use CPU time of unknown processes, and then a pass may stay open.
	assert.ok(first.verdict === 'unchanged' || first.verdict === 'inconclusive', first.verdict);
	assert.ok(first.d.length >= 4 && first.d.every(Number.isFinite));
	assert.deepEqual(result.falseAlarms.count, 0);
	assert.equal(result.reproduce, `npx benchgate selftest ${flags}`);
	assert.match(run.stdout, /^SOUND {2}.*\b0\s+false\s+alarms\s+in\s+\d+\s+comparison/s);
	assert.match(playground.read('selftest.md'), /^### ✅ Sound: .*\b0 false alarms in \d+ comparison/);
	assert.match(playground.read('selftest.html'), /<p class="outcome">.* Sound<\/p>/);
	assert.match(run.stderr, /^Trial 1: node-http\/ping, against itself: (unchanged|inconclusive), .* after \d+ rounds/m);
	await assertNoProcess(playground);
});
