/** The selftest as a user runs it, on the one built-in server without packages. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { SelftestResult } from '../../src/types/selftest.ts';
import { assertExit, assertNoProcess, makePlayground } from '../support/cli.ts';

const playground = makePlayground({ after });

const REFUSED: readonly [readonly string[], string][] = [
	[['--server', 'expres'], 'benchgate: --server expres: "expres" is not a server; did you mean "express"?\n'],
	[['--scenario', 'pnig'], 'benchgate: --scenario pnig: "pnig" is not a scenario; did you mean "ping"?\n'],
	[
		['--threshold', '5', '--budget', 'long'],
		'benchgate: --threshold 5: not allowed; a percentage above 0% and below 100%, e.g. 5%\n--budget long: not allowed; a duration in ms, s, m or h, e.g. 90s or 10m\n',
	],
	[
		['--json', 'nowhere/selftest.json'],
		'benchgate: --json nowhere/selftest.json: the file cannot be written: the folder does not exist; nothing was left half-written\nTo fix it: create the folder first\n',
	],
	[
		['--node', '/bin/false'],
		'benchgate: --node /bin/false: that is not a Node binary that runs here\nTo fix it: give the path of a Node binary, e.g. --node "$(command -v node)"\n',
	],
	[
		['--budegt', '5s'],
		"error: unknown option '--budegt'\n(Did you mean --budget?)\n(benchgate selftest --help lists its options)\n",
	],
];

for (const [flags, stderr] of REFUSED) {
	test(`benchgate selftest ${flags.join(' ')}`, async () => {
		const run = await playground.run(['selftest', ...flags]);
		assertExit(run, 2);
		assert.equal(run.stderr, stderr);
		assert.equal(run.stdout, '');
	});
}

function readResult(path: string): SelftestResult {
	return JSON.parse(playground.read(path)) as SelftestResult;
}

test('Ctrl-C before the first trial reports nothing', async () => {
	const running = playground.start('selftest --server node-http --json nothing.json'.split(' '));
	await running.says(/Checking the answers/);
	running.process.kill('SIGTERM');
	const run = await running.ended;
	assertExit(run, 130);
	const trials = existsSync(join(playground.folder, 'nothing.json')) ? readResult('nothing.json').trials : [];
	assert.deepEqual(
		trials.flatMap(({ d }) => d),
		[],
	);
	await assertNoProcess(playground);
});
