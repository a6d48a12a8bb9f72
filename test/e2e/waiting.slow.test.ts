/** Servers that wait instead of computing: CPU time does not show it, and a duet on a busy CPU only a part of it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertExit, type Comparison, compareSides, configOf } from '../support/cli.ts';

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

/** Tries to find a moment in which the servers' CPU is theirs. */
const ATTEMPTS = 3;

/** Milliseconds that each side waits. */
function compareWaits(t: TestContext, base: number, head: number): Promise<Comparison> {
	const files = {
		'base/server.js': WAITING,
		'head/server.js': WAITING,
		'base/wait': String(base),
		'head/wait': String(head),
		'benchgate.yml': configOf([{ name: 'waiting', command: 'node server.js' }], { threshold: '50%' }),
	};
	return compareSides(t, files, '120s');
}

test('a head that waits 20 ms longer is regressed although it costs no CPU, and by its duet alone', async (t) => {
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		// A machine under load adds some milliseconds to both.
		const { run, row } = await compareWaits(t, 1, 21);
		assert.ok(row.verdict === 'regressed' || row.verdict === 'inconclusive', run.stdout);
		const codes = row.warnings.map(({ code }) => code);
		t.diagnostic(`attempt ${attempt}: ${row.verdict} ${row.change} ${codes.join(' ')}`);
		// Whatever else runs on the CPU takes what the servers leave: then it is not idle.
		if (codes.some((code) => ['unequal-cpu', 'unconfirmed', 'confirmed-alternating'].includes(code))) continue;
		assert.equal(row.verdict, 'regressed', run.stdout);
		assert.equal(row.judgedBy, 'throughput');
		assert.ok((row.change ?? 0) < -0.5, `change ${row.change}`);
		assert.ok(codes.includes('servers-wait'));
		assertExit(run, 1);
		return;
	}
	t.skip('never undisturbed: that it does not pass is all that was seen');
});

test('where base leaves no CPU idle, alternating windows decide, or its cost', async (t) => {
	const { run, row } = await compareWaits(t, 0, 20);
	t.diagnostic(`${row.verdict} ${row.change} ${row.warnings.map(({ code }) => code).join(' ')}`);
	assert.ok(row.verdict === 'regressed' || row.verdict === 'inconclusive', run.stdout);
	if (row.judgedBy === 'throughput' && row.verdict === 'regressed')
		assert.ok(row.warnings.some(({ code }) => code === 'confirmed-alternating'));
});
