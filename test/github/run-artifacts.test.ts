import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { downloadArtifact, listArtifacts } from '../../src/github/run-artifacts.ts';
import { isUserError } from '../../src/types/errors.ts';
import { badGateway, droppedConnection } from '../support/github/faults.ts';
import type { StoredArtifact } from '../support/github/types.ts';
import { listen } from '../support/servers/http-server.ts';
import { connect, REPOSITORY } from './support.ts';

const BYTES = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);

function artifact(id: number, given: Partial<StoredArtifact> = {}): StoredArtifact {
	return { id, name: 'benchgate', runId: 10, zip: BYTES, ...given };
}

const fails = (code: string) => (error: unknown) => isUserError(error) && error.code === code;

test('the newest artifact of each name of a run is listed, from every page', async (t) => {
	const others = Array.from({ length: 250 }, (_, index) => artifact(1000 + index, { name: `other-${index}` }));
	const artifacts = [
		artifact(3),
		artifact(9, { expired: true, createdAt: '2026-11-21T10:00:00Z' }),
		artifact(4),
		artifact(99, { runId: 11 }),
		...others,
	];
	const { github } = await connect(t, { artifacts });
	const listed = await listArtifacts(github, REPOSITORY, 10);
	assert.equal(listed.length, 251);
	assert.deepEqual(
		listed.filter(({ name }) => name === 'benchgate'),
		[{ id: 9, name: 'benchgate', sizeBytes: BYTES.length, expired: true, createdAt: '2026-11-21T10:00:00Z' }],
	);
});

test('an artifact is downloaded byte for byte, without our token at its store', async (t) => {
	const { github, double } = await connect(t, { artifacts: [artifact(5)] });
	assert.deepEqual(await downloadArtifact(github, REPOSITORY, 5, BYTES.length), Buffer.from(BYTES));
	const [asked, downloaded] = double.calls;
	assert.equal(asked?.token, 'token-of-the-test');
	assert.equal(asked.status, 302);
	assert.equal(downloaded?.status, 200);
	assert.equal(downloaded.token, null);
});

test('an artifact with more than the allowed bytes is refused', async (t) => {
	const { github } = await connect(t, { artifacts: [artifact(5)] });
	await assert.rejects(downloadArtifact(github, REPOSITORY, 5, BYTES.length - 1), fails('artifact-too-large'));
});

test('a download without end is cut off at the limit', async (t) => {
	let stopped = false;
	await using store = await listen(
		createServer((_request, response) => {
			const timer = setInterval(() => response.write(Buffer.alloc(10_000)), 1);
			response.on('close', () => {
				stopped = true;
				clearInterval(timer);
			});
		}),
	);
	const { github } = await connect(t, {
		faults: [{ match: /\/zip$/, status: 302, headers: { location: `${store.origin}/?sig=secret` }, times: 1 }],
	});
	await assert.rejects(downloadArtifact(github, REPOSITORY, 5, 50_000), fails('artifact-too-large'));
	while (!stopped) await new Promise((resolve) => setImmediate(resolve));
});

test('a failing store is retried, and its URL is in no message', async (t) => {
	let requests = 0;
	await using store = await listen(
		createServer((request, response) => {
			requests += 1;
			assert.equal(request.headers.authorization, undefined);
			response.writeHead(requests < 3 ? 503 : 200).end('zip');
		}),
	);
	const location = `${store.origin}/?sig=secret`;
	const fault = { match: /\/zip$/, status: 302, headers: { location }, times: 1 };
	const { github, double } = await connect(t, { faults: [{ ...fault }] });
	assert.equal(Buffer.from(await downloadArtifact(github, REPOSITORY, 5, 100)).toString(), 'zip');
	requests = -10;
	double.state.faults = [{ ...fault }];
	await assert.rejects(
		downloadArtifact(github, REPOSITORY, 5, 100),
		(error) => isUserError(error) && error.code === 'github-unreachable' && !/sig|127\.0\.0\.1/.test(error.message),
	);
	assert.equal(requests, -7);
});

test('an expired artifact, a missing one and a missing permission each name the remedy', async (t) => {
	const { github, double } = await connect(t, { artifacts: [artifact(5, { expired: true })] });
	await assert.rejects(downloadArtifact(github, REPOSITORY, 5, 100), fails('artifact-expired'));
	await assert.rejects(downloadArtifact(github, REPOSITORY, 6, 100), fails('missing-permission'));
	double.state.permissions.actions = 'none';
	await assert.rejects(
		listArtifacts(github, REPOSITORY, 10),
		(error) => isUserError(error) && /actions: read/.test(error.remedy ?? ''),
	);
});

test('short errors of GitHub are waited out; an outage is an error', async (t) => {
	const { github, double } = await connect(t, { artifacts: [artifact(5)], faults: [droppedConnection(/artifacts$/)] });
	assert.equal((await listArtifacts(github, REPOSITORY, 10))[0]?.id, 5);
	double.state.faults = [badGateway(/./, { times: 9 })];
	await assert.rejects(listArtifacts(github, REPOSITORY, 10), fails('github-unreachable'));
});
