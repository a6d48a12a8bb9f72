import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { maskGitConfig, maskSecretFiles } from '../../src/isolation/private-files.ts';

const TOKEN = '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n';

test('the token is masked in every configuration of a repository: of submodules, theirs, and worktrees', async (t) => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-masks-')));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const repository = join(folder, 'repository');
	execFileSync('git', ['init', '-q', repository]);
	const git = join(repository, '.git');
	const secret = [
		'config',
		'config.worktree',
		'modules/one/config',
		'modules/libs/two/config',
		'modules/libs/two/modules/refs/config',
		'modules/one/worktrees/w/config.worktree',
		'worktrees/w/config.worktree',
	];
	for (const path of secret) {
		mkdirSync(join(git, dirname(path)), { recursive: true });
		writeFileSync(join(git, dirname(path), 'HEAD'), 'ref: refs/heads/main\n');
		writeFileSync(join(git, path), `[core]\n\tbare = false\n${TOKEN}`);
	}
	mkdirSync(join(git, 'modules/open'));
	writeFileSync(join(git, 'modules/open/config'), '[core]\n\tbare = false\n');
	mkdirSync(join(folder, 'elsewhere'));
	writeFileSync(join(folder, 'elsewhere/config'), TOKEN);
	symlinkSync(join(folder, 'elsewhere'), join(git, 'modules/link'));
	const ownFolder = join(folder, 'own');
	mkdirSync(ownFolder);

	const umask = process.umask(0o077);
	const masks = await maskGitConfig(git, ownFolder).finally(() => process.umask(umask));
	assert.deepEqual(masks.map(({ path }) => relative(git, path)).sort(), secret.sort());
	assert.equal(new Set(masks.map(({ by }) => by)).size, secret.length);
	for (const { by } of masks) {
		assert.equal(readFileSync(by, 'utf8'), '[core]\n\tbare = false');
		assert.equal(statSync(by).mode & 0o777, 0o644);
	}
});

test('nothing is masked without a repository or without secrets', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-masks-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	execFileSync('git', ['init', '-q', folder]);
	assert.deepEqual(await maskGitConfig(join(folder, '.git'), folder), []);
	assert.deepEqual(await maskGitConfig(null, folder), []);
});

const NPM_TOKEN = '//registry.example/:_authToken=c2VjcmV0\n';

function write(folder: string, path: string, text = NPM_TOKEN): void {
	mkdirSync(join(folder, dirname(path)), { recursive: true });
	writeFileSync(join(folder, path), text);
}

test('uncommitted files with secrets in a checkout are masked as empty; committed ones, folders and links stay', async (t) => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-masks-')));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const checkout = join(folder, 'checkout');
	execFileSync('git', ['init', '-q', checkout]);
	const secret = [
		'.env',
		'.env.local',
		'.npmrc',
		'apps/api/.env',
		'deploy.pem',
		'gha-creds-1a2b.json',
		'new/in/.npmrc',
	];
	const open = ['.env.example', 'index.js', 'apps/api/.env.example', '.env.d/many', 'data.json'];
	const published = ['node_modules/one/.npmrc', 'apps/api/node_modules/two/test.key', 'lib/site-packages/three/.env'];
	for (const path of [...secret, ...open, ...published]) write(checkout, path);
	write(checkout, 'apps/api/ca.pem', '-----BEGIN CERTIFICATE-----\n');
	write(checkout, 'apps/api/tls.pem', '-----BEGIN CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\n');
	write(checkout, 'cache/sides/home/.npmrc');
	write(checkout, '.gitignore', '.env*\nnode_modules\n');
	symlinkSync('index.js', join(checkout, '.netrc'));
	execFileSync('git', ['-C', checkout, 'add', '-f', '.env.example', 'apps/api/.env.example', '.gitignore']);
	const [ownFolder, cache] = [join(folder, 'own'), join(checkout, 'cache')];
	mkdirSync(ownFolder);

	const masks = await maskSecretFiles(join(checkout, '.git'), ownFolder, cache);
	assert.deepEqual(masks.map(({ path }) => relative(checkout, path)).sort(), [...secret, 'apps/api/tls.pem'].sort());
	for (const { by } of masks) assert.equal(readFileSync(by, 'utf8'), '');
	assert.deepEqual(await maskSecretFiles(null, ownFolder, cache), []);
	assert.deepEqual(await maskSecretFiles(join(checkout, '.git/modules/one'), ownFolder, cache), []);
});

test('files with secrets are masked in every checkout of a repository, except for those that benchgate made', async (t) => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-masks-')));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const checkout = join(folder, 'checkout');
	execFileSync('git', ['init', '-q', checkout]);
	const git = (...args: string[]) => execFileSync('git', ['-C', checkout, ...args], { stdio: 'ignore' });
	git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '--allow-empty', '-m', 'first');
	const places = ['checkout', 'beside', 'checkout/inside', 'cache/build'];
	for (const place of places.slice(1)) git('worktree', 'add', '--detach', join(folder, place));
	for (const place of places) write(folder, `${place}/apps/.env`);
	const [ownFolder, cache] = [join(folder, 'own'), join(folder, 'cache')];
	mkdirSync(ownFolder);

	const masks = await maskSecretFiles(join(checkout, '.git'), ownFolder, cache);
	assert.deepEqual(masks.map(({ path }) => relative(folder, path)).sort(), [
		'beside/apps/.env',
		'checkout/apps/.env',
		'checkout/inside/apps/.env',
	]);
});
