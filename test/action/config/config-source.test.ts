import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSideConfig } from '../../../src/action/config/config-source.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { commit, makeFolder, userError } from '../../prepare/support.ts';
import { openAccess } from '../commits/git-remotes.ts';
import { API, codes, GONE, load, messages, names, rowsOf, scenario, yml } from './side-configs.ts';

test("base's config applies, so that a change cannot loosen its own gate", async (t) => {
	const loose = 'servers: [express]\nscenarios: [ping]\nthreshold: 90%\nbudget: 1s\n';
	const side = await load(t, yml('servers: [express]\nscenarios: [ping]\nthreshold: 3%\n'), yml(loose));
	assert.equal(side.config.threshold, 0.03);
	assert.equal(side.config.budgetSeconds, 600);
	assert.equal(side.config.file, `benchgate.yml at base ${side.base}`);
	assert.equal(side.relevantChange, true);
	assert.deepEqual(codes(side), ['config-differs']);
	assert.match(side.warnings[0]?.message ?? '', /threshold, budget\. The config of base applies .*config-from: head/);
});

test('config-from: head uses the config of head', async (t) => {
	const inputs = { 'config-from': 'head' };
	const side = await load(t, yml('threshold: 3%\nservers: [express]\n'), yml('threshold: 9%\nservers: [express]\n'), {
		inputs,
	});
	assert.equal(side.config.threshold, 0.09);
	assert.deepEqual(codes(side), ['config-differs']);
	assert.doesNotMatch(side.warnings[0]?.message ?? '', /once merged/);
});

test('equal configs, or ones that differ only in comments, are no relevant change', async (t) => {
	const side = await load(t, yml('servers: [express]\n'), {
		'benchgate.yml': '# why\nservers:\n  - express\n',
		'x.js': '1',
	});
	assert.equal(side.relevantChange, false);
	assert.deepEqual(side.warnings, []);
	assert.deepEqual(rowsOf(side).oneSided, []);
});

test("cells of base's config are measured on both sides; cells only in head's are new", async (t) => {
	const base = yml(`${API}  - express\nscenarios:\n${scenario('kept')}${scenario('gone')}`);
	const head = yml(
		`${API}  - koa\n  - { name: web, command: node web.js }\nscenarios:\n${scenario('kept', '/moved')}${scenario('added')}`,
	);
	const side = await load(t, base, head);
	assert.deepEqual(names(side.config.servers), ['api', 'express', 'koa', 'web']);
	assert.deepEqual(names(side.config.scenarios), ['kept', 'gone', 'added']);
	assert.equal(side.config.scenarios[0]?.request.path, '/kept');
	assert.deepEqual(rowsOf(side), {
		measured: ['api/kept', 'api/gone'],
		newer: [],
		unserved: [],
		oneSided: ['api/added new', 'web/kept new', 'web/added new'],
	});
});

test('inputs may name what only one side defines; other names are refused', async (t) => {
	const head = yml(
		`${API}  - { name: web, command: node web.js }\nscenarios:\n${scenario('kept')}${scenario('added')}`,
	);
	const base = yml(`${API}scenarios:\n${scenario('kept')}`);
	const side = await load(t, base, head, { inputs: { scenarios: 'added', servers: 'web,api' } });
	assert.deepEqual(names(side.config.scenarios), ['added']);
	assert.deepEqual(names(side.config.servers), ['api', 'web']);
	assert.deepEqual(rowsOf(side), {
		measured: [],
		newer: [],
		unserved: [],
		oneSided: ['api/added new', 'web/added new'],
	});
	const error = await userError(load(t, base, head, { inputs: { scenarios: 'addded' } }));
	assert.match(error.message, /addded.*did you mean "added"/);
});

test('a command replaces scenarios and threshold of the inputs', async (t) => {
	const inputs = { scenarios: 'ping', threshold: '4%', servers: 'express' };
	const side = await load(t, {}, {}, { inputs, command: { scenarios: ['json-post'], threshold: '7%' } });
	assert.deepEqual(names(side.config.scenarios), ['json-post']);
	assert.equal(side.config.threshold, 0.07);
	const bare = await load(t, {}, {}, { inputs, command: { scenarios: [], threshold: undefined } });
	assert.deepEqual([names(bare.config.scenarios), bare.config.threshold], [['ping'], 0.04]);
});

test('the first pull request with a config is advisory, under that config, and says so', async (t) => {
	for (const from of ['base', 'head']) {
		const side = await load(t, {}, yml('servers: [express]\nscenarios: [ping]\nthreshold: 9%\n'), {
			inputs: { 'config-from': from },
		});
		assert.equal(side.adopting, true);
		assert.equal(side.config.threshold, 0.09);
		assert.deepEqual(rowsOf(side), { measured: ['express/ping'], newer: [], unserved: [], oneSided: [] });
		assert.equal(side.relevantChange, true);
		assert.deepEqual(side.warnings, [
			{
				code: 'config-from-head',
				message:
					'The base branch has no benchgate.yml yet, so this run blocks nothing. Once benchgate.yml is merged, its gate applies.',
			},
		]);
	}
});

