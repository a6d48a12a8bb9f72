/** `--accept` passes the rows it names, and no others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from '../../../src/types/result.ts';
import { assertExit, behavingServer, behavingSides, configOf, makePlayground, WAITING } from '../../support/cli.ts';

test('a broken row of head passes when it is accepted by name and kind, and not by another', async (t) => {
	const playground = makePlayground(t, {
		...behavingSides({ good: '', body: 'wrong-body' }),
		'benchgate.yml': configOf(['good', 'body'].map((name) => behavingServer(name, WAITING))),
	});
	const compare = async (accept: string) => {
		const flags = '--base dir:base --head dir:head --budget 1s --warmup 200ms --seed 1 --json result.json';
		const run = await playground.run(['compare', ...flags.split(' '), '--accept', accept]);
		return { run, gate: (JSON.parse(playground.read('result.json')) as Result).gate };
	};
	for (const other of ['removed', 'good/ok=broken']) {
		const { run, gate } = await compare(other);
		assertExit(run, 1);
		assert.equal(gate.outcome, 'fail', other);
	}
	const { run, gate } = await compare('body/ok=broken');
	// The other row had one round.
	assertExit(run, 0);
	assert.equal(gate.outcome, 'inconclusive');
	assert.match(run.stdout.replace(/\s+/g, ' '), /--accept accepts/);
});
