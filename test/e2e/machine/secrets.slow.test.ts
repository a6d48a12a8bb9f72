/** Secrets of the shell that servers, builds and reports must not contain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FLAG_FORMATS, FORMATS } from '../../../src/report/formats.ts';
import { assertExit, makePlayground } from '../../support/cli.ts';

/** One round, then the end. */
const COMPARE =
	'compare --base dir:base --head dir:head --budget 1s --warmup 200ms --seed 1 --skip-unaffected false'.split(' ');
const SECRETS = {
	GITHUB_TOKEN: 'ghs_0secret1',
	ACTIONS_RUNTIME_TOKEN: 'eyJ0secret2',
	NPM_TOKEN: 'npm_0secret3',
	INPUT_X: '0secret4',
	AWS_SECRET_ACCESS_KEY: '0secret5',
};

test('no secret of the shell reaches a build, a server or a report', async (t) => {
	const names = Object.keys(SECRETS);
	const server = `
const seen = ${JSON.stringify(names)}.filter((name) => name in process.env || require('node:fs').readFileSync('built', 'utf8').includes(name));
const body = JSON.stringify({ ok: true, seen, all: Object.keys(process.env).sort() });
// How fast it is decides nothing.
const answer = (_, response) => setTimeout(() => response.end(body), 2);
require('node:http').createServer(answer).listen(process.env.PORT, process.env.HOST);
`;
	const scenario = {
		name: 'names',
		request: { method: 'GET', path: '/' },
		expect: { status: 200, json: { ok: true, seen: [], all: '<any>' } },
		load: { connections: 4 },
	};
	const playground = makePlayground(t, {
		'base/server.js': server,
		'head/server.js': server,
		'benchgate.yml': {
			prepare: 'env > built',
			servers: [{ name: 'api', command: 'node server.js' }],
			scenarios: [scenario],
		},
	});
	const files = FLAG_FORMATS.map((name) => FORMATS[name].file);
	const outputs = FLAG_FORMATS.flatMap((name) => [`--${name}`, FORMATS[name].file]);
	const run = await playground.run([...COMPARE, ...outputs], { env: SECRETS });
	assertExit(run, 0);
	assert.equal(JSON.parse(playground.read('result.json')).cells[0].verdict, 'inconclusive', run.stdout);
	for (const text of [run.stdout, run.stderr, ...files.map(playground.read)]) {
		for (const secret of Object.values(SECRETS)) assert.equal(text.includes(secret), false, secret);
	}
});
