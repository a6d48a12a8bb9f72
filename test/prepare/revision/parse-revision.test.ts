import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNpmSpec, parseRevision } from '../../../src/prepare/revision/parse-revision.ts';
import { isUserError } from '../../../src/types/errors.ts';

test('a prefix names the kind, and without one the kind is open', () => {
	assert.deepEqual(parseRevision('git:feature/a', '--base'), { kind: 'git', value: 'feature/a' });
	assert.deepEqual(parseRevision('dir:../x', '--base'), { kind: 'dir', value: '../x' });
	assert.deepEqual(parseRevision('npm:@hono/node-server@1', '--base'), { kind: 'npm', value: '@hono/node-server@1' });
	assert.deepEqual(parseRevision('file:a.tgz', '--base'), { kind: 'file', value: 'a.tgz' });
	assert.deepEqual(parseRevision('main', '--base'), { kind: null, value: 'main' });
	assert.deepEqual(parseRevision('express@5.1.0', '--base'), { kind: null, value: 'express@5.1.0' });
});

test('unknown prefixes and empty revisions are refused with the right form', () => {
	const refused = (text: string, remedy: RegExp) =>
		assert.throws(
			() => parseRevision(text, '--head'),
			(error) => isUserError(error) && error.where === '--head' && remedy.test(error.remedy ?? ''),
		);
	refused('gti:main', /did you mean "git:main"\?/);
	refused('https://example.invalid/x.tgz', /git:REF, dir:PATH/);
	refused('', /git:REF/);
	refused('git:', /git:REF/);
});

test('npm specs: names, scopes, ranges and tags, nothing else', () => {
	assert.deepEqual(parseNpmSpec('express'), { name: 'express', range: 'latest', exact: false });
	assert.deepEqual(parseNpmSpec('express@5.1.0'), { name: 'express', range: '5.1.0', exact: true });
	assert.deepEqual(parseNpmSpec('express@5.0.0-beta.1'), { name: 'express', range: '5.0.0-beta.1', exact: true });
	assert.deepEqual(parseNpmSpec('@hono/node-server@^1.2'), { name: '@hono/node-server', range: '^1.2', exact: false });
	for (const text of [
		'../express',
		'-express',
		'--help',
		'a b',
		'express@http://x',
		'express@npm:koa',
		'x@',
		'a/b',
		'@x/',
	]) {
		assert.equal(parseNpmSpec(text), null, text);
	}
});
