/** A disk without room for the outputs: no half-written file, and the measurement is still reported. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
	assertExit,
	behavingServer,
	behavingSides,
	configOf,
	makePlayground,
	type Playground,
	WAITING,
} from '../../support/cli.ts';

const FULL = 'the file cannot be written: the disk is full; nothing was left half-written';

/** Returns a playground with a full file system at `full` that holds an earlier `raw.json`; null when none can be mounted. */
function makeFull(t: TestContext): Playground | null {
	const playground = makePlayground(t, {
		...behavingSides({ api: '', wrong: 'wrong-body' }),
		'benchgate.yml': configOf([behavingServer('api', WAITING), behavingServer('wrong')]),
	});
	const disk = join(playground.folder, 'full');
	mkdirSync(disk);
	if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0) return null;
	playground.write({ 'full/raw.json': 'earlier' });
	const { bavail, bsize } = statfsSync(disk);
	writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize));
	return playground;
}

/** Must come before the folder is removed. */
function unmount(playground: Playground): void {
	spawnSync('umount', [join(playground.folder, 'full')]);
}

test('a full disk costs only the files on it', async (t) => {
	const playground = makeFull(t);
	if (playground === null) return t.skip('mounting is not permitted here');
	try {
		const flags =
			'--base dir:base --head dir:head --budget 1s --raw full/raw.json --html full/report.html --json result.json';
		const run = await playground.run(['compare', ...flags.split(' ')]);
		assertExit(run, 2);
		assert.match(run.stdout, /^FAIL {2}/);
		const lines = run.stderr.split('\n');
		assert.ok(lines.includes(`${FULL} (the run goes on, and tries again after the next round)`), run.stderr);
		assert.ok(lines.includes(`benchgate: --html full/report.html: ${FULL}`), run.stderr);
		assert.ok(lines.includes(`--raw full/raw.json: ${FULL}`), run.stderr);
		assert.equal(
			lines.at(-2),
			'To fix it: free some space, or write to another disk; `benchgate judge` can render the reports again from --raw',
		);
		assert.equal(JSON.parse(playground.read('result.json')).cells.length, 2);
		assert.deepEqual(readdirSync(join(playground.folder, 'full')).sort(), ['ballast', 'raw.json']);
		assert.equal(playground.read('full/raw.json'), 'earlier');
	} finally {
		unmount(playground);
	}
});
