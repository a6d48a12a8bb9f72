import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { exploreRoutes } from '../../src/init/explore-routes.ts';
import { routeScenarios, SAFE_METHODS } from '../../src/init/scenario-lines.ts';
import { ask as askServer } from '../../src/measure/answers/ask.ts';

/** Returns the scenarios written for these routes, beside a server with this handler. */
async function explore(t: TestContext, routes: readonly string[], answer: RequestListener) {
	const server = createServer(answer).listen(0, '127.0.0.1');
	t.after(() => void server.close());
	await new Promise((resolve) => server.once('listening', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const ask = (path: string) => askServer(origin, { method: 'GET', path, headers: {} }, { timeoutMs: 2_000 });
	const { lines, note } = await exploreRoutes(ask, routeScenarios(routes, null, []), SAFE_METHODS, []);
	const scenarios: { request: { path: string } }[] = parse(lines?.text ?? '')?.scenarios ?? [];
	return { note, text: lines?.text ?? '', paths: scenarios.map(({ request }) => request.path) };
}

test('of the found routes only those that answer are requested', async (t) => {
	const { note, text, paths } = await explore(
		t,
		['/users', '/me', '/gone', '/old', '/users/:id'],
		({ url }, response) => {
			if (url === '/users') return response.end('[]');
			if (url === '/me') return response.writeHead(401).end();
			if (url === '/old') return response.writeHead(308, { location: '/users' }).end();
			response.writeHead(404).end();
		},
	);
	assert.deepEqual(paths, ['/users']);
	assert.equal(note, 'The server answered 1 of 4 routes as expected.');
	assert.match(text, /# GET \/me: it answered 401, so it needs a login in headers\n/);
	assert.match(text, /# GET \/gone: it answered 404\n/);
	assert.match(text, /# GET \/old: it answered 308, to \/users\n/);
	assert.match(text, /# GET \/users\/:id: put a value in its path\n/);
});

test('a prefix that the code does not show is found by requests', async (t) => {
	const { paths, text } = await explore(t, ['/tags', '/articles'], ({ url }, response) => {
		response.writeHead(url?.startsWith('/api/') ? 200 : 404).end('{}');
	});
	assert.deepEqual(paths, ['/api/tags', '/api/articles']);
	assert.match(text, /answered by the server/);
});

test('a served document provides its routes', async (t) => {
	const operation = (operationId: string) => ({ get: { operationId, responses: { 200: { description: 'ok' } } } });
	const document = { openapi: '3.1.0', paths: { '/items': operation('items'), '/broken': operation('broken') } };
	const { note, paths, text } = await explore(t, ['/items', '/other'], ({ url }, response) => {
		if (url === '/docs/json') return response.end(JSON.stringify(document));
		response.writeHead(url === '/items' || url === '/other' ? 200 : 500).end('{}');
	});
	assert.deepEqual(paths, ['/items', '/other']);
	assert.match(
		note,
		/^The server answered 2 of 3 routes as expected\. It serves an OpenAPI document at \/docs\/json, /,
	);
	assert.match(text, /# GET \/broken: it answered 500\n/);
});

test('without any answer no scenario is written', async (t) => {
	const { note, text } = await explore(t, ['/a'], (_, response) => response.writeHead(404).end('{"openapi":"3.1.0"}'));
	assert.deepEqual([note, text], ['The server answered 0 of 1 route as expected.', '']);
});
