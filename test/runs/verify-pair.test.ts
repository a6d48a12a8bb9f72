import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIsolation } from '../../src/isolation/open-isolation.ts';
import { verifyPair } from '../../src/runs/verify-pair.ts';
import { UserError } from '../../src/types/errors.ts';
import type { Janitor } from '../../src/types/run-services.ts';
import { configOf } from '../prepare/support.ts';
import { createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO, prepareFixture } from '../support/short-rounds.ts';

test('a pair that fails verification leaves no generator behind: the caller may continue with another pair', async () => {
	await using scope = await createBench();
	const { folder, controller } = scope;
	const held = new Set<number>();
	let seen = 0;
	const janitor: Janitor = {
		...scope.janitor,
		guardGroup(pid) {
			const release = scope.janitor.guardGroup(pid);
			held.add(pid);
			seen++;
			return () => {
				held.delete(pid);
				release();
			};
		},
	};
	await using isolation = await openIsolation({ wish: 'none', folder, needed: [], node: process.execPath, janitor });
	const request = {
		...{
			config: { ...configOf(['express']), scenarios: [FIXTURE_SCENARIO] },
			revisions: { base: 'base', head: 'head' },
		},
		...{ cwd: folder, cacheFolder: folder, node: process.execPath, janitor, isolation, signal: controller.signal },
		progress: { step() {}, status() {} },
	};
	const checkBase = async () => {
		throw new UserError({ code: 'workspace-changed', message: 'head has written into the folder of base' });
	};
	const prepared = { ...prepareFixture({ base: '', head: '' }), checkBase };
	await assert.rejects(verifyPair(request, prepared), { code: 'workspace-changed' });
	assert.ok(seen > 0, 'a generator was started');
	assert.deepEqual([...held], []);
});
