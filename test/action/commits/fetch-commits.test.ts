import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fetchCommits, isHere } from '../../../src/action/commits/fetch-commits.ts';
import { git, makeFolder, userError } from '../../prepare/support.ts';
import { checkOut, makeRemote, openAccess, visibleState } from './git-remotes.ts';
import { startGitServer } from './git-server.ts';

test('commits missing from a shallow checkout are fetched by hash, without a visible change to the repository', async (t) => {
	const remote = makeRemote(t);
	const workspace = checkOut(t, remote);
	const hook = join(workspace, '.git/hooks/reference-transaction');
	writeFileSync(hook, '#!/bin/sh\ntouch hooked\n');
	chmodSync(hook, 0o755);
	const access = await openAccess(workspace);
	assert.equal(await isHere(access, remote.head), false);
	const seen = visibleState(workspace);
	await fetchCommits(
		[
			{ sha: remote.root, side: 'base' },
			{ sha: remote.head, side: 'head' },
		],
		access,
	);
	assert.equal(git(workspace, 'show', `${remote.root}:index.js`), '1');
	assert.equal(git(workspace, 'show', `${remote.head}:index.js`), '3');
	assert.equal(visibleState(workspace), seen);
	assert.equal(existsSync(join(workspace, 'hooked')), false);
	assert.deepEqual(access.steps, [`Fetching base ${remote.root.slice(0, 7)} and head ${remote.head.slice(0, 7)}`]);
});

test('commits already present need no network', async (t) => {
	const remote = makeRemote(t);
	const workspace = checkOut(t, remote);
	rmSync(remote.folder, { recursive: true });
	const access = await openAccess(workspace);
	await fetchCommits([{ sha: remote.merge, side: 'head' }], access);
	assert.deepEqual(access.steps, []);
});

test('a complete repository stays complete', async (t) => {
	const remote = makeRemote(t);
	const workspace = makeFolder(t);
	git(workspace, 'clone', '--quiet', remote.url, '.');
	await fetchCommits([{ sha: remote.head, side: 'head' }], await openAccess(workspace));
	assert.equal(git(workspace, 'rev-parse', '--is-shallow-repository'), 'false');
	assert.equal(git(workspace, 'merge-base', remote.main, remote.head), remote.root);
});

test('if a server serves only named refs, the history of the pull request has an earlier head', async (t) => {
	const remote = makeRemote(t);
	const workspace = makeFolder(t);
	git(workspace, 'clone', '--quiet', remote.url, '.');
	git(remote.folder, 'config', 'uploadpack.allowAnySHA1InWant', 'false');
	git(workspace, 'config', 'protocol.version', '0');
	const earlier = git(remote.folder, 'rev-parse', `${remote.head}~1`);
	const access = await openAccess(workspace);
	assert.equal((await userError(fetchCommits([{ sha: earlier, side: 'head' }], access))).code, 'commit-missing');
	await fetchCommits([{ sha: earlier, side: 'head', pullRequest: 7 }], access);
	assert.equal(await isHere(access, earlier), true);
});

test('a commit that origin lacks is named with the remedy, and the others are still fetched', async (t) => {
	const remote = makeRemote(t);
	const access = await openAccess(checkOut(t, remote));
	const gone = 'deadbeef'.repeat(5);
	const wanted = [{ sha: gone, side: 'base' } as const, { sha: remote.head, side: 'head' } as const];
	const error = await userError(fetchCommits(wanted, access));
	assert.equal(error.code, 'commit-missing');
	assert.equal(error.where, 'base (deadbee)');
	assert.match(error.message, new RegExp(gone));
	assert.match(error.remedy ?? '', /fetch-depth: 0.*github-token/);
	assert.equal(error.exitCode, 3);
	assert.equal(await isHere(access, remote.head), true);
	for (const sha of ['--upload-pack=touch hooked', 'main', '']) {
		assert.equal((await userError(fetchCommits([{ sha, side: 'head' }], access))).code, 'commit-missing');
	}
	assert.equal(existsSync(join(access.workspace, 'hooked')), false);
});

test('a missing checkout is reported', async (t) => {
	const access = await openAccess(makeFolder(t));
	const error = await userError(fetchCommits([{ sha: 'a'.repeat(40), side: 'head' }], access));
	assert.equal(error.code, 'no-repository');
	assert.match(error.remedy ?? '', /actions\/checkout/);
});

test('only git gets the token: once, also beside a token left by checkout, in no argument, file or message', async (t) => {
	const remote = makeRemote(t);
	const token = 'ghs_verysecret0123456789';
	const server = await startGitServer(t, remote.folder, token);
	const workspace = checkOut(t, remote);
	git(workspace, 'remote', 'set-url', 'origin', `${server.url}/`);
	git(workspace, 'config', `http.${server.url}/.extraheader`, 'AUTHORIZATION: basic bGVmdDpieS1jaGVja291dA==');
	const config = readFileSync(join(workspace, '.git/config'), 'utf8');
	const access = await openAccess(workspace, { serverUrl: server.url, token });
	const words = recordGit(t, access.environment);
	const recording = { ...access, environment: words.environment };
	await fetchCommits([{ sha: remote.head, side: 'head' }], recording);
	assert.equal(await isHere(access, remote.head), true);
	assert.ok(server.authorisations.length > 0);
	const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
	assert.deepEqual([...new Set(server.authorisations)], [`basic ${basic}`]);
	assert.equal(readFileSync(join(workspace, '.git/config'), 'utf8'), config);
	const typed = words.read();
	assert.match(typed, /fetch --quiet/);
	assert.ok(!typed.includes(token) && !typed.includes(basic));

	const wrong = await openAccess(workspace, { serverUrl: server.url, token: 'ghs_wrong' });
	const error = await userError(fetchCommits([{ sha: remote.root, side: 'base' }], wrong));
	assert.equal(error.code, 'commit-missing');
	assert.doesNotMatch(JSON.stringify({ ...error, message: error.message }), /ghs_wrong|eC1hY2Nlc3M/);
});

/** Puts a git on PATH that logs its arguments. */
function recordGit(t: Parameters<typeof makeFolder>[0], environment: Readonly<Record<string, string>>) {
	const folder = makeFolder(t);
	const log = join(folder, 'words');
	const real = git(folder, '--exec-path');
	writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${real}/git' "$@"\n`);
	chmodSync(join(folder, 'git'), 0o755);
	return {
		environment: { ...environment, PATH: `${folder}:${environment.PATH}` },
		read: () => readFileSync(log, 'utf8'),
	};
}
