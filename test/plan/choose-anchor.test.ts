import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnchorFacts, chooseAnchors } from '../../src/plan/choose-anchor.ts';
import { anchorOf, commitOf, levelOfCommit } from '../support/baselines/baselines.ts';

const [V0, V5] = [anchorOf(0), anchorOf(5)];
const FACTS: AnchorFacts = { given: null, release: V0, head: commitOf(9), earlier: [] };
const labelsOf = (facts: AnchorFacts) => chooseAnchors(facts).map(({ anchor }) => [anchor.label, anchor.kind]);

test('the latest release is the anchor, and the head itself if the release no longer builds', () => {
	assert.deepEqual(labelsOf(FACTS), [
		['v1.0.0', 'release'],
		[commitOf(9).label, 'commit'],
	]);
});

test('with a history the commit measured last comes before the head', () => {
	const earlier = [levelOfCommit(1, V0), levelOfCommit(2, V0)];
	assert.deepEqual(labelsOf({ ...FACTS, earlier }), [
		['v1.0.0', 'release'],
		[commitOf(2).label, 'commit'],
		[commitOf(9).label, 'commit'],
	]);
});

test('an anchor that the user named has no substitute', () => {
	assert.deepEqual(labelsOf({ ...FACTS, given: anchorOf(3, 'given') }), [[commitOf(3).label, 'given']]);
});

test('a new release takes the place of the one before', () => {
	const earlier = [levelOfCommit(6, V0)];
	assert.equal(chooseAnchors({ ...FACTS, release: V5, earlier })[0].anchor, V5);
});

test('without a release the first measured commit stays the anchor', () => {
	const [first] = chooseAnchors({ ...FACTS, release: null });
	assert.deepEqual(first.anchor, { sha: commitOf(9).sha, label: commitOf(9).label, kind: 'first' });
	assert.match(first.note ?? '', /no release and no baseline yet/);
	const earlier = [levelOfCommit(9, first.anchor)];
	const [second] = chooseAnchors({ ...FACTS, release: null, head: commitOf(10), earlier });
	assert.deepEqual([second.anchor, second.note], [first.anchor, null]);
});

test('a failed look-up of a release does not end the era', () => {
	const earlier = [levelOfCommit(6, V5)];
	assert.equal(chooseAnchors({ ...FACTS, release: null, earlier })[0].anchor, V5);
});

test('a branch far from its anchor in three runs gets a nearer one, with a note', () => {
	for (const far of [-0.2, 0.2]) {
		const earlier = [levelOfCommit(1, V0), ...[2, 3, 4].map((n) => levelOfCommit(n, V0, far))];
		const [{ anchor, warnings }] = chooseAnchors({ ...FACTS, earlier });
		assert.deepEqual(anchor, { sha: commitOf(4).sha, label: commitOf(4).label, kind: 'commit' });
		assert.deepEqual(
			warnings.map(({ code }) => code),
			['anchor-moved'],
		);
	}
});

test('one far run, or three with a near one among them, move no anchor', () => {
	const levels = [-0.2, 0, -0.2, -0.2].map((theta, n) => levelOfCommit(n, V0, theta));
	assert.equal(chooseAnchors({ ...FACTS, earlier: levels })[0].anchor, V0);
	assert.equal(chooseAnchors({ ...FACTS, earlier: levels.slice(0, 1) })[0].anchor, V0);
});

test('the commit that replaced a release stays the anchor until a newer release', () => {
	const moved = anchorOf(4, 'commit');
	const earlier = [...[2, 3, 4].map((n) => levelOfCommit(n, V0, -0.2)), levelOfCommit(5, moved)];
	assert.deepEqual(chooseAnchors({ ...FACTS, earlier })[0].anchor, moved);
	assert.equal(chooseAnchors({ ...FACTS, release: V5, earlier })[0].anchor, V5);
});

test('records without figures, and links, are no history', () => {
	const earlier = [levelOfCommit(1, V5, 0, { purpose: 'link' }), levelOfCommit(2, V5, [])];
	assert.deepEqual(labelsOf({ ...FACTS, earlier })[0], ['v1.0.0', 'release']);
	assert.equal(chooseAnchors({ ...FACTS, earlier }).length, 2);
});