test('a push with the first config is gated as the workflow sets: it needs no review', async (t) => {
	const side = await load(t, {}, yml('servers: [express]\nthreshold: 9%\n'), { push: true });
	assert.deepEqual([side.adopting, side.config.threshold], [false, 0.09]);
	assert.match(side.warnings[0]?.message ?? '', /Base has no config yet/);
});

test("a change that removes the config is held to base's, with a warning", async (t) => {
	const side = await load(t, yml('servers: [express]\nthreshold: 3%\n'), { 'benchgate.yml': null });
	assert.equal(side.config.threshold, 0.03);
	assert.equal(side.sideConfigs, undefined);
	assert.deepEqual([side.relevantChange, side.adopting], [true, false]);
	assert.deepEqual(codes(side), ['config-removes']);
	assert.match(side.warnings[0]?.message ?? '', /Head no longer has benchgate\.yml/);
});

test('a change that breaks the config gets file, side and line; one that repairs it runs', async (t) => {
	const good = 'servers: [express]\n';
	const bad = 'servers: [express]\nthreshhold: 3%\n';
	for (const from of ['base', 'head']) {
		const error = await userError(load(t, yml(good), yml(bad), { inputs: { 'config-from': from } }));
		assert.match(error.message, /^benchgate\.yml at head [0-9a-f]{7}:2: .*threshold/);
		assert.equal(error.exitCode, 2);
	}
	const repaired = await load(t, yml(bad), yml(good));
	assert.deepEqual([repaired.adopting, repaired.config.file], [true, `benchgate.yml at head ${repaired.head}`]);
	assert.deepEqual(codes(repaired), ['config-from-head']);
	assert.match(
		repaired.warnings[0]?.message ?? '',
		/base branch cannot be read, so .* blocks nothing\. benchgate\.yml at base [0-9a-f]{7}:2/,
	);
	const chosen = await load(t, yml(bad), yml(good), { inputs: { 'config-from': 'head' } });
	assert.deepEqual([chosen.adopting, chosen.warnings], [false, []]);
	const pushed = await load(t, yml(bad), yml(good), { push: true });
	assert.deepEqual([pushed.adopting, codes(pushed)], [false, ['config-from-head']]);
	const both = await userError(load(t, yml(bad), yml(bad)));
	assert.match(both.message, /at head/);
	const gone = await userError(load(t, yml(bad), { 'benchgate.yml': null }));
	assert.match(gone.message, /at base/);
});

test('without a config the inputs determine the load, else the subject does', async (t) => {
	const side = await load(t, {}, {}, { inputs: { threshold: '4%' } });
	assert.deepEqual(names(side.config.servers), ['express']);
	assert.equal(side.relevantChange, false);
	assert.equal(side.lineOf('ping'), null);
	assert.deepEqual(side.warnings, []);
});

test('the input config names a file of the commits; a missing one is reported', async (t) => {
	const inputs = { config: './ci/bench.yml' };
	const side = await load(t, { 'ci/bench.yml': 'threshold: 3%\n' }, { 'ci/bench.yml': 'threshold: 4%\n' }, { inputs });
	assert.equal(side.config.threshold, 0.03);
	assert.equal(side.config.file, `ci/bench.yml at base ${side.base}`);
	assert.deepEqual(side.lineOf('ping'), { path: 'ci/bench.yml', line: 1 });
	assert.equal((await userError(load(t, {}, {}, { inputs }))).code, 'unreadable-config');
	const folder = await userError(load(t, {}, { 'ci/x': '' }, { inputs: { config: 'ci' } }));
	assert.match(folder.message, /not a plain file/);
});

test('in a workspace that is a folder of the repository, paths are those of the repository', async (t) => {
	const folder = makeFolder(t);
	const base = commit(folder, 'base', {
		'app/package.json': { name: 'express' },
		'app/ci/bench.yml': 'threshold: 3%\n',
	});
	const head = commit(folder, 'head', { 'app/ci/bench.yml': 'threshold: 4%\n', 'app/old/bench.yml': 'budget: 2m\n' });
	const open = async (config: string, revisions = { base: `git:${base}`, head: `git:${head}` }) =>
		loadSideConfig({
			access: await openAccess(join(folder, 'app')),
			inputs: parseInputs({ config }),
			command: null,
			revisions,
			baseTip: base,
		});
	const committed = await open('ci/bench.yml');
	assert.deepEqual(committed.lineOf('ping'), { path: 'app/ci/bench.yml', line: 1 });
	assert.match(committed.reproduce, new RegExp(`--config git:${base}:app/ci/bench.yml`));
	const inFolder = await open('bench.yml', { base: `git:${base}`, head: 'dir:old' });
	assert.deepEqual(inFolder.lineOf('ping'), { path: 'app/old/bench.yml', line: 1 });
});

