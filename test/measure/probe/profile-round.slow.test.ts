import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createIdentify } from '../../../src/explain/profile-identity.ts';
import { countHits } from '../../../src/explain/read-profiles.ts';
import { openBench } from '../../../src/measure/bench.ts';
import { readInstalledTree } from '../../../src/prepare/installed-tree.ts';
import type { Side } from '../../../src/types/units.ts';
import { createBench } from '../../support/servers/servers.ts';
import { FIXTURE_SCENARIO, shortTiming } from '../../support/short-rounds.ts';
import { LIBRARY, serverIn } from './cover-fixture.ts';

/** V8 compiles the loop in its first call, before any window. */
const SLOW = LIBRARY.replace(
	'return 2;',
	'let x = 1; for (let i = 0; i < 200_000; i++) x = (x * 31 + i) | 0; return x;',
);

test('samples of a slow library count for it, not for the handler that calls it', async () => {
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
		const order = { mode: 'flat', first: 'head', windows: 2, windowSeconds: 0.5 } as const;
		const outcome = await laboratory.profile(cell, order);
		assert.ok(!('kind' in outcome), JSON.stringify(outcome));
		const { sides, gaps } = outcome;
		assert.deepEqual(gaps, []);
		assert.ok(sides.head.cost > sides.base.cost, JSON.stringify(sides));
		const { self, functions, total } = countHits(sides.head.profiles, 'head', identify);
		const [most = ['', 0]] = [...self].toSorted(([, one], [, other]) => other - one);
		const { path, line, state } = functions.get(most[0]) ?? {};
		const expected = { path: 'node_modules/library/index.js', line: 3, state: 'changed' };
		assert.deepEqual({ path, line, state }, expected, JSON.stringify([...self]));
		assert.ok(most[1] > total / 2, `${most[1]} of ${total}`);
	} finally {
		await bench.close();
	}
});
