/** Tests the harness itself, with throw-away actions. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pullRequestEvent } from '../support/act/events.ts';
import { type ActOptions, runAct, startAct } from '../support/act/run-act.ts';
import { makeTinyFramework, type TinyFramework } from '../support/act/tiny-framework.ts';
import type { Call } from '../support/github/types.ts';

const WORKFLOW = `
on: pull_request
jobs:
  only:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
      - uses: them/probe@v1
        id: probe
        with: { token: '\${{ github.token }}' }
`;

/** The main step of an action that has not saved anything yet; the post step prints the saved state. */
const action = (main: string) => `
const { appendFileSync } = require('node:fs');
const { spawn, execFileSync } = require('node:child_process');
const put = (file, name, value) => appendFileSync(process.env[file], name + '<<END\\n' + value + '\\nEND\\n');
(async () => {
	if (process.env.STATE_began) return console.log('::notice::post after ' + process.env.STATE_began);
	put('GITHUB_STATE', 'began', 'main');
	${main}
})();
`;

const folder = mkdtempSync(join(tmpdir(), 'benchgate-harness-'));
const calls: Call[] = [];
const server = createServer((request, response) => {
	calls.push({ method: request.method, path: request.url } as Call);
	response.end('{}');
});
let tiny: TinyFramework;

before(async () => {
	tiny = makeTinyFramework(join(folder, 'tiny'));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
});
after(() => {
	server.close();
	rmSync(folder, { recursive: true });
});

function optionsFor(main: string): ActOptions {
	const probe = mkdtempSync(join(folder, 'probe-'));
	mkdirSync(join(probe, 'dist'));
	const inputs = { token: { description: 'a token', required: true } };
	const runs = { using: 'node24', main: 'dist/main.js', post: 'dist/main.js', 'post-if': 'always()' };
	writeFileSync(join(probe, 'action.yml'), JSON.stringify({ name: 'probe', description: 'probe', inputs, runs }));
	writeFileSync(join(probe, 'dist/main.js'), action(main));
	return {
		event: 'pull_request',
		payload: pullRequestEvent(tiny.tip, tiny.heads.equal),
		workflow: WORKFLOW,
		repository: { folder: tiny.folder, sha: tiny.merges.equal },
		double: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls },
		actions: { 'them/probe@v1': probe },
	};
}

test("an action sees GitHub's environment, and the harness sees the action's effects", async (t) => {
	const run = await runAct(
		t,
		optionsFor(`
		const { env } = process;
		put('GITHUB_OUTPUT', 'lines', 'one\\ntwo');
		put('GITHUB_OUTPUT', 'facts', JSON.stringify({
			node: process.versions.node.split('.')[0],
			event: require(env.GITHUB_EVENT_PATH).pull_request.number,
			sha: env.GITHUB_SHA,
			head: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: env.GITHUB_WORKSPACE, encoding: 'utf8' }).trim(),
			repository: env.GITHUB_REPOSITORY,
			token: env.INPUT_TOKEN,
		}));
		appendFileSync(env.GITHUB_STEP_SUMMARY, '# Summary\\n');
		await fetch(env.GITHUB_API_URL + '/repos/o/r');
		console.log('::warning title=Careful::hot');
		process.exitCode = 1;`),
	);
	assert.equal(run.exitCode, 1);
	assert.equal(run.outputs.probe?.lines, 'one\ntwo');
	assert.deepEqual(JSON.parse(run.outputs.probe?.facts ?? ''), {
		node: process.versions.node.split('.')[0],
		event: 12,
		sha: tiny.merges.equal,
		head: tiny.merges.equal,
		repository: 'o/tiny-framework',
		token: run.token,
	});
	assert.equal(run.summary, '# Summary\n');
	assert.deepEqual(run.apiCalls, [{ method: 'GET', path: '/repos/o/r' }]);
	assert.deepEqual(run.messages, [
		{ level: 'warning', title: 'Careful', text: 'hot' },
		{ level: 'notice', title: null, text: 'post after main' },
	]);
	const results = run.steps.filter(({ id }) => id === 'probe').map(({ stage, result }) => `${stage} ${result}`);
	assert.deepEqual(results, ['Main failure', 'Post success']);
});

test('a killed action still gets its post step', async (t) => {
	const running = await startAct(t, optionsFor("console.log('waiting'); setInterval(() => {}, 1000);"));
	await running.says(/^waiting$/m);
	const main = await running.waitFor(/dist\/main\.js/);
	process.kill(main.pid, 'SIGKILL');
	const run = await running.ended;
	assert.equal(run.exitCode, 1);
	assert.equal(run.messages.at(-1)?.text, 'post after main');
});

test('a process that outlives the run is found, even in a session of its own', async (t) => {
	const leak = "spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env: {} }).unref();";
	await assert.rejects(runAct(t, { ...optionsFor(leak), endSeconds: 2 }), /processes outlived the run[\s\S]*sleep 300/);
});
