/** A weighted mix against real servers: its requests, their order, and the name of a failing one. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openClient, openRing } from '../../src/measure/generator/client.ts';
import { planTraffic } from '../../src/plan/traffic.ts';
import type { Scenario } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { listen } from '../support/servers/http-server.ts';
import { loaded, look, SHOP } from './mix-laboratory.ts';

/** The requests that `connections` send to a server up to at least `least`: method, path and body of each. */
async function sent(scenario: Scenario, connections: number, pipelining: number, least: number): Promise<string[]> {
	const got: string[] = [];
	await using server = await listen(
		createServer(async (request, response) => {
			const at = got.push('') - 1;
			let body = '';
			for await (const chunk of request) body += chunk;
			got[at] = `${request.method} ${request.url} ${body}`.trimEnd();
			// For HEAD too, whose answers announce a length and have no body.
			response.setHeader('content-length', 2);
			response.end(request.method === 'HEAD' ? undefined : 'ok');
		}),
	);
	const traffic = planTraffic(scenario, 5);
	assert.ok(traffic && scenario.mix);
	const ring = openRing(
		server.origin,
		scenario.mix.map(({ request }) => request),
		traffic,
	);
	const counts = scenario.mix.map(() => 0);
	const client = openClient(
		server.origin,
		scenario.request,
		{ connections, pipelining },
		{
			onAnswer: (_status, _bytes, _milliseconds, place) => {
				counts[place.request] = (counts[place.request] ?? 0) + 1;
			},
			onError: (error) => got.push(error.message),
			onOpen: () => {},
		},
		ring,
	);
	for (let waited = 0; got.length < least && waited < 600; waited++) await delay(50);
	await client.close();
	assert.ok(got.length >= least, `${got.length} requests`);
	const answered = counts.reduce((sum, count) => sum + count, 0);
	assert.ok(answered <= got.length && answered >= got.length - connections * pipelining, `${answered} answers`);
	return got;
}

/** The requests of one lap. */
function lapOf(scenario: Scenario): string[] {
	const traffic = planTraffic(scenario, 5);
	return (traffic?.requests ?? []).map((index, at) => {
		const { method, path, body = '' } = scenario.mix?.[index]?.request ?? { method: '', path: '' };
		const id = String(traffic?.data[traffic.rows[at] ?? -1]?.id);
		return `${method} ${path} ${body}`.replaceAll('{{id}}', id).trimEnd();
	});
}

test('one connection sends the lap in order, again and again', async () => {
	const lap = lapOf(SHOP);
	assert.equal(lap.length, 300);
	const got = await sent(SHOP, 1, 1, 700);
	assert.deepEqual(got.slice(0, 300), lap);
	assert.deepEqual(got.slice(300, 600), lap);
});

test('connections share one walk, and the shares of the requests are exact', async () => {
	const got = await sent(SHOP, 4, 2, 700);
	// Simultaneous requests may arrive in another order, but none twice and none left out.
	const first = got.slice(0, 600 - 8);
	const allowed = Map.groupBy([...lapOf(SHOP), ...lapOf(SHOP)], (line) => line);
	for (const [line, times] of Map.groupBy(first, (one) => one)) {
		assert.ok(times.length <= (allowed.get(line)?.length ?? 0), `${times.length} times ${line}`);
	}
	assert.ok(first.length - first.filter((line) => line.startsWith('GET /users/')).length <= 0.4 * 600);
});

test('answers to HEAD in a mix end with their headers, and are distinguished from others', async () => {
	const mix = [loaded(1, 'HEAD', '/head'), loaded(1, 'GET', '/get')];
	const got = await sent({ ...builtinScenario('heads'), mix }, 2, 1, 50);
	assert.ok(Math.abs(got.filter((line) => line === 'HEAD /head').length - got.length / 2) <= 2);
});

test('a mix that both sides answer is measured without a fault', async () => {
	assert.deepEqual(await look(''), { refused: [], loaded: [] });
});

test('a wrong answer to one of three requests refuses the cell before any load, and names the request', async () => {
	const { refused } = await look('wrong-orders');
	assert.deepEqual(
		refused.map(({ code, side }) => [code, side]),
		[['wrong-status', 'head']],
	);
	assert.match(
		refused[0]?.message ?? '',
		/^head gave a wrong answer to POST \/orders \(request 3 of 3\): status 500 instead of 200/,
	);
});

test('a request that fails under load is a fault that names it', async () => {
	const { refused, loaded: faults } = await look('wrong-orders-later');
	assert.deepEqual(refused, []);
	assert.deepEqual(
		faults?.map(({ code, side }) => [code, side]),
		[['unexpected-answers', 'head']],
	);
	assert.match(
		faults?.[0]?.message ?? '',
		/^\d+\.\d\d % of the answers of head to POST \/orders \(request 3 of 3\) under load were unexpected; first: status 500/,
	);
});
