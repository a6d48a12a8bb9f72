/** A server that waits instead of computing: the duet alone would be misled, so alternating windows decide. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertExit, compareSides, configOf } from '../support/cli.ts';

const WAITING = `
const { readFileSync } = require('node:fs');
const wait = Number(readFileSync('wait', 'utf8'));
require('node:http').createServer((_, response) => {
	setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'), wait);
}).listen(process.env.PORT, process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;

/** Tries to find a moment in which the servers' CPU is theirs. */
const ATTEMPTS = 3;

test('a head that waits 20 ms longer is confirmed one side at a time, and regressed although it costs no CPU', async (t) => {
	const files = {
		'base/server.js': WAITING,
		'head/server.js': WAITING,
		'base/wait': '1',
		// A machine under load adds some milliseconds to both.
		'head/wait': '21',
		'benchgate.yml': configOf([{ name: 'waiting', command: 'node server.js' }], { threshold: '50%' }),
	};
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		const { run, row } = await compareSides(t, files, '120s');
		assert.ok(row.verdict === 'regressed' || row.verdict === 'inconclusive', run.stdout);
		// Whatever else runs on the CPU takes what the servers leave: then nobody can tell waiting from computing.
		if (row.verdict === 'inconclusive' && row.warnings.some(({ code }) => code === 'unequal-cpu')) {
			t.diagnostic(`attempt ${attempt}: other processes used the servers' CPU`);
			continue;
		}
		assert.equal(row.verdict, 'regressed', run.stdout);
		assert.equal(row.judgedBy, 'throughput');
		assert.ok((row.change ?? 0) < -0.5, `change ${row.change}`);
		assert.ok(row.warnings.some(({ code }) => code === 'confirmed-alternating'));
		assertExit(run, 1);
		return;
	}
	t.skip('never undisturbed: that it does not pass is all that was seen');
});
