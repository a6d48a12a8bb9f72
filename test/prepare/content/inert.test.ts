import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countingFiles } from '../../../src/prepare/content/compare-content.ts';
import { isDocument, isInert } from '../../../src/prepare/content/inert.ts';

test('documents by the names everybody uses, and nothing that could be a program', () => {
	for (const path of [
		...[
			'README.md',
			'readme.markdown',
			'packages/core/README.md',
			'LICENSE',
			'LICENCE.txt',
			'CHANGELOG.md',
			'History.md',
		],
		...['CODE_OF_CONDUCT.md', 'README-zh.md', 'docs/guide.md', 'docs/images/a.png', 'doc/api/index.rst'],
	]) {
		assert.ok(isDocument(path), path);
	}
	for (const path of [
		...[
			'lib/history.js',
			'security.ts',
			'support',
			'license',
			'content/post.md',
			'views/readme.html',
			'docs/server.js',
		],
		...[
			'packages/docs/guide.md',
			'index.js',
			'README.js',
			'README.md.js',
			'notice/index.txt',
			'docs.md',
			'package.json',
		],
	]) {
		assert.ok(!isDocument(path), path);
	}
	assert.ok(isInert('.github/workflows/ci.yml') && isInert('benchgate.yml') && isInert('ci/benchgate.yaml'));
	assert.ok(!isInert('src/.github/x') && !isInert('benchgate.yml.js') && !isInert('package-lock.json'));
});

test('files count inside of the folders that run, and directly in those above', () => {
	const counts = countingFiles(['packages/core', './apps/bench/']);
	for (const path of [
		'packages/core/lib/a.js',
		'apps/bench/server.js',
		'apps/package.json',
		'package-lock.json',
		'.npmrc',
	]) {
		assert.ok(counts(path), path);
	}
	for (const path of ['packages/other/a.js', 'packages/core2/a.js', 'website/index.js', 'README.md', '.github/x.yml']) {
		assert.ok(!counts(path), path);
	}
	for (const folder of ['.', './', '../outside', 'a/..']) {
		const all = countingFiles(['packages/core', folder]);
		assert.ok(all('website/index.js'), folder);
		assert.ok(!all('.github/dependabot.yml'), folder);
	}
});
