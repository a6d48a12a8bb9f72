import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tryAsSide } from '../../src/isolation/try-as-side.ts';
import { SAME_USER } from '../../src/process/users/same-user.ts';
import type { Janitor } from '../../src/types/run-services.ts';

/** A side with its own home and temporary files in `folder`. */
function makeSide(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-try-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const [home, temporary] = [join(folder, 'home'), join(folder, 'temporary')];
	for (const path of [home, temporary]) mkdirSync(path);
	const side = {
		...SAME_USER,
		environment: (inherited: Readonly<Record<string, string>>) => ({ ...inherited, HOME: home, TMPDIR: temporary }),
	};
	return { side, home, options: { wish: 'users', folder, needed: [], janitor: {} as Janitor } as const };
}

test('a side with all abilities of builds and servers passes, and another one learns which it lacks', async (t) => {
	const { side, home, options } = makeSide(t);
	await tryAsSide(side, options, null);
	await assert.rejects(tryAsSide(side, { ...options, needed: ['/nowhere'] }, null), /cannot read \/nowhere/);
	rmSync(home, { recursive: true });
	await assert.rejects(tryAsSide(side, options, 'no mounts'), /and no view of its own can be made \(no mounts\)/);
});

test('the wait for a first command that does not end has a limit', async (t) => {
	const { side, home, options } = makeSide(t);
	// It has no reader, so a writer would wait.
	const pipe = join(home, 'trial');
	execFileSync('mkfifo', [pipe]);
	try {
		await assert.rejects(tryAsSide(side, options, null, 300), /^Error: a first command had not ended after 0\.3 s$/);
	} finally {
		closeSync(openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK));
	}
});
