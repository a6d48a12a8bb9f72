/** Signals at every stage, SIGKILL included: no traces remain, finished rounds are kept. */
import { test } from 'node:test';
import { assertExit } from '../../support/cli.ts';
import {
	assertNothingLeft,
	COMPARE,
	interrupt,
	MEASURING,
	makeRepository,
	PREPARING,
	STARTING,
	type Stage,
} from './interruption.ts';

const CASES: readonly [signal: NodeJS.Signals, name: string, stage: Stage][] = [
	['SIGINT', 'preparing', PREPARING],
	['SIGTERM', 'preparing', PREPARING],
	['SIGKILL', 'preparing', PREPARING],
	['SIGINT', 'servers start', STARTING],
	['SIGINT', 'measuring', MEASURING],
];

for (const [signal, name, stage] of CASES) {
	test(`${signal} while ${name}`, { skip: process.platform !== 'linux' && 'needs /proc' }, (t) =>
		interrupt(t, signal, stage),
	);
}

test('a second SIGINT exits at once, and leaves nothing behind either', async (t) => {
	const playground = makeRepository(t, { prepare: 'trap "" TERM; while :; do sleep 0.1; done' });
	const running = playground.start(COMPARE);
	await running.says(/while :/);
	running.process.kill('SIGINT');
	await running.says(/again: leave at once/);
	running.process.kill('SIGINT');
	assertExit(await running.ended, 130);
	await assertNothingLeft(playground);
});
