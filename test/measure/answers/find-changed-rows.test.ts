/** Rows of data that a side answers otherwise under load than at rest; the servers are real, what was seen under load is made up. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { findChangedRows } from '../../../src/measure/answers/find-changed-rows.ts';
import type { Scenario } from '../../../src/types/config.ts';

const ROWS = Array.from({ length: 20 }, (_, row) => row);
const REQUEST = { method: 'GET', path: '/{{id}}', headers: {} };

/** Who is at fault where so many of twenty rows were answered otherwise under load by each side. */
async function judge(base: number, head: number) {
	const server = createServer((request, response) => response.end(`row ${request.url}`)).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const seen = (side: string, changed: number) => ({
		watched: ROWS.map((row) => ({ row, body: row < changed ? `${side} ${row}` : `row /${row}` })),
	});
	const loaded = {
		traffic: { data: ROWS.map((id) => ({ id })) },
		verified: { mix: [{ request: { base: REQUEST, head: REQUEST } }] },
		report: { mix: { base: [seen('base', base)], head: [seen('head', head)] } },
	} as unknown as Parameters<typeof findChangedRows>[2];
	const scenario = { mix: [{ request: REQUEST }] } as unknown as Scenario;
	try {
		const faults = await findChangedRows({ base: origin, head: origin }, scenario, loaded, async () => {});
		return faults.map(({ code, side }) => [code, side]);
	} finally {
		server.close();
	}
}

test('the side that answers otherwise under load is at fault', async () => {
	assert.deepEqual(await judge(0, 0), []);
	assert.deepEqual(await judge(0, 1), [['changed-under-load', 'head']]);
	assert.deepEqual(await judge(5, 0), [['changed-under-load', 'base']]);
});

test('rows that change on both sides are no fault, and one that does on one side excuses not all of the other', async () => {
	assert.deepEqual(await judge(2, 20), []);
	assert.deepEqual(await judge(1, 20), [['changed-under-load', 'head']]);
});
