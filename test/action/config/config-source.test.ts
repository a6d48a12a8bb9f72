import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadSideConfig, type SideConfig } from '../../../src/action/config/config-source.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import type { BenchCommand } from '../../../src/types/action-run.ts';
import { commit, type Files, git, makeFolder, userError, writeFiles } from '../../prepare/support.ts';
import { openAccess } from '../commits/git-remotes.ts';

interface Given {
	readonly inputs?: Readonly<Record<string, string>>;
	readonly command?: BenchCommand;
	readonly base?: string;
	readonly head?: string;
	readonly trusted?: boolean;
	/** Files of the workspace in no commit. */
	readonly workspace?: Files;
}

/** A repository with a base and a head commit, whose config is read as the action does. */
async function load(
	t: TestContext,
	base: Files,
	head: Files,
	given: Given = {},
): Promise<SideConfig & { base: string; head: string }> {
	const folder = makeFolder(t);
	const shas = { base: commit(folder, 'base', { 'package.json': { name: 'express' }, ...base }), head: '' };
	for (const gone of Object.keys(base).filter((path) => head[path] === null)) git(folder, 'rm', '--quiet', gone);
	shas.head = commit(folder, 'head', Object.fromEntries(Object.entries(head).filter(([, text]) => text !== null)));
	// The checkout stands somewhere else: what holds is read from commits.
	git(folder, 'checkout', '--quiet', '--orphan', 'elsewhere');
	git(folder, 'rm', '--quiet', '-r', '-f', '--ignore-unmatch', '.');
	writeFiles(folder, { 'package.json': { name: 'express' }, ...given.workspace });
	const loaded = await loadSideConfig({
		access: await openAccess(t, folder),
		inputs: parseInputs(given.inputs ?? {}),
		command: given.command ?? null,
		revisions: { base: given.base ?? `git:${shas.base}`, head: given.head ?? `git:${shas.head}` },
		trustedCommit: given.trusted ? shas.base : null,
	});
	return { ...loaded, base: shas.base.slice(0, 7), head: shas.head.slice(0, 7) };
}

const yml = (text: string): Files => ({ 'benchgate.yml': text });
const names = (items: readonly { readonly name: string }[] | undefined) => items?.map(({ name }) => name);
const codes = ({ warnings }: SideConfig) => warnings.map(({ code }) => code);
const scenario = (name: string, path = `/${name}`) =>
	`  - { name: ${name}, request: { path: ${path} }, expect: { status: 200 } }\n`;
const API = 'servers:\n  - { name: api, command: node server.js }\n';

test('the config of base holds, so that a change cannot loosen its own gate', async (t) => {
	const loose = 'servers: [express]\nscenarios: [ping]\nthreshold: 90%\nbudget: 1s\n';
	const side = await load(t, yml('servers: [express]\nscenarios: [ping]\nthreshold: 3%\n'), yml(loose));
	assert.equal(side.config.threshold, 0.03);
	assert.equal(side.config.budgetSeconds, 600);
	assert.equal(side.config.file, `benchgate.yml at base ${side.base}`);
	assert.equal(side.relevantChange, true);
	assert.deepEqual(codes(side), ['config-differs']);
	assert.match(side.warnings[0]?.message ?? '', /threshold, budget\. The config of base holds .*config-from: head/);
});

test('config-from: head takes the config of head', async (t) => {
	const inputs = { 'config-from': 'head' };
	const side = await load(t, yml('threshold: 3%\nservers: [express]\n'), yml('threshold: 9%\nservers: [express]\n'), {
		inputs,
	});
	assert.equal(side.config.threshold, 0.09);
	assert.deepEqual(codes(side), ['config-differs']);
	assert.doesNotMatch(side.warnings[0]?.message ?? '', /once merged/);
});

test('equal configs, or ones that differ in comments only, are no relevant change', async (t) => {
	const side = await load(t, yml('servers: [express]\n'), {
		'benchgate.yml': '# why\nservers:\n  - express\n',
		'x.js': '1',
	});
	assert.equal(side.relevantChange, false);
	assert.deepEqual(side.warnings, []);
	assert.deepEqual(names(side.sideConfigs?.head.servers), ['express']);
});

test('what only one config has is in the config and told by sideConfigs, as is a built-in server', async (t) => {
	const side = await load(
		t,
		yml(`${API}  - express\nscenarios:\n${scenario('kept')}${scenario('gone')}`),
		yml(
			`${API}  - koa\n  - { name: web, command: node web.js }\nscenarios:\n${scenario('kept', '/moved')}${scenario('added')}`,
		),
	);
	assert.deepEqual(names(side.config.servers), ['api', 'express', 'koa', 'web']);
	assert.deepEqual(names(side.config.scenarios), ['kept', 'gone', 'added']);
	assert.equal(side.config.scenarios[0]?.request.path, '/kept');
	assert.deepEqual(names(side.sideConfigs?.base.servers), ['api', 'express']);
	assert.deepEqual(names(side.sideConfigs?.head.servers), ['api', 'koa', 'web']);
	assert.deepEqual(names(side.sideConfigs?.base.scenarios), ['kept', 'gone']);
	assert.deepEqual(names(side.sideConfigs?.head.scenarios), ['kept', 'added']);
	assert.match(side.warnings[0]?.message ?? '', /: scenario kept\. /);
});

