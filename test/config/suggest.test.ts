import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from '../../src/config/suggest.ts';

test('of many choices only the first are named, with the command that lists them', () => {
	const choices = Array.from({ length: 60 }, (_, index) => `scenario-${index}`);
	assert.equal(didYouMean('x', choices.slice(0, 3)), '; one of scenario-0, scenario-1, scenario-2');
	assert.equal(
		didYouMean('x', choices),
		'; one of scenario-0, scenario-1, scenario-2, scenario-3 and 56 more (benchgate list)',
	);
	assert.match(didYouMean('x', choices, 'its columns:'), /^; its columns: scenario-0, .* and 56 more$/);
	assert.equal(didYouMean('scenario-77', ['scenario-7']), '; did you mean "scenario-7"?');
});
