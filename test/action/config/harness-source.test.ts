/** Bench servers come from the revision whose config applies; from head only if head's config applies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, load, scenario, yml } from './side-configs.ts';

const CONFIG = `harness: [bench]\n${API.replace(/command: node server\.js/, 'command: node server.js, cwd: bench')}scenarios:\n${scenario('a')}`;
const TIP = { 'bench/server.js': 'tip' };

test("a pull request always runs those of the base branch's tip", async (t) => {
	const side = await load(t, yml(CONFIG), yml(`${CONFIG}threshold: 9%\n`), { tip: TIP });
	assert.equal(side.harnessFrom, `git:${side.shas.tip}`);
	assert.notEqual(side.shas.tip, side.shas.base);
});

test('a push runs those of base', async (t) => {
	const side = await load(t, yml(CONFIG), { 'x.js': '1' }, { push: true });
	assert.equal(side.harnessFrom, `git:${side.shas.base}`);
});

test("head's are used if head's config applies: the first one, and with config-from: head", async (t) => {
	const first = await load(t, {}, yml(CONFIG));
	assert.deepEqual([first.adopting, first.harnessFrom], [true, `git:${first.shas.head}`]);
	const wished = await load(t, yml(CONFIG), yml(CONFIG), { inputs: { 'config-from': 'head' } });
	assert.equal(wished.harnessFrom, `git:${wished.shas.head}`);
});

test("with a config of the workspace the base branch's are used: files beside it may be head's", async (t) => {
	const workspace = { 'made/bench.yml': CONFIG };
	const inputs = { config: 'made/bench.yml' };
	const side = await load(t, {}, { 'x.js': '1' }, { workspace, inputs });
	assert.equal(side.harnessFrom, `git:${side.shas.tip}`);
	const pushed = await load(t, {}, { 'x.js': '1' }, { workspace, inputs, push: true });
	assert.equal(pushed.harnessFrom, undefined);
});
