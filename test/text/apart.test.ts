import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainRefused } from '../../src/text/apart.ts';

for (const sentence of [
	"Error: EACCES: permission denied, open 'data.db'",
	"Error: EROFS: read-only file system, mkdir '/var/lib/x'",
	"PermissionError: [Errno 13] Permission denied: 'log'",
	'open x: read-only file system',
]) {
	test(`"${sentence}" has a remedy`, () => {
		assert.match(explainRefused(sentence, 'server'), /^; .*HOME, TMPDIR and \$\{data\}.*"writable:".*isolation: none/);
		assert.match(explainRefused(sentence, 'build'), /checkout, HOME and TMPDIR.*prepare-as: runner/);
	});
}

for (const sentence of [
	'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.',
	'sudo: /usr/bin/sudo must be owned by uid 0 and have the setuid bit set',
	'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
	'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
]) {
	test(`a build that needs root or docker has a remedy: ${sentence.slice(0, 40)}`, () => {
		assert.match(explainRefused(sentence, 'build'), /neither sudo nor docker.*prepare-as: runner/);
	});
}

for (const sentence of [
	'npm error code E401',
	'npm error code ENEEDAUTH',
	'ERR_PNPM_FETCH_401  GET https://npm.example: Unauthorized',
]) {
	test(`a build that needs a token has a remedy: ${sentence.slice(0, 40)}`, () => {
		assert.match(explainRefused(sentence, 'build'), /no tokens: set "prepare-as: runner"/);
	});
}

test('other errors have no remedy here', () => {
	assert.equal(explainRefused('TypeError: x is not a function\nError: EADDRINUSE', 'server'), '');
});
