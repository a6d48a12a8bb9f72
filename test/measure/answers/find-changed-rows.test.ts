/**
 * A side is at fault for rows of a data file whose answers differ between load and rest, unless the other side's do
 * too.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { findChangedRows } from '../../../src/measure/answers/find-changed-rows.ts';
import type { Verification } from '../../../src/measure/answers/verify-scenario.ts';
import type { TurnReport, WatchedRow } from '../../../src/measure/generator/messages.ts';
import type { Scenario } from '../../../src/types/config.ts';
import type { Traffic } from '../../../src/types/plan.ts';
import type { Sides } from '../../../src/types/units.ts';

const REQUEST = { method: 'GET', path: '/users/{{id}}', headers: {} };
const SCENARIO = { mix: [{ request: REQUEST, expect: { status: [200] } }] } as unknown as Scenario;
const IDS = Array.from({ length: 20 }, (_, row) => String(row + 1));
const TRAFFIC: Traffic = { requests: [0, 0], rows: [0, 1], data: IDS.map((id) => ({ id })) };

/** Returns the address of a server; `answer` receives the path and the number of its requests. */
async function serve(t: TestContext, answer: (path: string, count: number) => string): Promise<string> {
	let count = 0;
	const server = createServer((request, response) => response.end(answer(request.url ?? '', count++)));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.after(() => server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const same = (path: string) => `{"path":"${path}"}`;
const counting = (path: string, count: number) => `{"path":"${path}","n":${count}}`;

async function faultsOf(origins: Sides<string>, watched: Sides<readonly WatchedRow[]>): Promise<string[]> {
	const seen = (side: 'base' | 'head') => [{ watched: watched[side] }];
	const faults = await findChangedRows(
		origins,
		SCENARIO,
		{
			traffic: TRAFFIC,
			verified: { mix: [{ request: { base: REQUEST, head: REQUEST } }] } as unknown as Verification,
			report: { mix: { base: seen('base'), head: seen('head') } } as unknown as TurnReport,
		},
		async () => {},
	);
	return faults.map(({ code, side, message }) => `${code} of ${side}: ${message}`);
}

const KEPT: readonly WatchedRow[] = [
	{ row: 0, body: same('/users/1') },
	{ row: 1, body: same('/users/2') },
];
const VARIED: readonly WatchedRow[] = [{ row: 0, body: null }, KEPT[1] as WatchedRow];

test('a row with several answers under load, and one at rest, is the fault of its side', async (t) => {
	const origins = { base: await serve(t, same), head: await serve(t, same) };
	assert.deepEqual(await faultsOf(origins, { base: KEPT, head: KEPT }), []);
	const [fault, ...others] = await faultsOf(origins, { base: KEPT, head: VARIED });
	assert.deepEqual(others, []);
	assert.match(fault ?? '', /^changed-under-load of head: 50\.00 % .* GET \/users\/1: several answers instead of /);
});

test('a row is no fault if its answers vary at rest too, on both sides, or change on the other side', async (t) => {
	const origins = { base: await serve(t, same), head: await serve(t, counting) };
	assert.deepEqual(await faultsOf(origins, { base: KEPT, head: VARIED }), []);
	const constant = { base: await serve(t, same), head: await serve(t, same) };
	assert.deepEqual(await faultsOf(constant, { base: VARIED, head: VARIED }), []);
	// A row requested once cannot show variation.
	const once: readonly WatchedRow[] = [{ row: 0, body: '{"now":1}' }, KEPT[1] as WatchedRow];
	assert.deepEqual(await faultsOf(constant, { base: once, head: VARIED }), []);
});

test('rows beyond ASCII are compared in the form that load reads', async (t) => {
	const serveBytes = async (bytes: Buffer) => {
		const server = createServer((_, response) => response.end(bytes));
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		t.after(() => server.close());
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	};
	for (const bytes of [Buffer.from('Grüße'), Buffer.of(0x41, 0xff, 0x42)]) {
		const origins = { base: await serveBytes(bytes), head: await serveBytes(bytes) };
		const kept = [{ row: 0, body: bytes.toString('utf8') }];
		assert.deepEqual(await faultsOf(origins, { base: kept, head: kept }), []);
		const [fault, ...others] = await faultsOf(origins, { base: kept, head: [{ row: 0, body: 'Gruesse' }] });
		assert.deepEqual(others, []);
		assert.match(fault ?? '', /^changed-under-load of head: /);
		assert.deepEqual(await faultsOf(origins, { base: kept, head: [{ row: 0, body: 'ü' }] }), [
			fault?.replace('Gruesse', 'ü'),
		]);
	}
});

/** The rows of a side that answered so many of twenty differently. */
const otherwise = (changed: number, side: string): readonly WatchedRow[] =>
	IDS.map((id, row) => ({ row, body: row < changed ? side : same(`/users/${id}`) }));

test('rows that change on both sides are no fault, and one that does excuses not all of the other side', async (t) => {
	const origins = { base: await serve(t, same), head: await serve(t, same) };
	const at = async (base: number, head: number) =>
		(await faultsOf(origins, { base: otherwise(base, 'b'), head: otherwise(head, 'h') })).map(
			(one) => one.split(':')[0],
		);
	assert.deepEqual(await at(0, 0), []);
	assert.deepEqual(await at(0, 1), ['changed-under-load of head']);
	assert.deepEqual(await at(5, 0), ['changed-under-load of base']);
	assert.deepEqual(await at(2, 20), []);
	assert.deepEqual(await at(1, 20), ['changed-under-load of head']);
});
