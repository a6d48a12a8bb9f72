import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LATE, within } from '../../src/process/deadline.ts';

test('what comes in time is returned, what does not is late, what fails fails', async () => {
	assert.equal(await within(60_000, Promise.resolve(7)), 7);
	assert.equal(await within(1, new Promise(() => {})), LATE);
	await assert.rejects(within(60_000, Promise.reject(new Error('no'))), /no/);
});
