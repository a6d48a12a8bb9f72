import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWithheld, ownVariables, scrubEnvironment } from '../../src/process/environment.ts';

const TOKEN = 'a1b2c3d4e5f6a7b8c9d0e1f2';

const SECRETS: Readonly<Record<string, string>> = {
	GPG_PASSPHRASE: 'x',
	MYSQL_PWD: 'x',
	PGPASSWORD: 'x',
	PGPASSFILE: 'x',
	DEPLOY_KEY: 'x',
	SIGNING_KEY: 'x',
	STRIPE_KEY: 'x',
	SSH_KEY: 'x',
	OPENAI_KEY: 'x',
	DATABASE_URL: 'postgres://user:pass@db.example/app',
	REDIS_URI: 'redis://:pass@cache.example:6379',
	SENTRY_DSN: 'x',
	SLACK_WEBHOOK: 'x',
	CONNECTION_STRING: 'x',
	NPM_TOKEN: 'x',
	AWS_SECRET_ACCESS_KEY: 'x',
	CI_PAT: 'x',
	SSH_AUTH_SOCK: '/run/agent',
	COMPOSER_AUTH: '{}',
	'npm_config_//registry.example/:_authToken': 'x',
	// Harmless names with values that look like secrets.
	DEPLOY: `ghp_${TOKEN}`,
	PUBLISH: `npm_${TOKEN}`,
	ORIGIN: `https://${TOKEN}@git.example/x`,
	CERTIFICATE: '-----BEGIN RSA PRIVATE KEY-----\nx',
	NOTIFY: 'https://hooks.slack.com/services/T0/B0/x',
	SESSION: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x',
	STORAGE: 'DefaultEndpointsProtocol=https;AccountKey=abc==',
	CLOUD: 'AKIAIOSFODNN7EXAMPLE',
	GIT_CONFIG_VALUE_0: 'AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46',
};

const HARMLESS: Readonly<Record<string, string>> = {
	PATH: '/bin',
	PWD: '/work',
	OLDPWD: '/',
	HOME: '/root',
	CI: 'true',
	GIT_AUTHOR_NAME: 'Ada',
	KEYBOARD: 'de',
	COMPASS: 'north',
	JAVA_HOME: '/usr/lib/jvm/java-21',
	CARGO_HOME: '/root/.cargo',
	DATABASE_URL_EXAMPLE: 'postgres://localhost/app',
	npm_config_registry: 'https://registry.example/path@1/',
	HTTPS_PROXY: 'http://user:pass@proxy.example:3128',
	npm_config_https_proxy: 'http://user:pass@proxy.example:3128',
	TURBO_TEAM: 'web',
};

test('variables that look like secrets by name or value are withheld from builds and servers', () => {
	const all = { ...SECRETS, ...HARMLESS };
	assert.deepEqual(scrubEnvironment(all, 'build'), HARMLESS);
	assert.deepEqual(findWithheld(all), Object.keys(SECRETS));
	assert.deepEqual(scrubEnvironment({ ...all, HOME: `https://u:${TOKEN}@x` }, 'serve'), { PATH: '/bin' });
});

test('platform variables and our own are withheld without a message: no build expects them', () => {
	const ours = {
		GITHUB_TOKEN: TOKEN,
		ACTIONS_RUNTIME_TOKEN: TOKEN,
		INPUT_X: 'x',
		BENCHGATE_CACHE: '/c',
		RUNNER_OS: 'x',
		// A file that one side writes and the other reads.
		NODE_COMPILE_CACHE: '/c',
		NODE_OPTIONS: '--require ./ours.cjs',
	};
	assert.deepEqual(scrubEnvironment(ours, 'build'), {});
	assert.deepEqual(findWithheld(ours), []);
});

test('settings of git with a secret are withheld together: a part of them would be an error', () => {
	const settings = {
		GIT_CONFIG_COUNT: '2',
		GIT_CONFIG_KEY_0: 'core.autocrlf',
		GIT_CONFIG_VALUE_0: 'false',
		GIT_CONFIG_KEY_1: `url.https://x:${TOKEN}@git.example/.insteadOf`,
		GIT_CONFIG_VALUE_1: 'https://git.example/',
	};
	assert.deepEqual(scrubEnvironment({ ...settings, CI: '1' }, 'build'), { CI: '1' });
	const { GIT_CONFIG_KEY_1: _, GIT_CONFIG_VALUE_1: __, ...harmless } = { ...settings, GIT_CONFIG_COUNT: '1' };
	assert.deepEqual(scrubEnvironment(harmless, 'build'), harmless);
});

test('only our own processes learn where Node keeps compiled code', () => {
	assert.deepEqual(ownVariables({ NODE_COMPILE_CACHE: '/c', PATH: '/bin' }), { NODE_COMPILE_CACHE: '/c' });
	assert.deepEqual(ownVariables({}), {});
});
