/** The command in an action's report, run in a clone of the repository, measures the same as the action. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { loadSideConfig, type SideConfig } from '../../../src/action/config/config-source.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { readRequest } from '../../../src/config/load-request.ts';
import { INPUT_OPTIONS, inputOf } from '../../../src/config/option-names.ts';
import { type Presence, planCells, type SideCells } from '../../../src/plan/plan-cells.ts';
import type { BenchCommand } from '../../../src/types/action-run.ts';
import type { Config } from '../../../src/types/config.ts';
import { isUserError, type UserError } from '../../../src/types/errors.ts';
import type { Cell } from '../../../src/types/plan.ts';
import type { Sides } from '../../../src/types/units.ts';
import { compareFlags, flagsIn } from '../../config/example-flags.ts';
import { commit, type Files, git, makeFolder, writeFiles } from '../../prepare/support.ts';
import { openAccess } from '../commits/git-remotes.ts';

/** A repository with both commits, and a clone of it at neither. */
async function makeRepository(t: TestContext, base: Files, head: Files) {
	const folder = makeFolder(t);
	const shas = { base: commit(folder, 'base', { 'package.json': { name: 'express' }, ...base }), head: '' };
	shas.head = commit(folder, 'head', { 'change.js': '1', ...head });
	commit(folder, 'later', { 'benchgate.yml': 'servers: [hono]\nthreshold: 20%\nseed: 99\n' });
	const clone = makeFolder(t);
	git(clone, 'clone', '--quiet', folder, '.');
	writeFiles(clone, { 'package.json': { name: 'fastify' } });
	const access = await openAccess(folder);
	const revisions = { base: `git:${shas.base}`, head: `git:${shas.head}` };
	const load = (raw: Readonly<Record<string, string>>, command: BenchCommand | null = null) =>
		loadSideConfig({ access, inputs: parseInputs(raw), command, revisions, baseTip: null });
	return { load, clone, revisions };
}

function cellsOf(config: Config, sides?: Sides<readonly SideCells[]>) {
	const all = config.servers.map(({ name }) => name);
	const presence = { servers: { base: all, head: all }, ...(sides && { configs: sides }) };
	const cells = planOrNone(config, presence);
	const definition = (list: readonly { readonly name: string }[], name: string) =>
		list.find((one) => one.name === name);
	return cells.map((cell) => ({
		...cell,
		server: definition(config.servers, cell.server),
		scenario: definition(config.scenarios, cell.scenario),
	}));
}

/** A run without a cell ends with an error, and so does its repetition. */
function planOrNone(config: Config, presence: Presence): readonly Cell[] {
	try {
		return planCells(config, presence).cells;
	} catch (error) {
		assert.equal((error as UserError).code, 'no-cells');
		return [];
	}
}

async function assertRepeats({ config, sideConfigs, reproduce }: SideConfig, clone: string, revisions: Sides<string>) {
	const read = flagsIn(reproduce, 'compare');
	const again = await readRequest(clone, read);
	const { file: _file, servers: _servers, scenarios: _scenarios, ...rest } = again.config;
	const { file: _, servers: __, scenarios: ___, ...wanted } = config;
	assert.deepEqual(rest, wanted);
	assert.deepEqual(cellsOf(again.config), cellsOf(config, sideConfigs));
	assert.deepEqual({ base: read.base, head: read.head }, revisions);
	return read;
}

const scenario = (name: string, path = name) =>
	`  - { name: ${name}, request: { path: /${path} }, expect: { status: 200 } }\n`;
const API = 'servers:\n  - { name: api, command: node server.js }\n  - express\n';
const BASE = `${API}scenarios:\n${scenario('kept')}${scenario('gone')}  - ping\nthreshold: 4%\ngate: { metrics: [throughput, latency-p99] }\n`;
const HEAD = `${API}  - koa\nscenarios:\n${scenario('kept', 'moved')}${scenario('added')}  - ping\nthreshold: 9%\nprepare: make\n`;

const CASES: readonly (readonly [string, string | null, string | null])[] = [
	['both sides have a config, and they differ', BASE, HEAD],
	['only head has a config', null, HEAD],
	['only base has a config', BASE, null],
	['there is one config', HEAD, HEAD],
];
/** Names for flags; names that only one side defines are not measured. */
const NAMED = { servers: ['api', 'express'], scenarios: ['kept', 'ping', 'core'] };

for (const [what, base, head] of CASES) {
	test(`${what}: any inputs and any comment`, async (t) => {
		const files = (text: string | null): Files => (text === null ? {} : { 'benchgate.yml': text });
		const { load, clone, revisions } = await makeRepository(t, files(base), files(head));
		const command = fc.option(
			fc.record({
				scenarios: fc.subarray(['ping', 'kept', 'json-post']),
				threshold: fc.constantFrom(undefined, '3%', '7.25%'),
			}),
		);
		const from = fc.constantFrom('base', 'head');
		const flags = compareFlags(NAMED.servers, NAMED.scenarios);
		let requests = 0;
		await fc.assert(
			fc.asyncProperty(flags, command, from, async (given, comment, configFrom) => {
				const { base: _base, head: _head, rounds: _rounds, accept: _accept, ...options } = given;
				const texts: Readonly<Record<string, string | undefined>> = options;
				const raw = INPUT_OPTIONS.flatMap(([name]) => (name in texts ? [[inputOf(name), texts[name] ?? '']] : []));
				let side: SideConfig;
				try {
					side = await load({ ...Object.fromEntries(raw), 'config-from': configFrom }, comment);
				} catch (error) {
					assert.ok(isUserError(error), String(error));
					return;
				}
				requests += 1;
				const read = await assertRepeats(side, clone, revisions);
				assert.equal(read.node, options.node);
			}),
			{ numRuns: 10, seed: 8 },
		);
		assert.ok(requests >= 4, `${requests} requests`);
	});
}

test("a comment's run repeats with the comment's options", async (t) => {
	const { load, clone, revisions } = await makeRepository(t, { 'benchgate.yml': BASE }, { 'benchgate.yml': BASE });
	const inputs = { node: '/opt/node', 'on-inconclusive': 'fail', seed: '7', scenarios: 'kept' };
	const side = await load(inputs, { scenarios: ['ping'], threshold: '3%' });
	await assertRepeats(side, clone, revisions);
	const sides = `--base ${revisions.base} --head ${revisions.head}`;
	const config = `--config ${revisions.base}:benchgate.yml`;
	assert.equal(
		side.reproduce,
		`npx benchgate compare ${sides} --scenario ping ${config} --threshold 3% --seed 7 --on-inconclusive fail --prove auto --profile auto --node /opt/node`,
	);
});

test('without inputs the config is enough', async (t) => {
	const { load, clone, revisions } = await makeRepository(t, { 'benchgate.yml': BASE }, { 'benchgate.yml': BASE });
	const side = await load({ seed: '7' });
	await assertRepeats(side, clone, revisions);
	assert.match(
		side.reproduce,
		/^npx benchgate compare --base \S+ --head \S+ --config git:[0-9a-f]{40}:benchgate\.yml --seed 7 --prove auto --profile auto$/,
	);
});
