import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { listRange } from '../../../src/prepare/revision/history.ts';
import { startJanitor } from '../../../src/process/janitor.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-range-')));
const janitor = await startJanitor();
after(async () => {
	await janitor.close();
	rmSync(folder, { recursive: true, force: true });
});
const environment = { PATH: process.env.PATH ?? '', HOME: folder };
const context = { environment, janitor, signal: new AbortController().signal };
const git = (...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=Ada 🦊', '-c', 'user.email=a@example.invalid', ...args], {
		cwd: folder,
		encoding: 'utf8',
	}).trim();

async function commit(message: string, files: Readonly<Record<string, string>>): Promise<string> {
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), text);
	}
	git('add', '--all');
	git('commit', '--quiet', '--allow-empty', '--message', message);
	return git('rev-parse', 'HEAD');
}

git('init', '--quiet', '--initial-branch=main');
const first = await commit('First', { 'index.js': '1' });
git('tag', 'v1');
const code = await commit('Faster, <b>much</b>\n\nA body.\nof lines', { 'index.js': '2' });
const words = await commit('Words', { 'docs/a b.md': 'x', 'README.md': 'y', '.github/workflows/ci.yml': 'on: push' });
const empty = await commit('Nothing', {});
git('checkout', '--quiet', '-b', 'side');
await commit('On the side', { 'lib/ü.js': '3' });
git('checkout', '--quiet', 'main');
git('merge', '--quiet', '--no-ff', '--message', 'Merge side', 'side');
const merge = git('rev-parse', 'HEAD');
git('checkout', '--quiet', '-b', 'linked');
for (const sha of [first, code]) {
	git('update-index', '--add', '--cacheinfo', `160000,${sha},docs/guide.md`);
	git('commit', '--quiet', '--message', 'Bump');
}
git('checkout', '--quiet', 'main');

test('the commits of a range come along first parents, oldest first, with what they changed', async () => {
	const { good, commits } = await listRange(context, folder, { good: 'v1', bad: 'git:main' }, ['.']);
	assert.equal(good.sha, first);
	assert.deepEqual(
		commits.map(({ sha }) => sha),
		[code, words, empty, merge],
	);
	assert.deepEqual(
		commits.map(({ title }) => title),
		['Faster, <b>much</b>', 'Words', 'Nothing', 'Merge side'],
	);
	assert.ok(commits.every(({ author, committedAt }) => author === 'Ada 🦊' && !Number.isNaN(Date.parse(committedAt))));
	// A merge changes what its side changed.
	assert.deepEqual(
		commits.map(({ inert }) => inert),
		[false, true, true, false],
	);
});

test('a submodule is no document, whatever its name', async () => {
	const { commits } = await listRange(context, folder, { good: 'main', bad: 'linked' }, ['.']);
	assert.deepEqual(
		commits.map(({ inert }) => inert),
		[false, false],
	);
});

test('an invalid range is reported with a remedy', async () => {
	const codeOf = (good: string, bad: string, cwd = folder) =>
		listRange(context, cwd, { good, bad }, ['.']).then(
			() => 'fine',
			(error) => `${error.code} ${error.where}`,
		);
	assert.equal(await codeOf('main', 'v1'), 'bad-range --good');
	assert.equal(await codeOf('main', 'main'), 'bad-range --good');
	assert.equal(await codeOf('nope', 'main'), 'unknown-revision --good');
	assert.equal(await codeOf('v1', '--all'), 'unknown-revision --bad');
	assert.equal(await codeOf('v1', 'main', tmpdir()), `no-repository ${tmpdir()}`);
});

test('history that git cannot read is an error, not an empty range', async () => {
	const broken = join(folder, 'broken');
	git('clone', '--quiet', '--no-local', folder, broken);
	const tree = execFileSync('git', ['rev-parse', `${code}^{tree}`], { cwd: broken, encoding: 'utf8' }).trim();
	const pack = join(broken, '.git/objects/pack');
	const [name = ''] = readdirSync(pack).filter((file) => file.endsWith('.pack'));
	renameSync(join(pack, name), join(folder, name));
	execFileSync('git', ['unpack-objects', '-q'], { cwd: broken, input: readFileSync(join(folder, name)) });
	rmSync(join(broken, '.git/objects', tree.slice(0, 2), tree.slice(2)), { force: true });
	await assert.rejects(listRange(context, broken, { good: first, bad: words }, ['.']), {
		code: 'unreadable-history',
		message: new RegExp(`${first}.*${tree}`, 's'),
	});
});
