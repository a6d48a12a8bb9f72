import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import satisfies from 'semver/functions/satisfies.js';
import { renderList } from '../../src/cli/list-command.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { INITIAL_WORKFLOWS, WORKFLOW_FOLDER } from '../../src/init/initial-workflow.ts';
import { writeInitialConfig } from '../../src/init/write-initial-config.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { CATALOGUE } from './example-catalogue.ts';

async function folderWith(context: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'benchgate-config-'));
	context.after(() => rm(folder, { recursive: true }));
	for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
	return folder;
}

for (const name of ['benchgate.yml', 'benchgate.yaml']) {
	test(`${name} is found`, async (context) => {
		const folder = await folderWith(context, { [name]: 'seed: 3' });
		assert.deepEqual(await loadConfig(folder, undefined, CATALOGUE), { file: name, seed: 3 });
	});
}

test('a folder without config gives null', async (context) => {
	assert.equal(await loadConfig(await folderWith(context, {}), undefined, CATALOGUE), null);
});

test('two configs are refused unless one is chosen', async (context) => {
	const folder = await folderWith(context, { 'benchgate.yml': 'seed: 1', 'benchgate.yaml': 'seed: 2' });
	await assert.rejects(loadConfig(folder, undefined, CATALOGUE), { code: 'two-configs' });
	assert.equal((await loadConfig(folder, 'benchgate.yaml', CATALOGUE))?.seed, 2);
});

test('a chosen config that is missing or a folder is refused', async (context) => {
	const folder = await folderWith(context, {});
	const missing = loadConfig(folder, 'ci/bench.yml', CATALOGUE);
	await assert.rejects(missing, { name: 'UserError', where: 'ci/bench.yml', message: 'there is no such config' });
	await assert.rejects(loadConfig(folder, '.', CATALOGUE), { message: 'the config cannot be read (EISDIR)' });
});

test('the servers and scenarios of this repository load', async () => {
	const { servers, scenarios } = await loadCatalogue(TOOL_ROOT);
	const express = servers.find(({ name }) => name === 'express');
	assert.ok(express?.dependencies.includes('express'));
	assert.ok(scenarios.some(({ groups }) => groups.includes('core')));
});

test('a tool folder without servers is refused', async (context) => {
	await assert.rejects(loadCatalogue(await folderWith(context, {})), { code: 'incomplete-installation' });
});

test('init writes a config for a framework', async (context) => {
	const folder = await folderWith(context, { 'package.json': '{ "name": "fastify" }' });
	const { summary: said } = await writeInitialConfig(folder);
	assert.match(said, /^Wrote benchgate\.yml\. It loads fastify\.\n/);
	const file = await loadConfig(folder, undefined, await loadCatalogue(TOOL_ROOT));
	assert.deepEqual([file?.subject, file?.servers, file?.scenarios], ['.', ['fastify'], ['auto']]);
});

test('init writes the workflows at the top of a repository, and only if none uses the action', async (context) => {
	const folder = await folderWith(context, { 'package.json': '{ "name": "fastify" }', '.git': 'gitdir: elsewhere' });
	const { summary: said } = await writeInitialConfig(folder);
	const [measuring, reporting, baseline, ...others] = INITIAL_WORKFLOWS;
	assert.ok(measuring && reporting && baseline && others.length === 0);
	for (const { file, text } of INITIAL_WORKFLOWS) {
		assert.ok(said.includes(`Wrote ${file}, which `), said);
		assert.equal(await readFile(path.join(folder, file), 'utf8'), text);
	}

	await rm(path.join(folder, 'benchgate.yml'));
	await rm(path.join(folder, reporting.file));
	await rm(path.join(folder, baseline.file));
	await rename(path.join(folder, measuring.file), path.join(folder, WORKFLOW_FOLDER, 'ours.yml'));
	assert.doesNotMatch((await writeInitialConfig(folder)).summary, /workflow/);
	for (const { file } of INITIAL_WORKFLOWS) {
		await assert.rejects(readFile(path.join(folder, file)), { code: 'ENOENT' });
	}

	const elsewhere = await folderWith(context, { 'package.json': '{ "name": "fastify" }' });
	assert.match(
		(await writeInitialConfig(elsewhere)).summary,
		/No workflow was written, because this folder is not the top/,
	);
});

