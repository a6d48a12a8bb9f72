/** Places covered by a view stay covered, even if they are replaced while the view is used. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { keepView } from '../../src/isolation/keep-view.ts';
import { planView } from '../../src/isolation/plan-view.ts';
import { mendView } from '../../src/isolation/sides/mend-view.ts';
import { listMountPoints } from '../../src/isolation/view-script.ts';
import { isUserError } from '../../src/types/errors.ts';
import { asRoot } from '../support/ordinary-user.ts';

/** A view in which a file is masked and a folder looks empty, with its watcher. */
async function openView(t: TestContext) {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate mend\\-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const [file = '', by = '', hidden = ''] = ["a file's", 'by', 'hidden'].map((name) => join(folder, name));
	writeFileSync(file, 'secret');
	writeFileSync(by, 'masked');
	mkdirSync(hidden);
	writeFileSync(join(hidden, 'secret'), '');
	const view = planView({
		...{ hidden: [hidden], needed: [], closed: [], writable: [], temporary: folder, temporaryPlaces: [] },
		...{ memoryPlaces: [], masks: [{ path: file, by }], swaps: [], stages: ['/mnt', '/srv'], processes: 'of-user' },
	});
	assert.ok(view);
	const kept = await keepView(asRoot(['unshare', '--mount', '--propagation', 'private', '--']), view);
	t.after(() => kept.close());
	const run = (script: string) => {
		const enter = asRoot(['nsenter', '--target', String(kept.pid), '--mount', '--', '/bin/sh', '-c', script]);
		const { status, stdout, stderr } = spawnSync(enter[0] ?? '', enter.slice(1), { encoding: 'utf8' });
		return { succeeded: status === 0, lastLine: `${stdout}${stderr}`.trim() };
	};
	const read = () => run(`cat "${file}"`).lastLine;
	const replace = () => {
		writeFileSync(join(folder, 'new'), 'secret');
		renameSync(join(folder, 'new'), file);
	};
	return { view, kept, file, hidden, run, read, replace };
}

test('a file that is replaced while the view is used is covered again, and recorded', async (t) => {
	const { view, kept, file, run, read, replace } = await openView(t);
	const { mend, uncovered } = mendView(view, { keeper: kept.pid, run });
	mend();
	assert.deepEqual([read(), [...uncovered]], ['masked', []]);
	replace();
	assert.equal(read(), 'secret', 'the kernel took the mount off');
	mend();
	assert.deepEqual([read(), [...uncovered]], ['masked', [file]]);
	assert.match(run(`echo x >"${file}"`).lastLine, /[Rr]ead-only/);
	replace();
	mend();
	assert.deepEqual([read(), [...uncovered]], ['masked', [file]]);
});

test('it is covered again even if /proc hides the keeper of the view', async (t) => {
	const { view, file, hidden, run, read, replace } = await openView(t);
	// No process has this number, so its /proc entry is unreadable, as with hidepid.
	const { mend, uncovered } = mendView(view, { keeper: 0, run });
	mend();
	assert.deepEqual([read(), [...uncovered]], ['masked', []]);
	replace();
	mend();
	assert.deepEqual([read(), [...uncovered]], ['masked', [file]]);
	rmSync(hidden, { recursive: true });
	mkdirSync(hidden);
	assert.throws(mend, (error) => isUserError(error) && error.code === 'uncovered' && error.where === hidden);
});

test('a file that cannot be covered again ends the run, and a removed one does not', async (t) => {
	const { view, kept, file, run, replace } = await openView(t);
	let replacing = true;
	const { mend, uncovered } = mendView(view, {
		keeper: kept.pid,
		run: (script) => {
			const outcome = run(script);
			if (replacing) replace();
			return outcome;
		},
	});
	replace();
	assert.throws(mend, (error) => isUserError(error) && error.code === 'uncovered' && error.where === file);
	assert.deepEqual([...uncovered], [file]);
	rmSync(file);
	mend();
	replacing = false;
	writeFileSync(file, 'secret');
	mend();
	assert.equal(run(`cat "${file}"`).lastLine, 'masked');
});

test('a replaced folder is no longer empty to the sides, which ends the run', async (t) => {
	const { view, kept, hidden, run } = await openView(t);
	const { mend } = mendView(view, { keeper: kept.pid, run });
	rmSync(hidden, { recursive: true });
	mend();
	mkdirSync(hidden);
	assert.throws(mend, (error) => {
		assert.ok(isUserError(error), String(error));
		assert.deepEqual([error.code, error.where], ['uncovered', hidden]);
		assert.match(error.message, / any more: a folder cannot be covered again during a run$/);
		return true;
	});
});

test("mount points are read in the kernel's format", () => {
	const line = '36 35 98:0 /one /a\\040b\\134c rw,noatime master:1 - ext3 /dev/root rw';
	assert.deepEqual(
		[...listMountPoints(`${line}\n`)].filter((path) => path !== ''),
		['/a b\\c'],
	);
});
