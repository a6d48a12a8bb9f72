import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDocument, isInert } from '../../../src/prepare/content/inert.ts';

test('documents by their usual names are inert, and possible programs are not', () => {
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
		...['requirements.txt', 'security-requirements.txt', 'support_constraints.txt', 'docs/requirements-dev.txt'],
	]) {
		assert.ok(!isInert(path, []), path);
		assert.ok(!isDocument(path), path);
	}
});

test('only documents, files that GitHub reads, and the config of a checkout are inert', () => {
	const folders = ['packages/core', './apps/bench/'];
	for (const path of [
		...['README.md', 'packages/core/README.md', 'apps/bench/CHANGELOG.md', 'LICENSE', 'notice.txt', 'docs/notes.txt'],
		...['.github/workflows/ci.yml', '.github/CODEOWNERS', '.github/ISSUE_TEMPLATE/bug.md', 'benchgate.yml'],
	]) {
		assert.ok(isInert(path, folders), path);
	}
	for (const path of [
		...['packages/core/lib/a.js', 'apps/bench/server.js', 'apps/package.json', 'package-lock.json', '.npmrc'],
		...['lib/util.js', 'packages/util/index.js', 'website/index.js', 'test/a.js', '.gitattributes', 'bench'],
		...['.github/bench/server.js', '.github/scripts/build.sh', 'src/.github/x', 'docs/server.js'],
		...['ci/benchgate.yml', 'benchgate.yml.js', 'bench/data/history.txt', 'public/security.txt'],
	]) {
		assert.ok(!isInert(path, folders), path);
	}
});

test('no file is inert in a top folder that contains a start command', () => {
	for (const [folder, path] of [
		['.github/bench', '.github/bench/data.yml'],
		['./.github/bench/', '.github/workflows/ci.yml'],
		['bench/../.github', '.github/README.md'],
		['docs', 'docs/guide.md'],
		['docs/site/', 'docs/images/a.png'],
		['Docs', 'Docs/README.md'],
	] as const) {
		assert.ok(!isInert(path, ['.', folder]), `${folder} ${path}`);
		assert.ok(isInert(path, ['.', 'bench']), path);
	}
});
