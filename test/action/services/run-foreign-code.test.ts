/** No process of the code under test survives, so none writes to the runner's files after they are restored. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runForeignCode } from '../../../src/action/services/foreign-code.ts';
import { startJanitor } from '../../../src/process/janitor.ts';
import { findMarked } from '../../../src/process/processes.ts';
import type { Janitor } from '../../../src/types/run-services.ts';
import type { Warning } from '../../../src/types/units.ts';

const skip = process.platform !== 'linux' && 'needs /proc';
const BEFORE = 'FROM=before\n';
/** Opens the file anew for every line, in case it is replaced. */
const WRITER = 'while :; do echo "NODE_OPTIONS=--require=/tmp/evil.js" >> "$0"; done 2> /dev/null';

/** Returns the file in GITHUB_ENV for the length of the test. */
function makeFile(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-foreign-'));
	const { GITHUB_ENV } = process.env;
	const file = join(folder, 'set_env');
	writeFileSync(file, BEFORE);
	process.env.GITHUB_ENV = file;
	t.after(() => {
		if (GITHUB_ENV === undefined) delete process.env.GITHUB_ENV;
		else process.env.GITHUB_ENV = GITHUB_ENV;
		rmSync(folder, { recursive: true });
	});
	return file;
}

/** Leaves a process in its own session, which writes to the file until it ends. */
async function leaveWriter({ marker }: Janitor, file: string): Promise<string> {
	const env = { PATH: process.env.PATH ?? '', [marker.name]: marker.value };
	spawn('/bin/sh', ['-c', WRITER, file], { detached: true, stdio: 'ignore', env }).unref();
	for (let attempt = 0; statSync(file).size === BEFORE.length; attempt++) {
		assert.ok(attempt < 2_400, 'it never wrote');
		await delay(25);
	}
	return 'measured';
}

interface Run {
	readonly session: Parameters<typeof runForeignCode>[0];
	readonly file: string;
	readonly leave: () => Promise<string>;
	readonly marked: () => number[];
}

async function startRun(t: TestContext): Promise<Run> {
	const janitor = await startJanitor();
	t.after(() => janitor.close());
	const file = makeFile(t);
	const warnings: Warning[] = [];
	const session = {
		warnings,
		// Read when the ending begins: if the file had been restored before, the writer might not have written its next
		// line yet.
		get janitor() {
			assert.notEqual(readFileSync(file, 'utf8'), BEFORE, 'put back while somebody could still write to it');
			return janitor;
		},
	};
	const marked = () => findMarked(`${janitor.marker.name}=${janitor.marker.value}`);
	return { session, file, leave: () => leaveWriter(janitor, file), marked };
}

/** No process survives, the file is restored, and the warning says only that it was touched. */
function assertEnded({ session, file, marked }: Run): void {
	assert.deepEqual(marked(), []);
	assert.equal(readFileSync(file, 'utf8'), BEFORE);
	const [warning, ...others] = session.warnings;
	assert.deepEqual([warning?.code, others], ['runner-files-touched', []]);
	assert.match(warning?.message ?? '', /\(GITHUB_ENV\)/);
}

test('a process left behind ends before the files are restored, and its additions are reported', {
	skip,
}, async (t) => {
	const run = await startRun(t);
	const ended = await runForeignCode(run.session, async () => {
		const value = await run.leave();
		assert.equal(run.marked().length, 1);
		return value;
	});
	assertEnded(run);
	assert.deepEqual(ended, { value: 'measured', rewritten: null });
});

test('the same if the work fails, with the original error', { skip }, async (t) => {
	const run = await startRun(t);
	const work = async () => {
		await run.leave();
		throw new Error('it broke');
	};
	await assert.rejects(runForeignCode(run.session, work), /it broke/);
	assertEnded(run);
});