test('init writes the branch that a clone records as the default one', async (context) => {
	const folder = await folderWith(context, { 'package.json': '{ "name": "fastify" }' });
	await mkdir(path.join(folder, '.git/refs/remotes/origin'), { recursive: true });
	await writeFile(path.join(folder, '.git/refs/remotes/origin/HEAD'), 'ref: refs/remotes/origin/trunk\n');
	await writeInitialConfig(folder);
	const baseline = INITIAL_WORKFLOWS[2]?.file ?? '';
	assert.match(await readFile(path.join(folder, baseline), 'utf8'), /branches: \[trunk\]/);
});

test('init leaves a workflow of the same name unchanged, and writes the other', async (context) => {
	const [measuring, reporting] = INITIAL_WORKFLOWS;
	assert.ok(measuring && reporting);
	const folder = await folderWith(context, { 'package.json': '{ "name": "fastify" }', '.git': 'gitdir: elsewhere' });
	await mkdir(path.join(folder, WORKFLOW_FOLDER), { recursive: true });
	await writeFile(path.join(folder, measuring.file), 'on: push\n');
	const { summary: said } = await writeInitialConfig(folder);
	assert.ok(said.includes(`Did not write ${measuring.file} (EEXIST)`), said);
	assert.equal(await readFile(path.join(folder, measuring.file), 'utf8'), 'on: push\n');
	assert.equal(await readFile(path.join(folder, reporting.file), 'utf8'), reporting.text);
});

test('init never overwrites', async (context) => {
	const folder = await folderWith(context, { 'benchgate.yaml': 'seed: 1' });
	await assert.rejects(writeInitialConfig(folder), { code: 'config-exists', where: 'benchgate.yaml' });
	assert.equal(await readFile(path.join(folder, 'benchgate.yaml'), 'utf8'), 'seed: 1');
	await assert.rejects(readFile(path.join(folder, 'benchgate.yml')), { code: 'ENOENT' });
});

test('init adds workflows to a config that was written before the folder was a git repository', async (context) => {
	const folder = await folderWith(context, { 'package.json': '{ "name": "fastify" }' });
	const first = await writeInitialConfig(folder);
	assert.match(first.summary, /No workflow was written, because this folder is not the top of a git repository\./);
	await writeFile(path.join(folder, '.git'), 'gitdir: elsewhere');
	const { summary: said } = await writeInitialConfig(folder);
	assert.match(said, /^benchgate\.yml is left as it is\.\nWrote \.github\/workflows\/benchgate\.yml/);
	await assert.rejects(writeInitialConfig(folder), { code: 'config-exists' });
});

test('init reports a broken package.json', async (context) => {
	const folder = await folderWith(context, { 'package.json': '{' });
	await assert.rejects(writeInitialConfig(folder), { code: 'bad-package' });
});

const MACHINE = { node: '24.1.0', glibc: null, missing: new Set<string>(), satisfies };

test('list shows servers and scenarios, one line each', () => {
	assert.equal(
		renderList(CATALOGUE, MACHINE),
		`Servers
  express    express 5.3.0   Express.
  fastify    fastify 5.12.8  Fastify.
  node-http                  No framework.

Scenarios
  ping         GET /ping         all, core  What ping does.
  json-post    GET /json-post    all, core  What json-post does.
  validate-10  GET /validate-10  all        What validate-10 does.
`,
	);
});

test('list shows which servers cannot run here, with a remedy', () => {
	const go = { name: 'go', description: 'Go.', dependencies: [], programs: ['go'] };
	const old = { ...go, name: 'old', programs: [], node: '<22' };
	const servers = [...CATALOGUE.servers, go, old, { ...old, name: 'own', runtime: 'node@20' }];
	const list = renderList({ ...CATALOGUE, servers }, { ...MACHINE, missing: new Set(['go']) });
	const [, unsupported] = list.split('\n\nNot supported here\n');
	assert.deepEqual(unsupported?.trimEnd().split('\n'), [
		'  go   Go is not installed: install it (https://go.dev/doc/install), so that go is on PATH',
		'  old  it needs Node <22, and this is 24.1.0: give the path of such a Node with --node',
		'  own  it needs Node <22, and this is 24.1.0: use such a Node with --runtime node@20, or give the path of one with --node',
	]);
});
