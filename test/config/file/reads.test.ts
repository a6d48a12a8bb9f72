import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../../src/config/file/parse-config.ts';
import { resolveConfig } from '../../../src/config/resolve-config.ts';
import { CATALOGUE } from '../example-catalogue.ts';

const parse = (text: string) => parseConfig(text, 'benchgate.yml', CATALOGUE);

test('`reads` takes paths within a repository, for all servers and for one', () => {
	const text = 'reads: [./lib/, tools//a.js]\nservers: [{ name: api, command: node server.js, reads: [./api/] }]\n';
	const config = resolveConfig(parse(text), { scenario: 'ping' }, CATALOGUE, () => 1);
	assert.deepEqual(config.reads, ['lib', 'tools/a.js']);
	assert.deepEqual(
		config.servers.map((server) => server.kind === 'custom' && server.reads),
		[['api']],
	);
	const silent = resolveConfig(parse(''), { server: 'express' }, CATALOGUE, () => 1);
	assert.equal(Object.keys(silent).includes('reads'), false);
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
	[
		'reads: [../lib]\n',
		/^benchgate\.yml:1: reads\[0\]: "\.\.\/lib" is not allowed; a folder or file inside of the repository/,
	],
	['reads: [lib, /lib]\n', /^benchgate\.yml:1: reads\[1\]: "\/lib" is not allowed/],
	[
		'reads: [packages/*]\n',
		/^benchgate\.yml:1: reads\[0\]: "packages\/\*" is not allowed; no patterns: a folder stands for everything in it/,
	],
	['reads: []\n', /a list of folders and files/],
	['reads: lib\n', /"lib" is not allowed; a list of folders and files/],
	[
		'servers:\n  - name: api\n    command: node server.js\n    reads: [node_modules/a]\n',
		/^benchgate\.yml:4: servers\[0\]\.reads\[0\]: "node_modules\/a" is not allowed/,
	],
];

for (const [text, message] of REFUSED) {
	test(`refused: ${text.split('\n').at(-2)}`, () => {
		assert.throws(() => parse(text), { message });
	});
}
