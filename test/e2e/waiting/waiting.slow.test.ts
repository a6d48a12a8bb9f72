/** Servers that wait instead of computing: CPU time does not show it, and a duet on a busy CPU only a part of it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertExit, type Comparison, compareSides } from '../../support/cli.ts';
import { waitingSides } from './waiting-sides.ts';

/** Attempts to find a moment in which only the servers use their CPU. */
const ATTEMPTS = 2;

/**
 * Repeats a comparison of servers that wait so many milliseconds until no other program used their CPU meanwhile: a
 * machine under load adds milliseconds to both, and its CPU is not idle. Null if every attempt was disturbed.
 */
async function compareUndisturbed(t: TestContext, base: number, head: number): Promise<Comparison | null> {
	const files = waitingSides(base, head);
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		const comparison = await compareSides(t, files, '120s');
		const { result, row } = comparison;
		const codes = [...row.warnings, ...result.warnings].map(({ code }) => code);
		t.diagnostic(`attempt ${attempt}: ${row.verdict} ${row.change} by ${row.judgedBy}, ${codes.join(' ')}`);
		if (!codes.includes('busy-machine')) return comparison;
	}
	t.skip('never undisturbed, so nothing was tested');
	return null;
}

test('a head that waits 20 ms longer is regressed although it costs no CPU, and by its duet alone', async (t) => {
	const comparison = await compareUndisturbed(t, 1, 21);
	if (comparison === null) return;
	const { run, row } = comparison;
	assert.equal(row.verdict, 'regressed', run.stdout);
	assert.equal(row.judgedBy, 'throughput');
	assert.ok((row.change ?? 0) < -0.5, `change ${row.change}`);
	const codes = row.warnings.map(({ code }) => code);
	assert.ok(codes.includes('servers-wait') && !codes.includes('confirmed-alternating'), codes.join(' '));
	assertExit(run, 1);
});

test('if base leaves no CPU idle, alternating windows decide, unless the cost of a request does', async (t) => {
	const comparison = await compareUndisturbed(t, 0, 20);
	if (comparison === null) return;
	const { run, row } = comparison;
	assert.ok(row.verdict === 'regressed' || row.verdict === 'inconclusive', run.stdout);
	const isConfirmed = row.warnings.some(({ code }) => code === 'confirmed-alternating');
	assert.equal(row.verdict === 'regressed' && row.judgedBy === 'throughput', isConfirmed);
});

test('answers of a second that take a tenth longer are red by throughput; equal ones pass, and have an error', async (t) => {
	const longer = await compareSides(t, waitingSides(1000, 1100, '5%'), '120s');
	assert.equal(longer.row.verdict, 'regressed', longer.run.stdout);
	assert.equal(longer.row.judgedBy, 'throughput');
	const same = await compareSides(t, waitingSides(1000, 1000, '5%'), '120s');
	const { verdict, interval, metrics, smallestDecidableThreshold } = same.row;
	const base = metrics.throughput?.base;
	assert.equal(verdict, 'unchanged', same.run.stdout);
	// Four connections with an answer a second each.
	assert.ok((base ?? 0) > 2, `${base} requests/s`);
	assert.ok((interval?.high ?? 0) - (interval?.low ?? 0) >= 0.002, JSON.stringify(interval));
	assert.ok((smallestDecidableThreshold ?? 0) >= 0.002, `${smallestDecidableThreshold}`);
});
