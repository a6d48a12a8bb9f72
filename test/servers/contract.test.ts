import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { describeServer, find, QUICK, scenarios } from './contract.ts';
import { assertSameDocuments, type Told } from './same-documents.ts';

const catalogue = await loadServers(TOOL_ROOT);
const quick = catalogue.filter(({ name }) => QUICK.includes(name));

const told: Told[] = [];
for (const server of quick) describeServer(server, { told });

test('shared code of servers exists in servers/shared alone', () => {
	const [, token = ''] = find('auth-get').request.headers.authorization?.split(' ') ?? [];
	assert.ok(readFileSync(join(TOOL_ROOT, 'servers/shared/fixtures.mjs'), 'utf8').includes(token) && token !== '');
	const programs = globSync('servers/*/*.mjs', { cwd: TOOL_ROOT }).filter(
		(file) => !file.startsWith('servers/shared/'),
	);
	assert.ok(programs.length >= QUICK.length);
	for (const file of programs) {
		const program = readFileSync(join(TOOL_ROOT, file), 'utf8');
		assert.ok(!program.includes(token), `${file} has the token`);
		assert.doesNotMatch(program, /minLength|john@example|u_bench/, `${file} has a schema or a document`);
	}
});

test('these servers answer the same documents to all requests, errors included', () => {
	assert.equal(told.length, quick.length);
	assert.ok(told.every(({ documents }) => documents.size > scenarios.size));
	assertSameDocuments(told);
});