test('inputs may name what only one side defines; what none knows is refused', async (t) => {
	const head = yml(
		`${API}  - { name: web, command: node web.js }\nscenarios:\n${scenario('kept')}${scenario('added')}`,
	);
	const base = yml(`${API}scenarios:\n${scenario('kept')}`);
	const side = await load(t, base, head, { inputs: { scenarios: 'added', servers: 'web,api' } });
	assert.deepEqual(names(side.config.scenarios), ['added']);
	assert.deepEqual(names(side.config.servers), ['api', 'web']);
	assert.deepEqual(side.sideConfigs?.base, { servers: side.config.servers.slice(0, 1), scenarios: [] });
	assert.deepEqual(names(side.sideConfigs?.head.scenarios), ['added']);
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

test('the first pull request with a config works, and says that it holds itself to it', async (t) => {
	const side = await load(t, {}, yml('servers: [express]\nthreshold: 9%\n'));
	assert.equal(side.config.threshold, 0.09);
	assert.equal(side.sideConfigs, undefined);
	assert.equal(side.relevantChange, true);
	assert.deepEqual(codes(side), ['config-from-head']);
	assert.match(side.warnings[0]?.message ?? '', /Base has no config yet/);
});

test('a change that removes the config is held to that of base', async (t) => {
	const side = await load(t, yml('servers: [express]\nthreshold: 3%\n'), { 'benchgate.yml': null });
	assert.equal(side.config.threshold, 0.03);
	assert.equal(side.sideConfigs, undefined);
	assert.equal(side.relevantChange, true);
});

test('a change that breaks the config is told file, side and line; one that repairs it runs', async (t) => {
	const good = 'servers: [express]\n';
	const bad = 'servers: [express]\nthreshhold: 3%\n';
	for (const from of ['base', 'head']) {
		const error = await userError(load(t, yml(good), yml(bad), { inputs: { 'config-from': from } }));
		assert.match(error.message, /^benchgate\.yml at head [0-9a-f]{7}:2: .*threshold/);
		assert.equal(error.exitCode, 2);
	}
	const repaired = await load(t, yml(bad), yml(good));
	assert.deepEqual(codes(repaired), ['config-from-head']);
	assert.match(repaired.warnings[0]?.message ?? '', /cannot be read: benchgate\.yml at base [0-9a-f]{7}:2/);
	const both = await userError(load(t, yml(bad), yml(bad)));
	assert.match(both.message, /at head/);
	const gone = await userError(load(t, yml(bad), { 'benchgate.yml': null }));
	assert.match(gone.message, /at base/);
});

test('no config anywhere: the inputs say what to load, or the subject does', async (t) => {
	const side = await load(t, {}, {}, { inputs: { threshold: '4%' } });
	assert.deepEqual(names(side.config.servers), ['express']);
	assert.equal(side.relevantChange, false);
	assert.equal(side.lineOf('ping'), null);
	assert.deepEqual(side.warnings, []);
});

test('the input config names a file of the commits; one that is nowhere is told', async (t) => {
	const inputs = { config: './ci/bench.yml' };
	const side = await load(t, { 'ci/bench.yml': 'threshold: 3%\n' }, { 'ci/bench.yml': 'threshold: 4%\n' }, { inputs });
	assert.equal(side.config.threshold, 0.03);
	assert.equal(side.config.file, `ci/bench.yml at base ${side.base}`);
	assert.deepEqual(side.lineOf('ping'), { path: 'ci/bench.yml', line: 1 });
	assert.equal((await userError(load(t, {}, {}, { inputs }))).code, 'unreadable-config');
	const folder = await userError(load(t, {}, { 'ci/x': '' }, { inputs: { config: 'ci' } }));
	assert.match(folder.message, /not a plain file/);
});

test('a config an earlier step made, in or outside of the workspace, serves both sides', async (t) => {
	const workspace = { 'benchgate.yml': 'threshold: 6%\n' };
	const made = await load(t, {}, {}, { workspace });
	assert.deepEqual([made.config.threshold, made.sideConfigs, made.relevantChange], [0.06, undefined, false]);
	assert.deepEqual(made.warnings, []);
	const outside = join(makeFolder(t, { 'b.yml': 'threshold: 7%\n' }), 'b.yml');
	const named = await load(t, yml('threshold: 1%\n'), yml('threshold: 2%\n'), { inputs: { config: outside } });
	assert.equal(named.config.threshold, 0.07);
	assert.equal(named.lineOf('ping'), null);
});

test('a base from the registry leaves the gate to the base branch, and without one to head', async (t) => {
	const files = [yml('threshold: 3%\nservers: [express]\n'), yml('threshold: 9%\nservers: [express]\n')] as const;
	const held = await load(t, ...files, { base: 'npm:express@5.1.0', trusted: true });
	assert.equal(held.config.threshold, 0.03);
	const free = await load(t, ...files, { base: 'npm:express@5.1.0' });
	assert.equal(free.config.threshold, 0.09);
	assert.deepEqual(free.warnings, []);
	const folder = await load(t, ...files, {
		head: 'dir:.',
		workspace: { 'benchgate.yaml': 'threshold: 5%\nservers: [koa]\n' },
	});
	assert.deepEqual([folder.config.threshold, names(folder.sideConfigs?.head.servers)], [0.03, ['koa']]);
});

test('two configs on one side are refused with the side', async (t) => {
	const error = await userError(load(t, {}, { 'benchgate.yml': '', 'benchgate.yaml': '' }));
	assert.equal(error.code, 'two-configs');
	assert.match(error.where ?? '', /^head [0-9a-f]{7}$/);
});

test('annotations point into the config of head: the scenario, else the list', async (t) => {
	const text = `# a comment\n${API}scenarios:\n  - core\n${scenario('list-users')}`;
	const side = await load(t, yml(text), yml(`# moved\n\n${text}`));
	assert.deepEqual(side.lineOf('list-users'), { path: 'benchgate.yml', line: 8 });
	assert.deepEqual(side.lineOf('ping'), { path: 'benchgate.yml', line: 6 });
});
