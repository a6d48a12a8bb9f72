/** Servers that write files while they are measured: their own data, and the program of their rival. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertExit, makePlayground } from '../../support/cli.ts';

/** Without isolation: otherwise no server can write there, neither the rival's nor its own. */
const COMPARE =
	'compare --base dir:base --head dir:head --budget 1s --warmup 200ms --seed 1 --isolation none --skip-unaffected false'.split(
		' ',
	);
const CONFIG = {
	servers: [{ name: 'api', command: 'node server.js' }],
	scenarios: [
		{
			name: 'hello',
			request: { method: 'GET', path: '/' },
			expect: { status: 200, json: { ok: true } },
			load: { connections: 4 },
		},
	],
};

const server = (first: string) => `
const fs = require('node:fs');
${first}
// How fast it is decides nothing.
const answer = (_, response) => setTimeout(() => response.end(JSON.stringify({ ok: true })), 2);
require('node:http').createServer(answer).listen(process.env.PORT, process.env.HOST);
`;

test('a head whose server edits the program of base while both run ends the run with code 3 and the name of the file', async (t) => {
	// The folder of the checkout: base's is beside it.
	const attack = `for (const name of fs.readdirSync('..')) {
	const file = '../' + name + '/server.js';
	if (fs.existsSync(file) && fs.realpathSync(file) !== fs.realpathSync('server.js')) fs.appendFileSync(file, '// slower\\n');
}`;
	const files = { 'base/server.js': server(''), 'head/server.js': server(attack), 'benchgate.yml': CONFIG };
	const run = await makePlayground(t, files).run(COMPARE);
	assertExit(run, 3);
	assert.match(run.stderr, /the installed files of base: they were changed .*: server\.js\./);
});

test('a server that writes data, logs and caches into its folder is measured', async (t) => {
	const writes = `fs.mkdirSync('node_modules/.cache', { recursive: true });
for (const file of ['data.db', 'access.log', 'node_modules/.cache/x.js']) fs.appendFileSync(file, process.pid + '\\n');
setInterval(() => fs.appendFileSync('access.log', 'line\\n'), 20);`;
	const files = { 'server.js': server(writes), 'data.db': 'rows' };
	const both = ['base', 'head'].flatMap((side) =>
		Object.entries(files).map(([name, text]) => [`${side}/${name}`, text]),
	);
	const playground = makePlayground(t, { ...Object.fromEntries(both), 'benchgate.yml': CONFIG });
	const run = await playground.run([...COMPARE, '--json', 'result.json']);
	assertExit(run, 0);
	assert.equal(JSON.parse(playground.read('result.json')).cells[0].verdict, 'inconclusive', run.stdout);
});
