/** A selftest of two lanes with real servers, on two CPUs that the lanes have to share. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readSelftest } from '../../../src/config/load-request.ts';
import { renderSelftestJson } from '../../../src/formats/json-files.ts';
import { affinityOn } from '../../../src/measure/affinity.ts';
import { readCpuFacts } from '../../../src/measure/lanes/cpu-facts.ts';
import { toTerminal } from '../../../src/report/document/terminal-writer.ts';
import { selftestDocument } from '../../../src/report/selftest-document.ts';
import { runSelftest } from '../../../src/runs/selftest/run-selftest.ts';
import { SELFTEST_SCHEMA } from '../../../src/types/selftest.ts';
import { openSetting } from '../../prepare/support.ts';
import { strictly } from '../../support/strict-schema.ts';

test('it measures alone and in both lanes, and reports the outcome', async (t: TestContext) => {
	const [first, second] = readCpuFacts().allowed;
	if (first === undefined || second === undefined) return t.skip('one CPU');
	const lane = { server: first, generator: second, oneCore: false, exposed: [] };
	const forced = { ...affinityOn(lane, true), generatorAlone: false };
	if (!forced.pinned) return t.skip(forced.note);
	const { context } = await openSetting(t, { cwd: process.cwd() });
	const { janitor, progress, signal, node } = context;
	const flags = { server: 'node-http', scenario: 'ping', budget: '16s', warmup: '200ms', seed: '5', lanes: '2' };
	const { config, reproduce } = await readSelftest(flags);
	const result = await runSelftest({
		...{ config, reproduce, janitor, progress, signal, node },
		cwd: process.cwd(),
		cacheFolder: context.cacheFolder,
		lanes: { lanes: [forced, forced], orchestrator: null, warnings: [] },
	});
	assert.match(reproduce, / --lanes 2 /);
	const { lanes } = result;
	assert.ok(lanes);
	assert.equal(lanes.lanes, 2);
	assert.ok((lanes.bias?.rounds ?? 0) >= 2, 'both lanes measured a server against itself');
	assert.equal(lanes.bias?.rounds, 2 * ((lanes.bias?.rounds ?? 0) / 2));
	const text = toTerminal(selftestDocument(result), { colour: false, width: 200 });
	assert.match(text, /^Lanes: 2 at once: /m);
	const validate = new Ajv2020({ allowUnionTypes: true }).compile(strictly(SELFTEST_SCHEMA));
	validate(JSON.parse(renderSelftestJson(result)));
	assert.deepEqual(validate.errors, null);
});
