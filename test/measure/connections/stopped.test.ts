/** A head that stops or kills processes of the run while it is measured: never green, whoever it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINUX, measure } from './foreign-connections.ts';

for (const [behaviour, what] of [
	['harm-rival', 'the base server'],
	['harm-generator', 'the load generator'],
	['harm-watcher', 'the process that watches connections'],
] as const) {
	test(`${what} does not stop unseen (${behaviour})`, LINUX, async () => {
		const { cell } = await measure({ base: '', head: behaviour });
		const stops = cell.faults.filter(({ code }) => code === 'stopped');
		assert.ok(
			stops.some(({ side, message }) => side === null && message.includes(`something stopped ${what} `)),
			JSON.stringify(cell.faults),
		);
	});
}
