/** Every way in which a pull request could loosen its gate through the config, and that base's config prevents it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSideConfig } from '../../../src/action/config/config-source.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import type { Config, CustomServer, Scenario } from '../../../src/types/config.ts';
import { commit, makeFolder } from '../../prepare/support.ts';
import { openAccess } from '../commits/git-remotes.ts';
import { API, codes, GONE, load, messages, names, rowsOf, scenario, yml } from './side-configs.ts';

const BASE = `subject: lib
prepare: npm ci
harness: [bench]
servers:
  - name: api
    command: node server.js
    cwd: bench
    env: { MODE: real }
    ready: { path: /healthz, timeout: 20s }
  - { name: web, command: node web.js, cwd: bench, scenarios: [slow] }
scenarios:
  - name: slow
    request: { method: POST, path: /slow, json: { n: 1 } }
    expect: { status: 200, json: { ok: true }, headers: { etag: <any> } }
    checks:
      - { name: refuses, request: { path: /secret }, expect: { status: 403 } }
    load: { connections: 30, pipelining: 2 }
    threshold: 4%
    tolerance: 1%
  - { name: fine, request: { path: /fine }, expect: { status: 200 } }
threshold: 5%
tolerance: 2%
budget: 12m
design: duet
seed: 7
gate: { on-inconclusive: fail, metrics: [throughput, latency-p99], enforce-after: 2026-12-24 }
`;

const CHECKS = BASE.slice(BASE.indexOf('    checks:'), BASE.indexOf('    load:'));

/** The replacement in a pull request, and its name in the warning. */
const LOOSENINGS: readonly (readonly [what: string, from: string, to: string, told: RegExp])[] = [
	['a wider threshold', 'threshold: 5%', 'threshold: 95%', /: threshold\. /],
	['a wider tolerance', '\ntolerance: 2%', '\ntolerance: 4.9%', /: tolerance\. /],
	['a wider threshold of a scenario', 'threshold: 4%', 'threshold: 90%', /: scenario slow\. /],
	['a wider tolerance of a scenario', 'tolerance: 1%', 'tolerance: 3.9%', /: scenario slow\. /],
	['a budget that decides nothing', 'budget: 12m', 'budget: 1s', /: budget\. /],
	['another design', 'design: duet', 'design: sequential', /: design\. /],
	['a seed it has tried out', 'seed: 7', 'seed: 8', /: seed\. /],
	['inconclusive is as good as passed', 'on-inconclusive: fail', 'on-inconclusive: pass', /: gate\.on-inconclusive\. /],
	['fewer metrics', 'metrics: [throughput, latency-p99]', 'metrics: [memory-peak]', /: gate\.metrics\. /],
	[
		'a wider threshold of a metric',
		'metrics: [throughput, latency-p99]',
		'metrics: [throughput, { name: latency-p99, threshold: 90% }]',
		/: gate\.metrics\. /,
	],
	['any status is right', 'status: 200, json: { ok: true }', 'status: [500, 404, 200]', /: scenario slow\. /],
	['any body is right', ', json: { ok: true }, headers: { etag: <any> }', '', /: scenario slow\. /],
	['no negative case', CHECKS, '', /: scenario slow\. /],
	['a tiny load', 'connections: 30, pipelining: 2', 'connections: 1, pipelining: 1', /: scenario slow\. /],
	['a cheaper request', 'path: /slow', 'path: /fast', /: scenario slow\. /],
	['another time to be ready', 'path: /healthz, timeout: 20s', 'path: /warmed-up, timeout: 1h', /: server api\. /],
	['a variable that makes it fast', 'MODE: real', 'MODE: cheat', /: server api\. /],
	['another program', 'command: node server.js', 'command: node fast.js', /: server api\. /],
	['another folder', 'cwd: bench\n', 'cwd: bench/elsewhere\n', /: server api\. /],
	['another build', 'prepare: npm ci', 'prepare: npm ci && npm run cheat', /: prepare\. /],
	['other bench servers', 'harness: [bench]', 'harness: [bench, fixtures]', /: harness\. /],
	['no bench servers but its own', 'harness: [bench]\n', '', /: harness\. /],
	[
		'a gate that rests for longer',
		'enforce-after: 2026-12-24',
		'enforce-after: 2099-12-24',
		/: gate\.enforce-after\. /,
	],
	['another package', 'subject: lib', 'subject: other', /: subject\. /],
	[
		'a list that leaves out the slow row',
		'scenarios: [slow]',
		'scenarios: [fine]',
		/no longer has the row web\/slow\. It was measured/,
	],
	['the slow scenario deleted', BASE.slice(BASE.indexOf('  - name: slow'), BASE.indexOf('  - { name: fine')), '', /./],
	['the slow scenario renamed', '- name: slow', '- name: slow2', /./],
	[
		'a server renamed',
		'name: api',
		'name: api2',
		/no longer has the server api\. It was measured, as in the config of base/,
	],
];
const ROWS = ['api/slow', 'api/fine', 'web/slow'];

