import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestRelease, readTags } from '../../../src/prepare/revision/release-tags.ts';

const newest = (tags: readonly string[], name?: string) =>
	newestRelease(
		tags.map((tag) => ({ tag, sha: tag })),
		name,
	)?.tag;

test('the newest release is the highest version, however tags are sorted', () => {
	assert.equal(newest(['v1.9.0', 'v1.10.0', 'v1.2.0']), 'v1.10.0');
	assert.equal(newest(['1.0.0', '2.0.0', 'v1.5.0']), '2.0.0');
	assert.equal(newest([]), undefined);
	assert.equal(newest(['nightly', 'v1', 'v1.2', '1.2.3.4', 'release-1.2.3', 'v1.2.x']), undefined);
});

test('prereleases count if there is no release, by the precedence of Semantic Versioning', () => {
	assert.equal(newest(['v2.0.0-rc.1', 'v1.0.0']), 'v1.0.0');
	// The order of section 11, oldest first.
	const order = ['alpha', 'alpha.1', 'alpha.beta', 'beta', 'beta.2', 'beta.11', 'rc.1'].map((part) => `1.0.0-${part}`);
	for (const [at, tag] of order.entries()) assert.equal(newest(order.slice(0, at + 1).reverse()), tag);
});

test("tags of the package itself come before others, and other packages' do not count", () => {
	const tags = ['v9.0.0', '@acme/api@1.2.0', '@acme/api@1.10.0', '@acme/web@5.0.0'];
	assert.equal(newest(tags, '@acme/api'), '@acme/api@1.10.0');
	assert.equal(newest(tags, '@acme/other'), 'v9.0.0');
	assert.equal(newest(tags), 'v9.0.0');
});

test('an annotated tag stands for its commit', () => {
	assert.deepEqual(readTags('v1.0.0 aaa bbb\nv1.1.0 ccc \n'), [
		{ tag: 'v1.0.0', sha: 'bbb' },
		{ tag: 'v1.1.0', sha: 'ccc' },
	]);
	assert.deepEqual(readTags(''), []);
});
