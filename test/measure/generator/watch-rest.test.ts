/** Real processes after a load, until they rest. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { QUIET_SECONDS, watchRest } from '../../../src/measure/generator/watch-rest.ts';
import type { SideSource } from '../../../src/process/side-times.ts';

/** A process that starts after a delay (ms) and then uses CPU time (ms). */
const WORKER = `
	process.stdout.write('ready');
	process.stdin.once('data', (text) => {
		const [after, work] = String(text).split(' ').map(Number);
		setTimeout(() => {
			const until = process.cpuUsage().user + work * 1e3;
			while (process.cpuUsage().user < until);
		}, after);
	});
`;

async function withPair(run: (sources: { base: SideSource; head: SideSource }, head: ChildProcess) => Promise<void>) {
	const start = () => spawn(process.execPath, ['-e', WORKER], { stdio: ['pipe', 'pipe', 'inherit'] });
	const [base, head] = [start(), start()];
	try {
		await Promise.all([base, head].map((child) => once(child.stdout, 'data')));
		const sourceOf = ({ pid }: ChildProcess) => ({ tree: [pid ?? 0] });
		await run({ base: sourceOf(base), head: sourceOf(head) }, head);
	} finally {
		for (const child of [base, head]) child.kill('SIGKILL');
	}
}

const { signal } = new AbortController();

test('work that starts some time after the load is waited for and counted', async () => {
	await withPair(async (sources, head) => {
		head.stdin?.write('100 200');
		const { base, head: worked } = await watchRest(() => sources, QUIET_SECONDS, signal);
		assert.ok((worked?.cpuSeconds ?? 0) > 0.15, `${worked?.cpuSeconds} s`);
		assert.ok((base?.cpuSeconds ?? 1) < 0.1, `${base?.cpuSeconds} s`);
	});
});

test('a side that does not come to rest is waited for two seconds, and reported as still at work', async () => {
	await withPair(async (sources, head) => {
		head.stdin?.write('0 600000');
		const { base, head: worked } = await watchRest(() => sources, QUIET_SECONDS, signal);
		assert.ok((worked?.unfinished ?? 0) > 0.02);
		assert.equal(base?.unfinished, 0);
	});
});

test('a side with ended processes has no figure', async () => {
	const { base } = await watchRest(
		() => ({ base: { tree: [2 ** 22 + 1] }, head: { tree: [] } }),
		QUIET_SECONDS,
		signal,
	);
	assert.equal(base, null);
});