function meaning({ file: _, servers, scenarios, ...rest }: Config, base: Config) {
	const inBase = <T extends { readonly name: string }>(mine: readonly T[], theirs: readonly T[]) =>
		mine.filter(({ name }) => theirs.some((one) => one.name === name));
	return { ...rest, servers: inBase(servers, base.servers), scenarios: inBase(scenarios, base.scenarios) };
}

test("no change of head's config changes how base's rows are measured and judged", async (t) => {
	const folder = makeFolder(t);
	const base = commit(folder, 'base', { 'package.json': { name: 'x' }, ...yml(BASE) });
	const access = await openAccess(folder);
	const loadHead = (head: string) =>
		loadSideConfig({
			access,
			inputs: parseInputs({}),
			command: null,
			revisions: { base: `git:${base}`, head: `git:${head}` },
			baseTip: base,
		});
	const plain = (await loadHead(base)).config;
	const api = plain.servers[0] as CustomServer;
	const slow = plain.scenarios[0] as Scenario;
	// Guard: the values that the cases replace exist.
	assert.deepEqual(
		[api.cwd, api.env, api.ready],
		['bench', { MODE: 'real' }, { path: '/healthz', timeoutSeconds: 20 }],
	);
	assert.deepEqual([slow.threshold, slow.tolerance, slow.load.connections, slow.checks.length], [0.04, 0.01, 30, 1]);
	for (const [index, [what, from, to, told]] of LOOSENINGS.entries()) {
		const loose = BASE.replace(from, to);
		assert.notEqual(loose, BASE, what);
		// A name without entries would be an error of head's.
		const head = what.startsWith('the slow scenario') ? loose.replace('scenarios: [slow]', 'scenarios: [fine]') : loose;
		const side = await loadHead(commit(folder, `head${index}`, yml(head)));
		assert.deepEqual(meaning(side.config, plain), meaning(plain, plain), what);
		assert.deepEqual(rowsOf(side).measured, ROWS, what);
		assert.deepEqual([side.adopting, side.relevantChange], [false, true], what);
		assert.match(messages(side), told, what);
	}
});