test('a config made by an earlier step, in or outside of the workspace, applies to both sides', async (t) => {
	const workspace = { 'benchgate.yml': 'threshold: 6%\n' };
	const pushed = await load(t, {}, {}, { workspace, push: true });
	const chosen = await load(t, {}, {}, { workspace, inputs: { config: 'benchgate.yml' } });
	for (const made of [pushed, chosen]) {
		assert.deepEqual([made.config.threshold, made.sideConfigs, made.relevantChange], [0.06, undefined, false]);
		assert.deepEqual([made.adopting, made.warnings], [false, []]);
	}
	const outside = join(makeFolder(t, { 'b.yml': 'threshold: 7%\n' }), 'b.yml');
	const named = await load(t, yml('threshold: 1%\n'), yml('threshold: 2%\n'), { inputs: { config: outside } });
	assert.equal(named.config.threshold, 0.07);
	assert.equal(named.lineOf('ping'), null);
});

test('an uncommitted config that no input names is ignored: an install script may have written it', async (t) => {
	const side = await load(t, {}, {}, { workspace: { 'benchgate.yml': 'threshold: 96%\n' } });
	assert.deepEqual([side.config.threshold, side.config.file, side.adopting], [0.05, undefined, false]);
	assert.deepEqual(codes(side), ['config-ignored']);
	const committed = await load(t, yml('threshold: 3%\n'), {}, { workspace: { 'benchgate.yaml': 'threshold: 96%\n' } });
	assert.deepEqual([committed.config.threshold, codes(committed)], [0.03, []]);
});

test('with a base from the registry the base branch decides the gate, and without one head does', async (t) => {
	const files = [yml('threshold: 3%\nservers: [express]\n'), yml('threshold: 9%\nservers: [express]\n')] as const;
	const held = await load(t, ...files, { base: 'npm:express@5.1.0' });
	assert.equal(held.config.threshold, 0.03);
	const free = await load(t, ...files, { base: 'npm:express@5.1.0', push: true });
	assert.equal(free.config.threshold, 0.09);
	assert.deepEqual(free.warnings, []);
	const folder = await load(t, ...files, {
		head: 'dir:.',
		workspace: { 'benchgate.yaml': 'threshold: 5%\nservers: [koa]\n' },
	});
	assert.deepEqual([folder.config.threshold, names(folder.config.servers)], [0.03, ['express', 'koa']]);
});

test("two configs on one side are refused with the side; base's two do not block their repair", async (t) => {
	const two = { 'benchgate.yml': 'servers: [express]\n', 'benchgate.yaml': 'threshold: 95%\n' };
	for (const [base, head] of [
		[{}, two],
		[yml('threshold: 3%\n'), { 'benchgate.yaml': 'threshold: 95%\n' }],
	] as const) {
		const error = await userError(load(t, base, head));
		assert.equal(error.code, 'two-configs');
		assert.match(error.where ?? '', /^head [0-9a-f]{7}$/);
		assert.equal(error.message, 'benchgate.yaml and benchgate.yml both exist');
	}
	const repaired = await load(t, two, { 'benchgate.yaml': GONE });
	assert.equal(repaired.adopting, true);
	assert.match(messages(repaired), /base [0-9a-f]{7}: benchgate\.yaml and benchgate\.yml both exist/);
});

test('annotations point into the config of head: the scenario, else the list', async (t) => {
	const text = `# a comment\n${API}scenarios:\n  - core\n${scenario('list-users')}`;
	const side = await load(t, yml(text), yml(`# moved\n\n${text}`));
	assert.deepEqual(side.lineOf('list-users'), { path: 'benchgate.yml', line: 8 });
	assert.deepEqual(side.lineOf('ping'), { path: 'benchgate.yml', line: 6 });
});

test('a command with an unknown name gets the valid ones', async (t) => {
	const base = yml('scenarios: [ping]\n');
	const head = yml(`scenarios:\n  - ping\n${scenario('list-users')}`);
	const refused = async (...scenarios: readonly string[]) => {
		const { code, where, message, remedy } = await userError(
			load(t, base, head, { command: { scenarios, threshold: '3%' } }),
		);
		return [code, where, message, remedy];
	};
	assert.deepEqual(await refused('ping', 'list-user'), [
		'bad-command',
		'the /benchgate comment',
		'"list-user" is not a scenario',
		'write "/benchgate ping list-users threshold=3%" in a new comment',
	]);
	assert.match(
		String(await refused('zzzzzzzzzzzz', 'yyyyyyyyyyyy')),
		/"zzzzzzzzzzzz", "yyyyyyyyyyyy" are not scenarios,name scenarios .*: ping, list-users,/,
	);
	const command = { scenarios: ['list-users'], threshold: undefined };
	assert.deepEqual(names((await load(t, base, head, { command })).config.scenarios), ['list-users']);
	const strict = yml('scenarios: [ping]\nthreshold: 5%\ntolerance: 3%\n');
	const loose = load(t, strict, strict, { command: { scenarios: [], threshold: '2%' } });
	assert.match((await userError(loose)).message, /^threshold 2%: not above the tolerance of 3%/);
});
