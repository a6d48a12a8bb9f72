import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plannedVersions } from '../../../src/config/ranking/planned-versions.ts';
import type { ServerSpec } from '../../../src/types/config.ts';
import { CATALOGUE } from '../example-catalogue.ts';

const named = (...names: string[]): ServerSpec[] => names.map((name) => ({ kind: 'built-in', name }));
const catalogue = {
	...CATALOGUE,
	servers: [
		...CATALOGUE.servers,
		{ name: 'bun', description: 'Bun.', dependencies: [], runtime: 'bun' },
		{ name: 'uws', description: 'uWS.', dependencies: [], node: '>=14 <22', runtime: 'node@20' },
	],
};

test('a server runs the requested version, else the pinned one, and a place is no version', () => {
	const packages = [
		{ name: 'express', place: '5.2.1' },
		{ name: 'fastify', place: './fastify.tgz' },
	];
	const servers = plannedVersions({ servers: named('express', 'fastify'), packages }, catalogue, () => true);
	assert.deepEqual(
		servers.map(({ versions }) => versions),
		[{ express: '5.2.1', etag: '1.8.1' }, {}],
	);
});

test('a server runs on the requested runtime, else on the one it needs if the current Node does not suffice', () => {
	const runtimes = (runsHere: boolean, ...names: string[]) =>
		plannedVersions({ servers: named(...names) }, catalogue, () => runsHere).map(({ runtime }) => runtime);
	assert.deepEqual(runtimes(false, 'express', 'express on node@22', 'bun', 'uws'), [
		undefined,
		{ name: 'node', version: '22' },
		{ name: 'bun', version: '' },
		{ name: 'node', version: '20' },
	]);
	assert.deepEqual(runtimes(true, 'uws'), [undefined]);
});
