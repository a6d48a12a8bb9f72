import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createClient, type GitHub } from '../../src/github/github-client.ts';
import { isUserError } from '../../src/types/errors.ts';
import { startDouble } from '../support/github/double.ts';
import { badGateway, droppedConnection, primaryLimit, secondaryLimit } from '../support/github/faults.ts';
import type { Double, DoubleState } from '../support/github/types.ts';

const TOKEN = 'ghs_verySecret123';
const REPOSITORY = { owner: 'o', repo: 'r' };
const SHA = 'a'.repeat(40);

interface Scene {
	readonly double: Double;
	readonly github: GitHub;
	readonly warnings: string[];
}

async function withClient(state: Partial<DoubleState>, act: (scene: Scene) => Promise<void>): Promise<void> {
	const double = await startDouble(state);
	const warnings: string[] = [];
	const warn = (text: string) => warnings.push(text);
	const github = createClient({ token: TOKEN, apiUrl: double.url, warn, waitFactor: 0.001 });
	try {
		await act({ double, github, warnings });
	} catch (error) {
		await double.close().catch(() => {});
		throw error;
	}
	await double.close();
}

const createComment = ({ github }: Scene) =>
	github.rest.issues.createComment({ ...REPOSITORY, issue_number: 1, body: 'hello' });
const getPull = ({ github }: Scene) => github.rest.pulls.get({ ...REPOSITORY, pull_number: 1 });
const statusesOf = ({ double }: Scene) => double.calls.map(({ status }) => status);

async function failureOf(promise: Promise<unknown>): Promise<Error & { status?: number; code?: string }> {
	const error = await promise.then(
		() => assert.fail('nothing was thrown'),
		(thrown: unknown) => thrown,
	);
	assert.ok(error instanceof Error);
	return error;
}

test('reads are repeated after 5xx responses and broken connections', () =>
	withClient({ faults: [badGateway(/pulls/), droppedConnection(/pulls/)] }, async (scene) => {
		const { data } = await getPull(scene);
		assert.equal(data.head.sha, SHA);
		assert.deepEqual(statusesOf(scene), [502, 0, 200]);
	}));

test('after three more attempts the last response is returned', () =>
	withClient({ faults: [badGateway(/pulls/, { times: 99 })] }, async (scene) => {
		const error = await failureOf(getPull(scene));
		assert.equal(error.status, 502);
		assert.deepEqual(statusesOf(scene), [502, 502, 502, 502]);
	}));

for (const fault of [badGateway, droppedConnection]) {
	test(`a comment whose response is lost is not posted twice (${fault.name})`, () =>
		withClient({ faults: [fault(/POST/, { applied: true })] }, async (scene) => {
			const error = await failureOf(createComment(scene));
			assert.ok(error.status === 500 || error.status === 502, String(error.status));
			assert.equal(scene.double.state.comments.length, 1);
			assert.equal(scene.double.calls.length, 1);
		}));
}

test('an edit whose response is lost is repeated', () =>
	withClient({ faults: [droppedConnection(/PATCH/, { applied: true })] }, async (scene) => {
		const { data } = await createComment(scene);
		await scene.github.rest.issues.updateComment({ ...REPOSITORY, comment_id: data.id, body: 'edited' });
		assert.deepEqual(statusesOf(scene), [201, 0, 200]);
		assert.deepEqual(
			scene.double.state.comments.map(({ body }) => body),
			['edited'],
		);
	}));

test('annotations whose response is lost are not added twice; a plain conclusion is sent again', () =>
	withClient({ faults: [badGateway(/PATCH/, { applied: true, times: 2 })] }, async (scene) => {
		const { github, double } = scene;
		const { data } = await github.rest.checks.create({ ...REPOSITORY, name: 'benchgate', head_sha: SHA });
		const annotation = {
			path: 'a.yml',
			start_line: 1,
			end_line: 1,
			annotation_level: 'failure',
			message: 'slow',
		} as const;
		const output = { title: 'title', summary: 'summary', annotations: [annotation] };
		const check = { ...REPOSITORY, check_run_id: data.id };
		assert.equal((await failureOf(github.rest.checks.update({ ...check, output }))).status, 502);
		await github.rest.checks.update({ ...check, conclusion: 'failure' });
		assert.deepEqual(statusesOf(scene), [201, 502, 502, 200]);
		assert.equal(double.state.checkRuns[0]?.annotations.length, 1);
	}));

test('a comment that was certainly never sent is sent again', async () => {
	const closed = createServer().listen(0, '127.0.0.1');
	await once(closed, 'listening');
	const { port } = closed.address() as AddressInfo;
	closed.close();
	await once(closed, 'close');
	const apiUrl = `http://127.0.0.1:${port}`;
	const github = createClient({ token: TOKEN, apiUrl, warn() {}, waitFactor: 0.3 });
	const posting = github.rest.issues.createComment({ ...REPOSITORY, issue_number: 1, body: 'hello' });
	// The first attempt is refused before the server listens: connecting starts at once, and listening after it.
	await new Promise((resolve) => setTimeout(resolve, 100));
	const server = createServer((_request, response) => {
		response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":7}');
	}).listen(port, '127.0.0.1');
	const { data } = await posting;
	assert.equal(data.id, 7);
	server.closeAllConnections();
	server.close();
});

