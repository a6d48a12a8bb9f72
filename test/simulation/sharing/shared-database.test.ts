/**
 * When a duet of servers that share a database shows a change at its size alone, and when it cannot: docs/statistics.md
 * 6.11.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHARING, sharingOf } from './sharing-cases.ts';

/** Remaining difference (log units) between random times in a duet and alone. */
const CHANCE = 0.03;
/** Of a CPU: from here on a pass needs alternating windows. */
const HALF = 0.5;

for (const sharing of SHARING) {
	test(`a duet ${sharing.hidden ? 'hides' : 'shows at its size'}: ${sharing.what}`, () => {
		const { duet, alone, database } = sharingOf(sharing);
		if (sharing.hidden) {
			assert.ok(alone < -0.25, `alone ${alone}`);
			assert.ok(Math.abs(duet) < 2 * CHANCE, `duet ${duet}`);
			assert.ok(database > HALF, `database ${database}`);
			return;
		}
		assert.ok(Math.abs(duet - alone) < Math.max(0.1 * Math.abs(alone), CHANCE), `duet ${duet}, alone ${alone}`);
	});
}
