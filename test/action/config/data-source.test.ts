/** The data file of a scenario comes from the revision whose config applies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, codes, load, messages, rowsOf, yml } from './side-configs.ts';

const CONFIG = `${API}scenarios:\n  - { name: user, data: users.csv, request: { path: "/{{id}}" }, expect: { status: 200 } }\n`;
const BASE = { ...yml(CONFIG), 'users.csv': 'id\n7\n' };
const CHANGED = { 'users.csv': 'id\n8\n' };
const idsOf = ({ config }: Awaited<ReturnType<typeof load>>) => config.scenarios[0]?.data?.rows.map(({ id }) => id);

test("a pull request that changes the data file is held to base's rows, is measured, and gets a warning", async (t) => {
	const side = await load(t, BASE, CHANGED);
	assert.deepEqual(idsOf(side), ['7']);
	assert.equal(side.relevantChange, true);
	assert.deepEqual(codes(side), ['config-differs']);
	assert.match(messages(side), /^Base and head have different configs: scenario user\. The config of base applies/);
	assert.deepEqual(rowsOf(side).measured, ['api/user']);
	const wished = await load(t, BASE, CHANGED, { inputs: { 'config-from': 'head' } });
	assert.deepEqual(idsOf(wished), ['8']);
});

test("rows that the base branch has changed since make the row newer than base's code", async (t) => {
	const side = await load(t, BASE, { 'x.js': '1' }, { tip: CHANGED });
	assert.deepEqual(idsOf(side), ['8']);
	assert.deepEqual(rowsOf(side).newer, ['api/user']);
	assert.equal(side.relevantChange, false);
	assert.deepEqual(codes(side), []);
});

test("a data file that head deletes is an error of head's config", async (t) => {
	await assert.rejects(load(t, BASE, { 'users.csv': null }), {
		message: /^benchgate\.yml at head [0-9a-f]{7}:4: scenarios\[0\]\.data: users\.csv does not exist/,
	});
});
