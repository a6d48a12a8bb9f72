/** Unfavourable machines. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Result } from '../../../src/types/result.ts';
import {
	assertExit,
	behavingServer,
	behavingSides,
	configOf,
	makePlayground,
	type Playground,
	type RunOptions,
	WAITING,
} from '../../support/cli.ts';

/** One round, then the end. */
const COMPARE = 'compare --base dir:base --head dir:head --budget 1s --warmup 200ms --seed 1 --json result.json'.split(
	' ',
);

function makeOne(t: TestContext): Playground {
	return makePlayground(t, {
		...behavingSides({ api: '' }),
		'benchgate.yml': configOf([behavingServer('api', WAITING)]),
	});
}

async function measure(playground: Playground, options: RunOptions): Promise<Result> {
	const run = await playground.run(COMPARE, options);
	assertExit(run, 0);
	const result = JSON.parse(playground.read('result.json')) as Result;
	assert.equal(result.cells[0]?.verdict, 'inconclusive');
	assert.equal(result.cells[0]?.rounds, 1);
	assert.ok(run.stdout.replace(/\s+/g, ' ').includes(`Pinning: ${result.environment.pinning}`));
	return result;
}

test('with a single CPU it works, and explains the consequence', { skip: process.platform !== 'linux' }, async (t) => {
	const result = await measure(makeOne(t), { through: ['taskset', '-c', '0'] });
	assert.equal(
		result.environment.pinning,
		'not pinned: only one CPU is allowed to this process; expect more noise and more rounds',
	);
});

test('without taskset it works, and names the package to install', {
	skip: process.platform !== 'linux',
}, async (t) => {
	const playground = makeOne(t);
	const bin = join(playground.root, 'bin');
	mkdirSync(bin);
	for (const name of ['sh', 'git', 'cat']) {
		symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name));
	}
	symlinkSync(process.execPath, join(bin, 'node'));
	const result = await measure(playground, { env: { PATH: bin } });
	assert.equal(
		result.environment.pinning,
		'not pinned: the command taskset is not installed (Debian and Ubuntu: package util-linux); expect more noise and more rounds',
	);
});
