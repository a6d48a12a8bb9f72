import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { explainProfile } from '../../../src/explain/explain-profile.ts';
import { createIdentify } from '../../../src/explain/profile-identity.ts';
import { openBench } from '../../../src/measure/bench.ts';
import type { MeasuredProfiles } from '../../../src/measure/probe/profile-round.ts';
import { readInstalledTree } from '../../../src/prepare/installed-tree.ts';
import { PROFILE_MODES } from '../../../src/types/explain/cpu-profile.ts';
import type { Side } from '../../../src/types/units.ts';
import { createBench } from '../../support/servers/servers.ts';
import { FIXTURE_SCENARIO, shortTiming } from '../../support/short-rounds.ts';
import { LIBRARY, serverIn } from './cover-fixture.ts';

/** V8 compiles the loop in its first call, before any window. */
const SLOW = LIBRARY.replace(
	'return 2;',
	'let x = 1; for (let i = 0; i < 200_000; i++) x = (x * 31 + i) | 0; return x;',
);

test('a slow library is named, not the handler that calls it', async () => {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const rootOf = (side: Side) => join(folder, side);
	const sideOf = (side: Side) => {
		mkdirSync(rootOf(side));
		const server = serverIn(rootOf(side), '', side === 'base' ? LIBRARY : SLOW);
		const info = { revision: side, kind: 'dir' as const, label: side, versions: {} };
		return { side, info, servers: { express: server } };
	};
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	try {
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios: [FIXTURE_SCENARIO] },
			prepared: { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 },
			timing: shortTiming(),
		});
		const cell = { id: 'express/ping', server: 'express', scenario: 'ping', threshold: 0.05, tolerance: 0.025 };
		const [base, head] = await Promise.all([readInstalledTree(rootOf('base')), readInstalledTree(rootOf('head'))]);
		const identify = createIdentify({
			base: { root: `${rootOf('base')}/`, tree: base },
			head: { root: `${rootOf('head')}/`, tree: head },
		});
		const rounds: MeasuredProfiles[] = [];
		for (let at = 0; at < 6; at++) {
			const mode = PROFILE_MODES[at % 2] ?? 'flat';
			const outcome = await laboratory.profile(cell, { mode, first: 'head', windows: 2, windowSeconds: 0.2 });
			assert.ok(!('kind' in outcome), JSON.stringify(outcome));
			assert.deepEqual(outcome.gaps, []);
			rounds.push(outcome);
		}
		const explained = explainProfile(rounds, identify);
		assert.equal(explained?.cause.kind, 'located', JSON.stringify(explained));
		const [named] = explained.cause.functions;
		const { path, line, state } = explained.functions[named?.function ?? -1] ?? {};
		const found = { path, line, state, scope: named?.scope };
		const place = { path: 'node_modules/library/index.js', line: 3, state: 'changed' };
		assert.deepEqual(found, { ...place, scope: 'itself' });
	} finally {
		await bench.close();
	}
});
