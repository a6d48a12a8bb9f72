import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CHANGE_STATE_WORDS } from '../../src/text/change-states.ts';
import { rowsOf } from '../support/pages/markdown-page.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/baselines.md', import.meta.url)), 'utf8');

test('the table of states has the words of each, in the order of the code', () => {
	assert.deepEqual(
		rowsOf(PAGE, 'state').map(([state = '', words]) => [state.replaceAll('`', ''), words]),
		Object.entries(CHANGE_STATE_WORDS),
	);
});