test('deleted, renamed and emptied names: all rows are measured, and the report lists them', async (t) => {
	const base = `${API}scenarios:\n${scenario('slow')}${scenario('fine')}`;
	const deleted = await load(t, yml(base), yml(base.replace(scenario('slow'), '')));
	assert.equal(
		messages(deleted),
		"Head's benchgate.yml no longer has the scenario slow. It was measured, as in the config of base.",
	);
	const renamed = await load(
		t,
		yml(base),
		yml(base.replace('name: slow', 'name: slow2').replace('name: fine', 'name: fine2')),
	);
	assert.deepEqual(rowsOf(renamed), {
		measured: ['api/slow', 'api/fine'],
		newer: [],
		unserved: [],
		oneSided: ['api/slow2 new', 'api/fine2 new'],
	});
	assert.match(
		messages(renamed),
		/the scenario slow, the scenario fine\. They were measured, as in the config of base/,
	);
	const emptied = await load(t, yml(base), yml('threshold: 90%\nservers: [express]\n'));
	assert.deepEqual(rowsOf(emptied).measured, ['api/slow', 'api/fine']);
	assert.match(messages(emptied), /the server api, the scenario slow, the scenario fine\./);
	const gone = await load(t, yml(base), { 'benchgate.yml': GONE });
	assert.deepEqual([rowsOf(gone).measured, codes(gone)], [['api/slow', 'api/fine'], ['config-removes']]);
});

test("a first scenario in head's config does not remove the built-in ones from a bare server of base", async (t) => {
	const base = `${API}scenarios: [ping, json-post]\n`;
	const side = await load(t, yml(base), yml(`${base.replace('[ping, json-post]', '')}\n  - ping\n${scenario('own')}`));
	assert.deepEqual(rowsOf(side), {
		measured: ['api/ping', 'api/json-post'],
		newer: [],
		unserved: [],
		oneSided: ['api/own new'],
	});
	assert.match(messages(side), /the scenario json-post, the row api\/ping\./);
});

test('many differences are counted, not listed', async (t) => {
	const many = Array.from({ length: 15 }, (_, index) => scenario(`s${index}`)).join('');
	const side = await load(t, yml(`${API}scenarios:\n${many}`), yml(`${API}scenarios:\n${scenario('other')}`));
	assert.match(messages(side), /the scenario s9 and 5 more\. They were/);
	assert.equal(rowsOf(side).measured.length, 15);
});

test('a folder that head cannot serve any more leaves its rows removed', async (t) => {
	const base = `${API}  - { name: web, command: node web.js, cwd: web }\nscenarios:\n${scenario('a')}`;
	const side = await load(t, yml(base), yml(base.replace('cwd: web', 'cwd: moved')));
	assert.deepEqual(rowsOf(side, { head: ['web'] }), {
		measured: ['api/a'],
		newer: [],
		unserved: [],
		oneSided: ['web/a removed'],
	});
});

test('config-from: head does not measure rows only in base, and says so', async (t) => {
	const base = `${API}scenarios:\n${scenario('kept')}${scenario('gone')}`;
	const head = `${API}scenarios:\n${scenario('kept')}${scenario('added')}`;
	const side = await load(t, yml(base), yml(head), { inputs: { 'config-from': 'head' } });
	assert.deepEqual(rowsOf(side), {
		measured: ['api/kept'],
		newer: [],
		unserved: [],
		oneSided: ['api/added new', 'api/gone removed'],
	});
	assert.match(
		messages(side),
		/no longer has the scenario gone\. The config of head applies \(config-from: head\), so it was not measured/,
	);
});

test('the package keeps the name on the base branch: head cannot choose other servers by a new name', async (t) => {
	const named = (name: string) => ({ 'package.json': { name, version: '1.0.0' } });
	const workspace = named('koa');
	for (const config of [{}, yml('threshold: 3%\n')]) {
		const side = await load(t, config, workspace, { workspace });
		assert.deepEqual(names(side.config.servers), ['express']);
	}
	const inFolder = { 'packages/core/package.json': { name: 'hono' }, ...yml('subject: packages/core\n') };
	const side = await load(
		t,
		inFolder,
		{ 'packages/core/package.json': { name: 'koa' } },
		{
			workspace: { 'packages/core/package.json': { name: 'koa' } },
		},
	);
	assert.deepEqual(names(side.config.servers), ['hono']);
	const unreadable = await load(t, { 'package.json': '{' }, {});
	assert.deepEqual(names(unreadable.config.servers), ['express']);
});
