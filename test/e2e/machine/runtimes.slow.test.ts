/** Two runtimes on one service: installed from npm, and each side on its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from '../../../src/types/result.ts';
import { assertExit, configOf, makePlayground, SHARED_CACHE } from '../../support/cli.ts';

/** A service that starts only on its own version of Node. */
const service = (major: number) => `
if (process.versions.node.split('.')[0] !== '${major}') throw new Error('started on Node ' + process.version);
require('node:http')
	.createServer((_req, res) => res.setHeader('Content-Type', 'application/json').end('{"ok":true}'))
	.listen(Number(process.env.PORT), process.env.HOST);
process.once('SIGTERM', () => process.exit(0));
`;

test('node@22 is compared with node@24, by a command that begins with node', async (t) => {
	const playground = makePlayground(t, {
		'base/server.js': service(22),
		'head/server.js': service(24),
		'benchgate.yml': configOf([{ name: 'api', command: 'node server.js' }]),
	});
	const flags = '--base-runtime node@22 --head-runtime node@24 --rounds 2 --seed 7 --budget 60s --json result.json';
	const args = ['compare', '--base', 'dir:base', '--head', 'dir:head', ...flags.split(' ')];
	const run = await playground.run(args, { env: { BENCHGATE_CACHE: SHARED_CACHE } });
	const result = JSON.parse(playground.read('result.json')) as Result;
	const [row, ...others] = result.cells;
	assert.ok(row !== undefined && others.length === 0);
	// Which of them is faster depends on the machine.
	assert.notEqual(row.verdict, 'invalid', run.stdout);
	assertExit(run, result.gate.outcome === 'fail' ? 1 : 0);
	const { base, head } = result.environment.runtimes ?? {};
	assert.match(
		`${base?.name} ${base?.version}, ${head?.name} ${head?.version}`,
		/^node 22\.\d+\.\d+, node 24\.\d+\.\d+$/,
	);
	assert.match(run.stdout, /Runtimes: base Node 22\.\d+\.\d+, head Node 24\.\d+\.\d+/);
	assert.match(result.reproduce, / --base-runtime node@22 --head-runtime node@24/);
});
