import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extraDuets, measuredDigest } from '../../src/plan/baseline-duets.ts';
import { anchorOf, commitOf, levelOfCommit } from '../support/baselines/baselines.ts';

const [V0, V5] = [anchorOf(0), anchorOf(5)];
const HEAD = commitOf(9);
const ERA = [levelOfCommit(1, V0), levelOfCommit(4, V0)];
const LINK = levelOfCommit(5, V0, 0, { purpose: 'link' });
const CLOSURE = levelOfCommit(9, V0, 0, { purpose: 'closure' });
const purposes = (earlier: Parameters<typeof extraDuets>[2], head = HEAD, anchor = V5) =>
	extraDuets(anchor, head, earlier).map(({ purpose }) => purpose);

test('an era begins with the link from the anchor before, and with head against that one', () => {
	assert.deepEqual(extraDuets(V5, HEAD, ERA), [
		{ purpose: 'link', commit: 'anchor', against: V0 },
		{ purpose: 'closure', commit: 'head', against: V0 },
	]);
});

test('within an era, and in the first one, no more duets are needed', () => {
	assert.deepEqual(purposes(ERA, HEAD, V0), []);
	assert.deepEqual(purposes([]), []);
});

test('a finished duet is not measured again; one that an interrupted run left out is', () => {
	const begun = [...ERA, levelOfCommit(8, V5)];
	assert.deepEqual(purposes([...begun, LINK, CLOSURE]), []);
	assert.deepEqual(purposes([...begun, LINK]), ['closure']);
	assert.deepEqual(purposes([...begun, { ...LINK, ended: 'interrupted' }, CLOSURE]), ['link']);
});

test('a duet that fails is given up after three runs', () => {
	const runs = (count: number) => [...ERA, ...[6, 7, 8].slice(0, count).map((n) => levelOfCommit(n, V5))];
	assert.deepEqual(purposes(runs(2)), ['link', 'closure']);
	assert.deepEqual(purposes(runs(3)), []);
});

test('a head that is the new anchor needs no closure: the link is the closure', () => {
	assert.deepEqual(purposes(ERA, commitOf(5)), ['link']);
});

test('the link leads from the latest other anchor', () => {
	const third = anchorOf(8);
	const earlier = [...ERA, levelOfCommit(6, V5), LINK, CLOSURE];
	assert.deepEqual(extraDuets(third, HEAD, earlier)[0]?.against, V5);
});

test('code measured against this anchor is known, unless the run was cut off or gave no figures', () => {
	assert.equal(measuredDigest(V0, ERA), 'digest-4');
	assert.equal(measuredDigest(V5, ERA), null);
	assert.equal(measuredDigest(V0, [...ERA, levelOfCommit(7, V0, 0, { ended: 'interrupted' })]), null);
	assert.equal(measuredDigest(V0, [...ERA, levelOfCommit(7, V0, [])]), 'digest-4');
});
