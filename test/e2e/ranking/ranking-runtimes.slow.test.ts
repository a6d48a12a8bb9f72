/** One server on two runtimes, each an entry beside the same reference, with its classic tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RankingResult } from '../../../src/types/ranking/ranking.ts';
import { assertExit, assertNoProcess, configOf, makePlayground, SHARED_CACHE } from '../../support/cli.ts';

/** Prints its runtime, and does not start on a Node older than `oldest`. */
const service = (oldest: number) => `
const major = Number(process.versions.node.split('.')[0]);
if (major < ${oldest}) throw new Error('too old: Node ' + major);
require('node:http')
	.createServer((_req, res) => res.setHeader('Content-Type', 'application/json').end('{"ok":true}'))
	.listen(Number(process.env.PORT), process.env.HOST);
process.once('SIGTERM', () => process.exit(0));
`;

test('a server is ranked on node@22 and node@24, where it runs on them', async (t) => {
	const playground = makePlayground(t, {
		'old.js': service(22),
		'new.js': service(24),
		'benchgate.yml': configOf([
			{ name: 'api', command: 'node old.js' },
			{ name: 'late', command: 'node new.js' },
		]),
	});
	const flags =
		'--server api,late,uws --runtime node@22,node@24 --reference api --trials 2 --warmup 200ms --duration 2s --seed 3';
	const env = { BENCHGATE_CACHE: SHARED_CACHE };
	const run = await playground.run(['measure', ...flags.split(' '), '--out', 'out', '--format', 'autocannon'], { env });
	assertExit(run, 0);
	const result = JSON.parse(playground.read('out/measure.json')) as RankingResult;
	const [scenario] = result.setup.scenarios;
	assert.equal(scenario?.reference, 'api on node@22');
	assert.deepEqual(
		result.rows.map(({ server, state }) => [server, state]),
		[
			['api on node@22', 'measured'],
			['api on node@24', 'measured'],
			['late on node@22', 'broken'],
			['late on node@24', 'measured'],
			['uws on node@22', 'unsupported'],
			['uws on node@24', 'unsupported'],
		],
	);
	for (const { reason } of result.rows.slice(4))
		assert.match(reason ?? '', /^it needs Node >=14 <22, and this is 2[24]\..*--runtime node@20/);
	assert.match(result.rows[2]?.reason ?? '', /^late on node@22 exited at start: .*too old: Node 22/);
	const majors = result.servers.map(({ runtime }) => `${runtime?.name} ${runtime?.version.split('.')[0]}`);
	assert.deepEqual(majors.slice(0, 4), ['node 22', 'node 24', 'node 22', 'node 24']);
	const [, api] = result.rows;
	assert.ok(api?.share && api.share.value > 0.2 && api.share.value < 5);
	// Two rounds of two seconds, which may last longer on a busy machine.
	assert.ok((api.alone?.rates?.requests.samples ?? 0) >= 4);
	assert.match(run.stdout, /test of api on node@24 @ GET \//);
	assert.match(run.stdout, /│ Req\/Sec +│ [\d,.]+ +│/);
	assert.equal(playground.read('out/autocannon.txt'), run.stdout);
	assert.match(playground.read('out/measure.md'), /\| `late on node@24` +\| Node 24\.\d+\.\d+ +\|/);

	const dry = await playground.run(['measure', ...flags.split(' '), '--dry-run'], { env });
	assert.match(dry.stdout, /^6 servers: api on node@22, api on node@24, late on node@22, late on node@24, uws on/);
	const merged = await playground.run(['measure', '--merge', 'out', '--wraps', 'late=api']);
	assert.match(merged.stdout, /Overhead of wrappers/);
	await assertNoProcess(playground);
});
