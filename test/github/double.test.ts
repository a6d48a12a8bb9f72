import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createClient, type GitHub } from '../../src/github/github-client.ts';
import { startDouble } from '../support/github/double.ts';
import { BASE, HEAD, OTHER } from '../support/github/examples.ts';
import { CHECKS, COMMENTS, REJECTED_REQUESTS } from '../support/github/rejected-requests.ts';
import type { Double, DoubleState, StoredComment } from '../support/github/types.ts';

const REPOSITORY = { owner: 'o', repo: 'r' };

interface Sent {
	readonly status: number;
	readonly headers: Headers;
	readonly json: { readonly message: string; readonly [key: string]: unknown };
}

/** Can send requests that octokit would never send. */
async function send(
	double: Double,
	route: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<Sent> {
	const [method = '', path = ''] = route.split(' ');
	const response = await fetch(`${double.url}${path}`, {
		method,
		headers: { authorization: 'Bearer t', ...headers },
		...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
	const answer = await response.text();
	return { status: response.status, headers: response.headers, json: answer === '' ? {} : JSON.parse(answer) };
}

async function withDouble(
	state: Partial<DoubleState>,
	act: (double: Double, github: GitHub) => Promise<void>,
): Promise<void> {
	const double = await startDouble(state);
	try {
		await act(double, createClient({ token: 't', apiUrl: double.url, warn() {}, waitFactor: 0.001 }));
	} catch (error) {
		await double.close().catch(() => {});
		throw error;
	}
	await double.close();
}

function comments(count: number): StoredComment[] {
	return Array.from({ length: count }, (_, index) => ({
		id: index + 1,
		issue: 1,
		body: `comment ${index + 1}`,
		user: { login: 'stranger', type: 'User' },
	}));
}

test('the token identifies the user', () =>
	withDouble({ user: { login: 'octocat', type: 'User' } }, async (_double, github) => {
		assert.equal((await github.rest.users.getAuthenticated()).data.login, 'octocat');
		const check = github.rest.checks.create({ ...REPOSITORY, name: 'benchgate', head_sha: HEAD });
		await assert.rejects(check, /must authenticate via a GitHub App/);
	}));

test('pages: 30 by default, 100 at most, links to next and last', () =>
	withDouble({ comments: comments(130) }, async (double, github) => {
		const path = '/repos/o/r/issues/1/comments';
		const first = await send(double, `GET ${path}`);
		assert.equal((first.json as unknown as unknown[]).length, 30);
		assert.equal(
			first.headers.get('link'),
			`<${double.url}${path}?page=2>; rel="next", <${double.url}${path}?page=5>; rel="last"`,
		);
		const last = await send(double, `GET ${path}?per_page=500&page=2`);
		assert.equal((last.json as unknown as unknown[]).length, 30);
		assert.doesNotMatch(last.headers.get('link') ?? '', /next/);
		const all = await github.paginate(github.rest.issues.listComments, { ...REPOSITORY, issue_number: 1 });
		assert.deepEqual(
			all.map(({ id }) => id),
			comments(130).map(({ id }) => id),
		);
		const jobs = double.calls.filter(({ query }) => query.page !== undefined);
		assert.ok(jobs.length >= 4);
	}));

for (const { name, route, body, headers, status, says } of REJECTED_REQUESTS) {
	test(`a request that GitHub rejects makes close() throw: ${name}`, async () => {
		const double = await startDouble();
		const answer = await send(double, route, body, headers);
		assert.equal(answer.status, status);
		assert.match(answer.json.message, says);
		assert.ok(answer.json.documentation_url);
		await assert.rejects(double.close(), /not as GitHub's description says/);
		assert.deepEqual([double.state.comments, double.state.checkRuns], [[], []]);
	});
}

test('65,536 characters are allowed, and the refusal of more has the form of GitHub', () =>
	withDouble({ allowInvalid: true }, async (double) => {
		assert.equal((await send(double, `POST ${COMMENTS}`, { body: 'é'.repeat(65_536) })).status, 201);
		const { json } = await send(double, `POST ${COMMENTS}`, { body: 'x'.repeat(65_537) });
		const message = 'Body is too long (maximum is 65536 characters)';
		assert.deepEqual(json.errors, [{ resource: 'IssueComment', code: 'unprocessable', field: 'data', message }]);
	}));

test('completed without a conclusion is refused', () =>
	withDouble({ allowInvalid: true }, async (double) => {
		const check = { name: 'n', head_sha: HEAD };
		assert.equal((await send(double, `POST ${CHECKS}`, { ...check, status: 'in_progress' })).status, 201);
		assert.equal((await send(double, `POST ${CHECKS}`, { ...check, status: 'completed' })).status, 422);
		assert.equal((await send(double, `POST ${CHECKS}`, { ...check, conclusion: 'success' })).status, 201);
	}));

test('a request without user-agent is refused', () =>
	withDouble({ allowInvalid: true }, async (double) => {
		const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
			httpRequest(`${double.url}${COMMENTS}`, async (answer) =>
				resolve({ status: answer.statusCode, body: await text(answer) }),
			)
				.on('error', reject)
				.end();
		});
		assert.equal(status, 403);
		assert.match(body, /User-Agent/);
	}));

test('a read-only token reads, and gets GitHub’s 403 for writes', () =>
	withDouble({ permissions: { issues: 'read', 'pull-requests': 'read', checks: 'read' } }, async (double) => {
		assert.equal((await send(double, `GET ${COMMENTS}`)).status, 200);
		for (const [route, body] of [
			[`POST ${COMMENTS}`, { body: 'x' }],
			[`POST ${CHECKS}`, { name: 'n', head_sha: HEAD }],
		] as const) {
			const { status, json } = await send(double, route, body);
			assert.equal(status, 403);
			assert.equal(json.message, 'Resource not accessible by integration');
		}
	}));

test('either of two permissions is enough for a comment; with neither a private repository is hidden', () =>
	withDouble({ permissions: { issues: 'none' } }, async (double) => {
		assert.equal((await send(double, `POST ${COMMENTS}`, { body: 'x' })).status, 201);
		double.state.permissions = { issues: 'none', 'pull-requests': 'none' };
		assert.equal((await send(double, `GET ${COMMENTS}`)).status, 403);
	}));

test('tokens: a wrong one is refused, and without one writes fail', () =>
	withDouble({ tokens: ['good'] }, async (double) => {
		const as = (authorization: string) => send(double, `GET ${COMMENTS}`, undefined, { authorization });
		assert.equal((await as('token good')).status, 200);
		assert.equal((await as('Bearer bad')).json.message, 'Bad credentials');
		const anonymous = await fetch(`${double.url}${COMMENTS}`, { method: 'POST', body: '{"body":"x"}' });
		assert.equal(anonymous.status, 401);
		assert.deepEqual(
			double.calls.map(({ token }) => token),
			['good', 'bad', null],
		);
	}));

test('a missing resource is a 404, and no mistake of the test', () =>
	withDouble({ commits: { [HEAD]: [BASE] } }, async (double) => {
		const paths = [
			'/repos/o/other',
			'/repos/o/r/issues/9/comments',
			'/repos/o/r/issues/comments/1',
			'/repos/o/r/pulls/9',
			'/repos/o/r/check-runs/1',
			'/repos/o/r/releases/latest',
			'/repos/o/r/actions/runs/1',
			'/repos/o/r/actions/artifacts/1/zip',
			`/repos/o/r/compare/${BASE}...${HEAD}`,
			'/repos/o/r/git/ref/heads%2Fgone',
			'/repos/o/r/contents/gone',
			'/repos/o/r/collaborators/nobody/permission',
		];
		for (const path of paths) assert.equal((await send(double, `GET ${path}`)).status, 404, path);
		assert.equal((await send(double, `GET /repos/o/r/commits/${HEAD}`)).status, 200);
		assert.equal((await send(double, `GET /repos/o/r/commits/${OTHER}`)).status, 422);
		assert.equal((await send(double, 'GET /repos/O/R/pulls')).status, 200);
	}));

test('the primary rate limit counts, answers 403, and ends', () =>
	withDouble({}, async (double) => {
		double.state.rateLimit.remaining = 1;
		const last = await send(double, `GET ${COMMENTS}`);
		assert.deepEqual([last.status, last.headers.get('x-ratelimit-remaining')], [200, '0']);
		const refused = await send(double, `GET ${COMMENTS}`);
		assert.equal(refused.status, 403);
		assert.match(refused.json.message, /API rate limit exceeded/);
		assert.equal((await send(double, 'GET /rate_limit')).status, 200);
		double.state.rateLimit.reset = 0;
		assert.equal((await send(double, `GET ${COMMENTS}`)).status, 200);
	}));

test('downloads go to another origin, which must not see the token', async () => {
	const artifacts = [
		{ id: 9, name: 'benchgate', runId: 5, zip: Buffer.from('PK-zip') },
		{ id: 10, name: 'old', runId: 5, zip: Buffer.alloc(1), expired: true },
	];
	const double = await startDouble({ artifacts });
	const download = `${double.url}/repos/o/r/actions/artifacts/9/zip`;
	const headers = { authorization: 'Bearer t' };
	const followed = await fetch(download, { headers });
	assert.equal(await followed.text(), 'PK-zip');
	assert.equal(double.calls.at(-1)?.token, null);
	assert.equal((await fetch(download.replace('/9/', '/10/'), { headers })).status, 410);
	const redirect = await fetch(download, { headers, redirect: 'manual' });
	assert.equal(redirect.status, 302);
	const shown = await fetch(redirect.headers.get('location') ?? '', { headers });
	assert.equal(shown.status, 400);
	await assert.rejects(double.close(), /the storage was shown a token/);
});

test('faults: the first match, as often as configured, with or without effect', () =>
	withDouble({}, async (double) => {
		double.state.faults = [
			{ match: /^POST .*comments$/, status: 503, times: 1, applied: true },
			{ match: /^POST/, status: 403, headers: { 'retry-after': '1' }, body: { message: 'slow down' }, times: 1 },
			{ match: /^POST/, status: 0, times: 1 },
		];
		const post = () => send(double, `POST ${COMMENTS}`, { body: 'x' });
		assert.equal((await post()).status, 503);
		assert.equal(double.state.comments.length, 1);
		const slow = await post();
		assert.deepEqual([slow.status, slow.headers.get('retry-after'), slow.json.message], [403, '1', 'slow down']);
		await assert.rejects(post(), /fetch failed/);
		assert.equal(double.state.comments.length, 1);
		assert.equal((await post()).status, 201);
		assert.deepEqual(
			double.calls.map(({ status }) => status),
			[503, 403, 0, 201],
		);
	}));

test('a response that GitHub would not send makes close() throw, whatever is allowed', async () => {
	const stored = { ...(comments(1)[0] as StoredComment), createdAt: 'yesterday' };
	const double = await startDouble({ comments: [stored], allowInvalid: true });
	await send(double, `GET ${COMMENTS}`);
	await assert.rejects(double.close(), /answered: .*created_at.*yesterday/);
});