test('rate limits are waited for, posts too, and the wait is announced', () =>
	withClient({ faults: [secondaryLimit(/POST/, 20), primaryLimit(/POST/, 30, { status: 429 })] }, async (scene) => {
		await createComment(scene);
		assert.deepEqual(statusesOf(scene), [403, 429, 201]);
		assert.equal(scene.warnings.length, 2);
		assert.match(scene.warnings[0] ?? '', /secondary rate limit.*waiting 20 s/);
		assert.match(scene.warnings[1] ?? '', /^The rate limit.*waiting 3[01] s/);
	}));

test('a secondary limit without a time is waited for a minute', () =>
	withClient({ faults: [secondaryLimit(/POST/, null)] }, async (scene) => {
		await createComment(scene);
		assert.match(scene.warnings.join(), /waiting 60 s/);
	}));

test('all waits together take two minutes at most; a longer one fails at once', () =>
	withClient({ faults: [secondaryLimit(/POST/, 70), secondaryLimit(/POST/, 60, { times: 9 })] }, async (scene) => {
		const error = await failureOf(createComment(scene));
		assert.ok(isUserError(error));
		assert.equal(error.code, 'github-rate-limit');
		assert.deepEqual(statusesOf(scene), [403, 403]);
		assert.equal(scene.double.state.comments.length, 0);
	}));

for (const status of [403, 429] as const) {
	test(`an hour to wait (${status}) is a clear error, without waiting or repeating`, () =>
		withClient({ faults: [primaryLimit(/pulls/, 3600, { status, times: 9 })] }, async (scene) => {
			const error = await failureOf(getPull(scene));
			assert.ok(isUserError(error));
			assert.equal(error.code, 'github-rate-limit');
			assert.match(error.message, /rate limit .* 120 s/);
			assert.match(error.remedy ?? '', /later/);
			assert.deepEqual(statusesOf(scene), [status]);
			assert.deepEqual(scene.warnings, []);
		}));
}

test('a limit whose end has passed does not cause endless requests', () =>
	withClient({ faults: [primaryLimit(/pulls/, -1000, { times: 99 })] }, async (scene) => {
		assert.equal((await failureOf(getPull(scene))).code, 'github-rate-limit');
		assert.equal(scene.double.calls.length, 6);
	}));

test("a missing permission is no rate limit: octokit's error after one request", () =>
	withClient({ permissions: { issues: 'read', 'pull-requests': 'read' } }, async (scene) => {
		const error = await failureOf(createComment(scene));
		assert.equal(error.status, 403);
		assert.match(error.message, /Resource not accessible by integration/);
		assert.equal(scene.double.calls.length, 1);
		assert.deepEqual(scene.warnings, []);
	}));

test('a missing resource is requested once', () =>
	withClient({ pulls: [] }, async (scene) => {
		assert.equal((await failureOf(getPull(scene))).status, 404);
		assert.equal(scene.double.calls.length, 1);
	}));

test('only rate limits slow requests down, and requests name their version of the API', () =>
	withClient({}, async (scene) => {
		await Promise.all(Array.from({ length: 12 }, () => createComment(scene)));
		assert.equal(scene.double.state.comments.length, 12);
		assert.deepEqual(new Set(scene.double.calls.map(({ token }) => token)), new Set([TOKEN]));
	}));

test('the token is in no error and no warning, even if a response repeats it', () =>
	withClient(
		{
			faults: [
				{ match: /pulls/, status: 404, body: { message: `no ${TOKEN}` }, times: 1 },
				secondaryLimit(/POST/, 1),
				primaryLimit(/POST/, 3600, { times: 9 }),
			],
		},
		async (scene) => {
			const errors = [await failureOf(getPull(scene)), await failureOf(createComment(scene))];
			assert.match(errors[0]?.message ?? '', /no \*\*\*/);
			assert.ok(isUserError(errors[1]));
			assert.equal(scene.warnings.length, 1);
			for (const error of errors) assert.ok(!inspect(error.message).includes(TOKEN));
			assert.ok(!inspect(errors[1], { depth: 20, showHidden: true }).includes(TOKEN));
			assert.ok(!scene.warnings.join().includes(TOKEN));
		},
	));

test('a request that its caller cancelled is neither sent nor repeated', () =>
	withClient({}, async (scene) => {
		const request = { signal: AbortSignal.abort() };
		const error = await failureOf(scene.github.rest.pulls.get({ ...REPOSITORY, pull_number: 1, request }));
		assert.equal(error.name, 'AbortError');
		assert.deepEqual(scene.double.calls, []);
	}));

test('an empty token is refused before any request', () => {
	assert.throws(
		() => createClient({ token: '', apiUrl: 'http://127.0.0.1:1', warn() {} }),
		(error: unknown) => isUserError(error) && error.code === 'no-token',
	);
});

test('an address of the API may end in a slash', async () => {
	const double = await startDouble();
	const github = createClient({ token: TOKEN, apiUrl: `${double.url}/`, warn() {} });
	await github.rest.repos.get(REPOSITORY);
	assert.equal(double.calls[0]?.path, '/repos/o/r');
	await double.close();
});
