import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicGitConfig, publicNpmSettings } from '../../src/isolation/public-settings.ts';

test('builds learn which registry is asked, and no token', () => {
	const npmrc = [
		'registry=https://npm.example.com/',
		'@acme:registry = https://npm.acme.example/',
		'https-proxy=http://proxy.example:8080',
		'strict-ssl=false',
		'//npm.example.com/:_authToken=abc',
		'//npm.example.com/:username=me',
		'_auth=abc',
		'proxy=http://me:secret@proxy.example:8080',
		`cafile=$\{HOME}/ca.pem`,
		'email=me@example.com',
		'key="-----BEGIN"',
	].join('\n');
	assert.deepEqual(publicNpmSettings(npmrc).trim().split('\n'), [
		'registry=https://npm.example.com/',
		'@acme:registry = https://npm.acme.example/',
		'https-proxy=http://proxy.example:8080',
		'strict-ssl=false',
	]);
});

test('the configuration of a repository is shown without what checkout left in it', () => {
	const config = [
		'[core]',
		'\trepositoryformatversion = 0',
		'[remote "origin"]',
		'\turl = https://me:secret@github.com/a/b',
		'\tfetch = +refs/heads/*:refs/remotes/origin/*',
		'[http "https://github.com/"]',
		'\textraheader = AUTHORIZATION: basic c2VjcmV0',
		'[credential]',
		'\thelper = store',
		'[includeIf "gitdir:/x"]',
		'\tpath = /runner/_temp/credentials',
	].join('\n');
	const shown = publicGitConfig(config);
	assert.doesNotMatch(shown, /secret|c2VjcmV0|helper|credentials/);
	assert.match(shown, /repositoryformatversion = 0/);
	assert.match(shown, /fetch = /);
});
