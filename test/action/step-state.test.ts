import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remember } from '../../src/action/action-session.ts';

test('a full disk ends a step before it announces something, and not after', {
	skip: process.platform !== 'linux',
}, (t) => {
	const { GITHUB_STATE } = process.env;
	t.after(() => {
		if (GITHUB_STATE === undefined) delete process.env.GITHUB_STATE;
		else process.env.GITHUB_STATE = GITHUB_STATE;
	});
	process.env.GITHUB_STATE = '/dev/full';
	assert.throws(() => remember('headSha', 'a'.repeat(40)), { code: 'ENOSPC' });
	assert.throws(() => remember('comment', '1'), { code: 'ENOSPC' });
	remember('check', '1');
	remember('concluded', 'true');
});
