/** The config of the current base branch applies: the author of a pull request chooses where it branches off. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBase } from '../../../src/action/commits/find-commits.ts';
import { loadSideConfig } from '../../../src/action/config/config-source.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { commit, type Files, git, makeFolder } from '../../prepare/support.ts';
import { checkOut, openAccess } from '../commits/git-remotes.ts';
import { API, codes, GONE, load, messages, rowsOf, scenario, yml } from './side-configs.ts';

const STRICT = `${API}scenarios:\n${scenario('slow')}${scenario('fine')}threshold: 5%\ngate: { on-inconclusive: fail }\n`;
const LOOSE = STRICT.replace('5%', '95%').replace(': fail', ': pass');
const held = { threshold: 0.05, onInconclusive: 'fail' };

/** A branch from an old commit, as GitHub checks it out: merged with the base branch, one commit deep. */
async function pullRequest(t: Parameters<typeof load>[0], old: Files, main: Files, head: Files) {
	const work = makeFolder(t);
	const start = commit(work, 'old', { 'package.json': { name: 'x' }, ...old });
	const tip = commit(work, 'tip', main);
	git(work, 'checkout', '--quiet', '--detach', start);
	const branchHead = commit(work, 'own', head);
	git(work, 'checkout', '--quiet', '--detach', tip);
	git(work, 'merge', '--quiet', '-m', 'merge', branchHead);
	const merge = git(work, 'rev-parse', 'HEAD');
	const remote = makeFolder(t);
	git(remote, 'init', '--quiet', '--bare');
	git(
		work,
		'push',
		'--quiet',
		remote,
		`${tip}:refs/heads/main`,
		`${branchHead}:refs/pull/7/head`,
		`${merge}:refs/pull/7/merge`,
	);
	git(remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
	const url = `file://${remote}`;
	const workspace = checkOut(t, { url, folder: remote, root: start, main: tip, head: branchHead, merge });
	const access = await openAccess(workspace);
	const mergeBase = await findBase({ kind: 'merge-base', with: tip }, branchHead, { access, github: null });
	const revisions = { base: mergeBase.revision, head: `git:${branchHead}` };
	const side = await loadSideConfig({ access, inputs: parseInputs({}), command: null, revisions, baseTip: tip });
	return { side, start, tip };
}

test('an old branch without a config adds one under the other name: that of the base branch applies', async (t) => {
	const { side, start, tip } = await pullRequest(t, {}, yml(STRICT), { 'benchgate.yaml': LOOSE });
	const { threshold, gate } = side.config;
	assert.deepEqual({ threshold, onInconclusive: gate.onInconclusive }, held);
	assert.equal(side.config.file, `benchgate.yml at base ${tip.slice(0, 7)}`);
	assert.equal(side.adopting, false);
	assert.deepEqual(codes(side), ['two-configs', 'config-differs']);
	assert.match(messages(side), /has benchgate\.yml, which applies, and head adds benchgate\.yaml/);
	assert.match(side.reproduce, new RegExp(`--base git:${start} .*--config git:${tip}:benchgate\\.yml`));
	assert.deepEqual(rowsOf(side).newer, ['api/slow', 'api/fine']);
});

test('a branch from an old, loose commit is held to the current base branch', async (t) => {
	const { side } = await pullRequest(t, yml(LOOSE), yml(STRICT), { 'server.js': 'slow' });
	const { threshold, gate } = side.config;
	assert.deepEqual({ threshold, onInconclusive: gate.onInconclusive }, held);
	// It changes nothing itself, so there are no warnings, and merging would change nothing.
	assert.deepEqual([side.warnings, side.relevantChange, side.adopting], [[], false, false]);
	assert.deepEqual(rowsOf(side), { measured: ['api/slow', 'api/fine'], newer: [], unserved: [], oneSided: [] });
});

test('the tip is fetched into a checkout that lacks it, also if base is a package', async (t) => {
	const work = makeFolder(t);
	const tip = commit(work, 'tip', yml(STRICT));
	const branchHead = commit(work, 'own', yml(LOOSE));
	const remote = makeFolder(t);
	git(remote, 'init', '--quiet', '--bare');
	git(work, 'push', '--quiet', remote, `${tip}:refs/heads/main`, `${branchHead}:refs/pull/7/head`);
	git(remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
	const files = { url: `file://${remote}`, folder: remote, root: tip, main: tip, head: branchHead, merge: branchHead };
	const access = await openAccess(checkOut(t, files, branchHead));
	const revisions = { base: 'npm:express@5.1.0', head: `git:${branchHead}` };
	const side = await loadSideConfig({ access, inputs: parseInputs({}), command: null, revisions, baseTip: tip });
	assert.equal(side.config.threshold, 0.05);
	assert.deepEqual(rowsOf(side).newer, []);
});

test('a tip that cannot be fetched ends the run: no other config takes its place', async (t) => {
	const folder = makeFolder(t);
	const branchHead = commit(folder, 'own', yml(LOOSE));
	const revisions = { base: `git:${branchHead}`, head: `git:${branchHead}` };
	const access = await openAccess(folder);
	const loading = loadSideConfig({
		access,
		inputs: parseInputs({}),
		command: null,
		revisions,
		baseTip: 'ab'.repeat(20),
	});
	await assert.rejects(loading, { code: 'commit-missing', where: 'base (abababa)' });
});

test('cells that the base branch added or redefined after head branched off are marked', async (t) => {
	const old = `${API}scenarios:\n${scenario('same')}${scenario('moved', '/old')}`;
	const tip = `${API}  - { name: web, command: node web.js, cwd: web }\nscenarios:\n${scenario('same')}${scenario('moved', '/now')}${scenario('later')}`;
	const side = await load(t, yml(old), { 'server.js': '1' }, { tip: yml(tip) });
	assert.deepEqual(rowsOf(side), {
		measured: ['api/same', 'api/moved', 'api/later', 'web/same', 'web/moved', 'web/later'],
		newer: ['api/moved', 'api/later', 'web/same', 'web/moved', 'web/later'],
		unserved: [],
		oneSided: [],
	});
	assert.deepEqual(side.warnings, []);
	// Only the base branch has its folder: that is not head's fault, and must not end the run.
	const without = rowsOf(side, { base: ['web'], head: ['web'] });
	assert.deepEqual(without.unserved, ['web/same', 'web/moved', 'web/later']);
	assert.deepEqual(without.measured, ['api/same', 'api/moved', 'api/later']);
	assert.throws(() => rowsOf(side, { base: ['api'], head: ['api'] }), { code: 'server-on-no-side' });
});

test('thresholds and load that the base branch changed mark nothing: the old code can answer', async (t) => {
	const loaded = scenario('a').replace(' }\n', ', load: { connections: 50 }, threshold: 8% }\n');
	const side = await load(
		t,
		yml(`${API}scenarios:\n${scenario('a')}`),
		{},
		{ tip: yml(`${API}scenarios:\n${loaded}`) },
	);
	assert.deepEqual(rowsOf(side).newer, []);
	assert.equal(side.config.scenarios[0]?.load.connections, 50);
});

test('changes of head are distinguished from later changes of the base branch', async (t) => {
	const old = `${API}scenarios:\n${scenario('a')}${scenario('b')}threshold: 5%\n`;
	const tip = yml(`${old.replace('5%', '4%')}budget: 2m\n`);
	const untouched = await load(t, yml(old), { 'x.js': '1' }, { tip });
	assert.deepEqual([untouched.warnings, untouched.relevantChange], [[], false]);
	const removing = await load(t, yml(old), yml(old.replace(scenario('b'), '').replace('5%', '9%')), { tip });
	assert.deepEqual(codes(removing), ['config-removes', 'config-differs']);
	assert.match(messages(removing), /no longer has the scenario b\. It was measured, as in the config of base/);
	assert.match(messages(removing), /have different configs: threshold\. /);
	assert.deepEqual([removing.relevantChange, removing.config.threshold], [true, 0.04]);
	const same = await load(t, yml(old), tip, { tip });
	assert.deepEqual([same.warnings, same.relevantChange], [[], false]);
	const added = await load(
		t,
		yml(old),
		{ 'x.js': '1' },
		{ tip: yml(`${old}`.replace('scenarios:\n', `scenarios:\n${scenario('c')}`)) },
	);
	assert.deepEqual(added.warnings, []);
});

test('an unreadable config of the merge base does not count as older', async (t) => {
	const side = await load(t, yml('threshhold: 1%\n'), { 'x.js': '1' }, { tip: yml(STRICT) }).catch((error) => error);
	// Head still has the broken one, and can fix it by a rebase.
	assert.match(side.message, /^benchgate\.yml at head [0-9a-f]{7}:1: threshhold/);
	const gone = await load(t, yml('threshhold: 1%\n'), { 'benchgate.yml': GONE }, { tip: yml(STRICT) });
	assert.deepEqual([gone.config.threshold, rowsOf(gone).newer], [0.05, []]);
});

test('without a config on the base branch there is none: head is not judged by its own', async (t) => {
	const side = await load(t, yml(STRICT), { 'x.js': '1' }, { tip: { 'benchgate.yml': GONE } });
	assert.equal(side.adopting, true);
	const neither = await load(t, {}, { 'x.js': '1' });
	assert.deepEqual([neither.adopting, neither.config.threshold], [false, 0.05]);
});
