/** Servers that wait, on a CPU that another program uses up: their verdicts hold whatever runs beside them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { findAffinity } from '../../../src/measure/affinity.ts';
import { compareSides } from '../../support/cli.ts';
import { waitingSides } from './waiting-sides.ts';

test('a wait never passes while another program uses up the CPU of the servers', async (t) => {
	const cpu = findAffinity().serverCpu;
	if (cpu === null) return t.skip('nothing is pinned here');
	const busy = spawn('taskset', ['-c', String(cpu), process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' });
	t.after(() => busy.kill('SIGKILL'));
	const { run, row } = await compareSides(t, waitingSides(1, 21, '20%'), '60s');
	const codes = row.warnings.map(({ code }) => code);
	assert.ok(
		row.verdict === 'regressed' || row.verdict === 'inconclusive',
		`${row.verdict} ${codes.join(' ')}\n${run.stdout}`,
	);
});
