/** Servers that wait instead of computing: CPU time does not show it, and a duet on a busy CPU only a part of it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { findAffinity } from '../../src/measure/affinity.ts';
import { assertExit, type Comparison, compareSides, configOf, type Files } from '../support/cli.ts';

const WAITING = `
const { readFileSync } = require('node:fs');
const wait = Number(readFileSync('wait', 'utf8'));
require('node:http').createServer((_, response) => {
	const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
	if (wait === 0) answer();
	else setTimeout(answer, wait);
}).listen(process.env.PORT, process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;

function waitingSides(base: number, head: number, threshold = '50%'): Files {
	return {
		'base/server.js': WAITING,
		'head/server.js': WAITING,
		'base/wait': String(base),
		'head/wait': String(head),
		'benchgate.yml': configOf([{ name: 'waiting', command: 'node server.js' }], { threshold, warmup: undefined }),
	};
}

/** Tries to find a moment in which the servers' CPU is theirs. */
const ATTEMPTS = 2;

/**
 * Compares servers that wait so many milliseconds until nobody else used their CPU meanwhile: a machine under load adds more
 * milliseconds to both, and what runs beside them is not idle. Null when that never was.
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

test('where base leaves no CPU idle, alternating windows decide, unless the cost of a request does', async (t) => {
	const comparison = await compareUndisturbed(t, 0, 20);
	if (comparison === null) return;
	const { run, row } = comparison;
	assert.ok(row.verdict === 'regressed' || row.verdict === 'inconclusive', run.stdout);
	const isConfirmed = row.warnings.some(({ code }) => code === 'confirmed-alternating');
	assert.equal(row.verdict === 'regressed' && row.judgedBy === 'throughput', isConfirmed);
});

test('a wait is never passed while another program uses up the CPU of the servers', async (t) => {
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
