import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generalServers, serversUsing } from '../../src/config/catalogue.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const catalogue = await loadCatalogue(TOOL_ROOT);

test('the general servers are the plain frameworks and node-http', () => {
	const general = ['express', 'fastify', 'hono', 'koa', 'node-http'];
	assert.deepEqual(generalServers(catalogue), general);
});

test('a comparison without named servers loads the general ones, and specialised ones only for their subject', () => {
	const expected = {
		express: ['express'],
		fastify: ['fastify'],
		koa: ['koa'],
		hono: ['hono'],
		'@koa/router': ['koa'],
		ajv: ['express', 'hono', 'koa', 'node-http', 'fastify'],
		zod: [],
		polka: ['polka'],
		'@tinyhttp/app': ['tinyhttp'],
		'@nestjs/core': ['nestjs-express', 'nestjs-fastify'],
		'@nestjs/platform-fastify': ['nestjs-fastify'],
		uwebsockets: ['uws'],
	};
	const chosen = Object.keys(expected).map((name) => [name, serversUsing(name, catalogue)]);
	assert.deepEqual(Object.fromEntries(chosen), expected);
});

test("a server that runs another one's program names a server that has its own", () => {
	const { servers } = catalogue;
	const borrowing = servers.filter(({ code }) => code !== undefined);
	assert.ok(borrowing.length > 0);
	for (const { name, code, about } of borrowing) {
		const lender = servers.find((server) => server.name === code);
		assert.ok(lender && lender.code === undefined, `${name} runs the program of ${code}`);
		assert.ok(about, `${name} does not say what it is about`);
	}
});
