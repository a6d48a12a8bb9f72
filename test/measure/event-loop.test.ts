import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setImmediate as nextPass } from 'node:timers/promises';
import { watchEventLoop } from '../../src/measure/generator/event-loop.ts';

const MODULE = new URL('../../src/measure/generator/event-loop.ts', import.meta.url).href;
const PASSES = 2_000;

test('awake, a pass with an answer is busy, one without is idle', async () => {
	let answers = 0;
	let now = 0;
	// Every pass takes one tick, however busy the machine is.
	const loop = watchEventLoop(
		true,
		() => answers,
		() => ++now,
	);
	const utilisation = async (isBusy: (pass: number) => boolean) => {
		const read = loop.startUtilisation();
		for (let pass = 0; pass < PASSES; pass++) {
			await nextPass();
			if (isBusy(pass)) answers++;
		}
		return read();
	};
	const idle = await utilisation(() => false);
	const busy = await utilisation(() => true);
	const half = await utilisation((pass) => pass % 2 === 0);
	loop.release();
	assert.ok(idle >= 0 && idle < 0.01, `idle: ${idle}`);
	assert.ok(busy > 0.99 && busy <= 1, `busy: ${busy}`);
	assert.ok(Math.abs(half - 0.5) < 0.01, `half: ${half}`);
});

test('awake, a window excludes the part of a pass before its start', async () => {
	let answers = 0;
	let now = 0;
	const loop = watchEventLoop(
		true,
		() => answers,
		() => now,
	);
	/** Starts a window 90 into the current pass, ends that pass at 100, then has a pass of 10 with an answer in it. */
	const cutWindow = async (answersBefore: number, answersIn: number) => {
		await nextPass();
		answers += answersBefore;
		now += 90;
		const read = loop.startUtilisation();
		answers += answersIn;
		now += 10;
		await nextPass();
		answers++;
		now += 10;
		await nextPass();
		return read();
	};
	const idle = await cutWindow(0, 0);
	const answeredBefore = await cutWindow(1, 0);
	const answeredIn = await cutWindow(0, 1);
	loop.release();
	assert.equal(idle, 0.5);
	assert.equal(answeredBefore, 1);
	assert.equal(answeredIn, 1);
});

/** Passes of the loop in 200 ms, counted without keeping the loop from sleeping. */
function countPasses(awake: boolean): number {
	const program = `
		import { watchEventLoop } from ${JSON.stringify(MODULE)};
		let passes = 0;
		const loop = watchEventLoop(${awake}, () => { passes++; return 0; });
		setTimeout(() => { console.log(passes); loop.release(); }, 200);
	`;
	return Number(
		execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', program], { encoding: 'utf8' }),
	);
}

test('only an awake loop passes without events, and once released it lets the process end', () => {
	assert.ok(countPasses(true) > 100);
	assert.equal(countPasses(false), 0);
});
