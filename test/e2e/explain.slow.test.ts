/** `benchgate explain`, and the explanation under a red row, with real servers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../src/types/explain.ts';
import { assertExit, assertNoProcess, configOf, makePlayground, type Playground } from '../support/cli.ts';

const SERVER = `import { createServer } from 'node:http';
import { work } from './work.mjs';
function answer(request, response) {
	work();
	response.setHeader('content-type', 'application/json');
	response.end('{"ok":true}');
}
createServer(answer).listen(Number(process.env.PORT), process.env.HOST);
`;
const WORK = `export function work() {
	let sum = 0;
	for (let at = 0; at < 20_000; at++) sum += at % 7;
	return sum;
}
`;
/** Writes to the probe's socket itself. */
const FORGING = `import { connect } from 'node:net';
const [, port] = /%22port%22%3A(\\d+)/.exec(process.env.NODE_OPTIONS) ?? [];
if (port) for (const line of ['{"pid":"x"}', 'no JSON', '{"scripts":[1]}', '[]']) {
	const socket = connect(Number(port), '127.0.0.1', () => socket.write(line + '\\n'));
	socket.on('error', () => {}).unref();
}
`;
const SIDES = ['--base', 'dir:base', '--head', 'dir:head', '--isolation', 'none'];
const TWICE = SERVER.replace('\twork();', '\twork();\n\twork();\n\twork();');

const sides = (head: string) => ({
	...{ 'base/server.mjs': SERVER, 'head/server.mjs': head, 'base/work.mjs': WORK, 'head/work.mjs': WORK },
});
const server = (command: string, more = {}) => configOf([{ name: 'api', command, ready: { timeout: '30s' } }], more);
const read = (playground: Playground) => JSON.parse(playground.read('explain.json')) as Explanation;

test('a comparison lists under a red row the functions that head runs more often, and the verdict does not depend on it', async (t) => {
	const gate = { metrics: ['throughput', { name: 'calls', threshold: '+5%' }] };
	const playground = makePlayground(t, { ...sides(TWICE), 'benchgate.yml': server('node server.mjs', { gate }) });
	const files = '--raw raw.json --json result.json --html report.html --explanation explain.json'.split(' ');
	const counted = '--rounds 4 --seed 7 --budget 1m --prove never --profile never'.split(' ');
	const run = await playground.run(['compare', ...SIDES, ...counted, ...files]);
	assertExit(run, 1);
	assert.match(run.stdout, /^api\/ok +calls +\+100 % +exact/m);
	assert.match(
		run.stdout,
		/^Why \(counted\): answer \([a-z./]+:\d+, changed\s+here\) calls work, which runs 3×\s+instead\s+of\s+1×\s+a\s+request\s+\(work\.mjs:1\)/m,
	);
	assert.match(playground.read('report.html'), /<code>work<\/code>, which runs 3× instead of 1×/);
	const [row] = read(playground).rows;
	assert.deepEqual([row?.verdict, row?.counts?.functions[0]?.name, row?.unreached], ['regressed', 'work', []]);
	assertExit(await playground.run(['judge', 'raw.json', '--json', 'judged.json']), 1);
	assert.equal(playground.read('judged.json'), playground.read('result.json'));

	const stored = [
		'explain',
		'raw.json',
		'--isolation',
		'none',
		'--prove',
		'never',
		'--profile',
		'never',
		'--json',
		'explain.json',
	];
	assertExit(await playground.run(stored), 0);
	const [again] = read(playground).rows;
	assert.deepEqual(again?.counts?.functions, row?.counts?.functions);
	await assertNoProcess(playground);
});

test('reports gaps of its counts, and a forged report ends nothing', async (t) => {
	const playground = makePlayground(t, {
		...sides(FORGING + TWICE),
		'benchgate.yml': server('node server.mjs'),
		'unprobed.yml': server('env -u NODE_OPTIONS node server.mjs'),
	});
	const explain = ['explain', ...SIDES, '--prove', 'never', '--profile', 'never'];
	assertExit(await playground.run([...explain, '--json', 'explain.json']), 0);
	assert.equal(read(playground).rows.length, 1);
	const unprobed = await playground.run([...explain, '--config', 'unprobed.yml']);
	assertExit(unprobed, 0);
	assert.match(unprobed.stdout, /Not located: calls are counted in Node programs alone\./);
	const missing = await playground.run(['explain', 'absent.json']);
	assertExit(missing, 2);
	assert.match(missing.stderr, /absent\.json: there is no such file/);
	await assertNoProcess(playground);
});
