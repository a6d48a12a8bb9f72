import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PUBLIC_SETTINGS, publicGitConfig, publicSettings } from '../../src/isolation/private-files.ts';

const shownOf = (file: string, text: string) => publicSettings(text, PUBLIC_SETTINGS[file] ?? /^/);

test('builds see the address of the registry, and no token', () => {
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
	assert.deepEqual(shownOf('.npmrc', npmrc).trim().split('\n'), [
		'registry=https://npm.example.com/',
		'@acme:registry = https://npm.acme.example/',
		'https-proxy=http://proxy.example:8080',
		'strict-ssl=false',
	]);
});

test('settings of other package managers are shown in the same way', () => {
	const berry = [
		'npmRegistryServer: "https://npm.example.com"',
		'npmAuthToken: abc',
		'npmScopes:',
		'  acme:',
		'    npmRegistryServer: "https://npm.acme.example"',
		'httpProxy: "http://me:secret@proxy.example:8080"',
	].join('\n');
	assert.equal(shownOf('.yarnrc.yml', berry), 'npmRegistryServer: "https://npm.example.com"\n');
	const pip = '[global]\nindex-url = https://me:secret@pypi.example/simple\ntrusted-host = pypi.example\n';
	assert.equal(shownOf('.config/pip/pip.conf', pip), '[global]\ntrusted-host = pypi.example\n');
	assert.equal(
		shownOf('.yarnrc', 'registry "https://npm.example.com"\n_authToken abc\n'),
		'registry "https://npm.example.com"\n',
	);
});

test('the configuration of a repository is shown without the additions of checkout', () => {
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
