import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wantsComment } from '../../../src/action/publish/comment-context.ts';
import { PUBLICATIONS } from '../../formats/publication-cases.ts';

/** Cases in which `on-change` comments on a pull request without a comment. */
const TELLING = [
	'one-regressed',
	'several',
	'improved',
	'invalid',
	'base-broken',
	'base-broken-once',
	'both-broken',
	'needs-rebase',
	'answers-differ',
	'gone-in-head',
	'everything-wrong',
	'base-never-starts',
	'new-and-removed',
	'nothing-measured',
	'generator-bound',
	'five-metrics',
	'two-hundred',
	'rough-figures',
];

for (const [name, { conclusion }] of PUBLICATIONS) {
	const telling = [...TELLING, 'hostile', 'failed'].includes(name);
	const cancelled = name === 'cancelled';

	test(`${name}: an existing comment is updated, a new one is written ${telling ? 'on change' : 'when always'}`, () => {
		assert.equal(wantsComment('always', conclusion, true), true);
		assert.equal(wantsComment('on-change', conclusion, true), true);
		assert.equal(wantsComment('always', conclusion, false), !cancelled);
		assert.equal(wantsComment('on-change', conclusion, false), telling);
		assert.equal(wantsComment('never', conclusion, true), false);
		assert.equal(wantsComment('never', conclusion, false), false);
	});
}
