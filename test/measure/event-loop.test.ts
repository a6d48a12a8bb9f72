import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setImmediate as nextPass } from 'node:timers/promises';
import { watchEventLoop } from '../../src/measure/generator/event-loop.ts';

const MODULE = new URL('../../src/measure/generator/event-loop.ts', import.meta.url).href;
const PASSES = 2_000;

test('awake, a pass with an answer is busy, one without is idle', async () => {
	let answers = 0;
	const loop = watchEventLoop(true, () => answers);
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
	assert.ok(idle >= 0 && idle < 0.1, `idle: ${idle}`);
	assert.ok(busy > 0.9 && busy <= 1, `busy: ${busy}`);
	assert.ok(half > 0.1 && half < 0.9, `half: ${half}`);
});

/** Passes of the loop in 200 ms, as seen by a check that does not keep the loop from sleeping, and the utilisation told. */
function countPasses(awake: boolean): { passes: number; utilisation: number } {
	const program = `
		import { watchEventLoop } from ${JSON.stringify(MODULE)};
		let passes = 0;
		const loop = watchEventLoop(${awake}, () => { passes++; return 0; });
		const read = loop.startUtilisation();
		setTimeout(() => { console.log(JSON.stringify({ passes, utilisation: read() })); loop.release(); }, 200);
	`;
	return JSON.parse(
		execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', program], { encoding: 'utf8' }),
	);
}

test('only an awake loop goes round while nothing happens, and released it lets the process end', () => {
	const awake = countPasses(true);
	const asleep = countPasses(false);
	assert.ok(awake.passes > 100, `${awake.passes} passes`);
	assert.equal(asleep.passes, 0);
	assert.ok(awake.utilisation < 0.5, `awake: ${awake.utilisation}`);
	assert.ok(asleep.utilisation < 0.5, `asleep: ${asleep.utilisation}`);
});
