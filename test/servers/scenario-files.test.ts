import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readScenarios } from '../support/servers/scenario-files.ts';

const readDocs = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const scenarios = readScenarios();
const CORE = ['ping', 'param-json', 'auth-get', 'json-post', 'full-pipeline', 'middleware-5'];

test('the core group is the six intended scenarios, all with the same load', () => {
	const core = [...scenarios.values()].filter((scenario) => scenario.groups.includes('core'));
	assert.deepEqual(core.map((scenario) => scenario.name).sort(), CORE.toSorted());
	for (const { load, workers } of scenarios.values()) {
		// All 16 workers get equally many connections.
		assert.deepEqual(load, { connections: workers === undefined ? 20 : 96, pipelining: 1 });
	}
});

test('the ramp sends the request of full-pipeline', () => {
	const requestOf = (name: string) => {
		const { request, expect, checks, load } = scenarios.get(name) ?? assert.fail(name);
		return { request, expect, checks, load };
	};
	assert.deepEqual(requestOf('concurrency-ramp'), requestOf('full-pipeline'));
	assert.deepEqual(scenarios.get('concurrency-ramp')?.ramp, [10, 50, 100, 200, 500]);
});

test('docs/scenarios.md has one row per scenario that matches its file', () => {
	const [builtIn = ''] = readDocs('scenarios.md').split(/\n## Traffic as it is\n|<!-- runs -->/);
	const rows = builtIn
		.split('\n')
		.filter((line) => line.startsWith('| `'))
		.map((line) => line.split(/ *\| */).slice(1, -1));
	assert.deepEqual(rows.map(([name]) => name?.replaceAll('`', '')).sort(), [...scenarios.keys()].sort());
	for (const [name = '', core, request, expected, description] of rows) {
		const scenario = scenarios.get(name.replaceAll('`', ''));
		assert.ok(scenario);
		assert.equal(core, scenario.groups.includes('core') ? '●' : '', name);
		assert.ok(request?.startsWith(`\`${scenario.request.method} ${scenario.request.path}\``), name);
		assert.ok(expected?.startsWith(scenario.expect.status.join(' or ')), name);
		assert.equal(description, scenario.description, name);
	}
});
