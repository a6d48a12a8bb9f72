/** The largest error of a duet of servers that wait: the allowance of docs/statistics.md 6.8 exceeds it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsOf, WAITS } from './waiting-cases.ts';

/** Remaining difference (log units) between random times in a duet and alone. */
const CHANCE = 0.015;

for (const waits of WAITS.slice(0, 3)) {
	const [base, head, service, connections] = waits;
	test(`${base} ms against ${head} ms, ${service} ms of CPU, ${connections} connections: a duet is wrong by less than the bound`, () => {
		for (const { error, bound, idle } of errorsOf(waits, 'sharing'))
			assert.ok(Math.abs(error) <= bound + CHANCE, `${error}, bound ${bound}, idle ${idle}`);
	});
}
