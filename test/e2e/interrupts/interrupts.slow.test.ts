/** Signals at stages that take long to reach. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SelftestResult } from '../../../src/types/selftest.ts';
import { assertExit, assertNoProcess, makePlayground, until } from '../../support/cli.ts';
import { interrupt, MEASURING, SETTING_UP, WARMING_UP } from './interruption.ts';

const skip = process.platform !== 'linux' && 'needs /proc';

test('SIGTERM while warming up', { skip }, (t) => interrupt(t, 'SIGTERM', WARMING_UP));

test('SIGKILL while measuring', { skip }, (t) => interrupt(t, 'SIGKILL', MEASURING));

test('SIGKILL while the start commands of both servers run', { skip }, (t) => interrupt(t, 'SIGKILL', SETTING_UP));

test('Ctrl-C in a selftest keeps the finished trials, reports them, and leaves nothing running', async (t) => {
	const playground = makePlayground(t);
	const flags = '--server node-http --scenario ping --seed 4 --json interrupted.json';
	const running = playground.start(['selftest', ...flags.split(' ')]);
	await running.says(/round [2-9]/);
	const isServer = (command: string) => /inject\.mjs server/.test(command);
	await until('both servers', () => playground.processes().filter(isServer).length === 2);
	running.process.kill('SIGINT');
	const run = await running.ended;
	assertExit(run, 130);
	const result = JSON.parse(playground.read('interrupted.json')) as SelftestResult;
	assert.equal(result.ended, 'interrupted');
	assert.equal(result.trials.at(-1)?.ended, 'interrupted');
	assert.ok(result.trials.some(({ d }) => d.length > 0));
	assert.match(run.stdout, /^[A-Z ]+ {2}Interrupted/);
	await assertNoProcess(playground);
});
