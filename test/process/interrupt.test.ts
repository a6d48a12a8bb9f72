import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MODULE = new URL('../../src/process/interrupt.ts', import.meta.url).href;

/** A run that ends as soon as it is interrupted, and then cleans up for very long. */
const PROGRAM = `
import { setTimeout as delay } from 'node:timers/promises';
import { withInterrupt } from '${MODULE}';
const say = (text) => process.stdout.write(text + '\\n');
const progress = { step: say, status: say };
await withInterrupt(progress, async (signal) => {
	say('working');
	await delay(60_000, undefined, { signal }).catch(() => {});
});
say('cleaning up');
await delay(60_000);
`;

test('a second Ctrl-C during the clean-up exits at once, with the exit code of an interrupt', async () => {
	const root = fileURLToPath(new URL('../..', import.meta.url));
	const host = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd: root });
	const ended = once(host, 'exit');
	for await (const line of createInterface({ input: host.stdout })) {
		if (line === 'working' || line === 'cleaning up') host.kill('SIGINT');
	}
	assert.deepEqual(await ended, [130, null]);
});
