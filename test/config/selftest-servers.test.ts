/** The servers of a selftest: those it can slow down. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveSelftest } from '../../src/config/resolve-request.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const CATALOGUE = await loadCatalogue(TOOL_ROOT);
const serversOf = (server?: string) =>
	resolveSelftest(server === undefined ? {} : { server }, CATALOGUE, () => 1).config.servers.map(({ name }) => name);

test('without names it takes the general servers, which docs/selftest.md counts', () => {
	assert.deepEqual(serversOf().toSorted(), ['express', 'fastify', 'hono', 'koa', 'node-http']);
});

test('a server on another Node is slowed down like any other', () => {
	assert.deepEqual(serversOf('uws,koa'), ['uws', 'koa']);
});

for (const name of ['go', 'python', 'bun', 'pikku-bun']) {
	test(`${name} is refused, because no injection slows it down`, () => {
		assert.throws(() => serversOf(`koa,${name}`), {
			message: new RegExp(`server ${name} does not run on Node, so a selftest cannot slow it down`),
		});
	});
}
