import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { learnerOf, type Verification, verifyScenario } from '../../../src/measure/answers/verify-scenario.ts';
import { MOST_NAMES } from '../../../src/measure/generator/reading/answer-head.ts';
import type { Scenario } from '../../../src/types/config.ts';
import type { Fault } from '../../../src/types/round.ts';
import { listen } from '../../support/servers/http-server.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

const get = (path: string, headers: Record<string, string> = {}) => ({ method: 'GET', path, headers });

const SCENARIO: Scenario = {
	name: 'user',
	description: 'A user.',
	groups: [],
	request: get('/user'),
	expect: { status: [200], json: { id: 1 } },
	checks: [],
	load: { connections: 1, pipelining: 1 },
	origin: 'config',
};

async function verify(scenario: Partial<Scenario>, base: Handler, head: Handler, timeoutMs = 30_000) {
	await using baseServer = await listen(createServer(base));
	await using headServer = await listen(createServer(head));
	const origins = { base: baseServer.origin, head: headServer.origin };
	return await verifyScenario(origins, { ...SCENARIO, ...scenario }, { timeoutMs });
}

const answering =
	(document: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
	(_req, res) =>
		res.writeHead(status, headers).end(JSON.stringify(document));

test('right answers on both sides give no fault and the unchanged request', async () => {
	assert.deepEqual(await verify({}, answering({ id: 1 }), answering({ id: 1 })), {
		faults: [],
		request: { base: SCENARIO.request, head: SCENARIO.request },
		status: 200,
		usual: { base: '{"id":1}', head: '{"id":1}' },
		headers: { base: ['date'], head: ['date'] },
		values: { base: {}, head: {} },
	});
});

test('headers that only one side sends get a remark, and are no fault unless clients need them', async () => {
	const { faults, remarks } = await verify({}, answering({ id: 1 }, 200, { Server: 'a' }), answering({ id: 1 }));
	assert.deepEqual(faults, []);
	assert.deepEqual(remarks, [
		{
			code: 'other-headers',
			side: null,
			message: 'Head leaves out "server" in its answers to GET /user; the change includes the cost of these headers.',
		},
	]);
	const refused = await verify({}, answering({ id: 1 }, 200, { ETag: '"1"' }), answering({ id: 1 }));
	assert.deepEqual(
		refused.faults.map(({ message }) => message),
		['base and head disagree on GET /user: header etag is missing on head'],
	);
});

test('headers that both sides send are usual, except those of a connection', async () => {
	let requests = 0;
	const { headers } = await verify(
		{},
		(req, res) => answering({ id: 1 }, 200, { ETag: '"1"', ...(++requests === 1 && { 'x-first': 'yes' }) })(req, res),
		answering({ id: 1 }, 200, { ETag: '"2"', 'Content-Length': '8', X_Odd: '1' }),
	);
	assert.deepEqual(headers, { base: ['etag', 'date'], head: ['etag', 'date'] });
	const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x-${at}`, '1']));
	const cut = await verify({}, answering({ id: 1 }, 200, many), answering({ id: 1 }, 200, many));
	assert.equal(cut.headers.base.length, MOST_NAMES);
});

test('values that describe the body are usual if each side repeats its own, on one line', async () => {
	let requests = 0;
	const own = {
		'cache-control': 'no-cache',
		'x-request-id': '1',
		'content-language': 'en',
		'content-type': 'text/plain',
	};
	const { values } = await verify(
		{},
		(req, res) => {
			res.setHeader('vary', 'accept');
			answering({ id: 1 }, 200, { ...own, etag: '"b"', location: `/${++requests}` })(req, res);
		},
		(req, res) => {
			res.setHeader('vary', ['accept', 'origin']);
			answering({ id: 1 }, 200, { ...own, etag: '"h"', location: '/1', 'content-language': '' })(req, res);
		},
	);
	const both = { 'content-type': 'text/plain', 'cache-control': 'no-cache' };
	assert.deepEqual(values, {
		base: { etag: '"b"', ...both, 'content-language': 'en' },
		head: { etag: '"h"', ...both, 'content-language': '' },
	});
});

test('the encoding of bodies is known if a request asks for compression', async () => {
	const request = get('/user', { 'Accept-Encoding': 'gzip' });
	let requests = 0;
	const [small, large] = [gzipSync('{"id":1}'), gzipSync('{"id":1}', { level: 0 })];
	const zipped =
		(bodies: readonly Buffer[]): Handler =>
		(_req, res) =>
			res.writeHead(200, { 'content-encoding': 'gzip' }).end(bodies[requests++ % bodies.length]);
	const { usual, compressed } = await verify({ request }, zipped([small]), answering({ id: 1 }));
	assert.deepEqual(usual, { base: '{"id":1}', head: '{"id":1}' });
	assert.deepEqual(compressed, {
		base: { encoding: 'gzip', bytes: small.length },
		head: { encoding: '', bytes: 8 },
	});
	const varied = await verify({ request }, zipped([small, large]), answering({ id: 1 }));
	assert.deepEqual(varied.compressed?.base, { encoding: 'gzip', bytes: null });
	const kinds = [zipped([small]), answering({ id: 1 })];
	let kind = 0;
	const sometimes: Handler = (req, res) => kinds[kind++ % 2]?.(req, res);
	const unknown = await verify({ request }, sometimes, answering({ id: 1 }));
	assert.equal(unknown.compressed?.base, null);
});

test('a body that varies is no usual one', async () => {
	let requests = 0;
	const { usual } = await verify(
		{},
		(req, res) => answering({ id: 1, asked: ++requests })(req, res),
		answering({ id: 1, name: 'é' }),
	);
	assert.deepEqual(usual, { base: null, head: '{"id":1,"name":"é"}' });
});

test('each wrong side is one fault that names the side and the request', async () => {
	const { faults } = await verify({}, answering({ id: 2 }), answering('no', 500));
	assert.deepEqual(faults, [
		{
			code: 'wrong-body',
			side: 'base',
			message: 'base gave a wrong answer to GET /user: body at $.id is 2 instead of 1',
		},
		{
			code: 'wrong-status',
			side: 'head',
			message: 'head gave a wrong answer to GET /user: status 500 instead of 200, with body "\\"no\\""',
		},
	]);
});

test('a missing header is a fault of its own', async () => {
	const expect = { status: [200], headers: { etag: '<any>' } };
	const { faults } = await verify({ expect }, answering({}, 200, { etag: '"1"' }), answering({}));
	assert.deepEqual(faults, [
		{ code: 'wrong-header', side: 'head', message: 'head gave a wrong answer to GET /user: header etag is missing' },
	]);
});

test('answers that are right but differ between the sides are a fault of neither', async () => {
	const { faults } = await verify({}, answering({ id: 1, v: 'a' }), answering({ id: 1, v: 'b' }));
	assert.deepEqual(faults, [
		{
			code: 'bodies-differ',
			side: null,
			message: 'base and head disagree on GET /user: body at $.v is "a" on base but "b" on head',
		},
	]);
});

test('counters and other values that change from answer to answer are ignored', async () => {
	const counting = (start: number): Handler => {
		let count = start;
		return (req, res) => answering({ id: 1, count: count++ })(req, res);
	};
	assert.deepEqual((await verify({}, counting(0), counting(100))).faults, []);
});

test('a value that varies on base, but agreed by chance, is requested again', async () => {
	let requests = 0;
	const lists = [
		[1, 2],
		[1, 2],
		[2, 1],
	];
	const inTurn: Handler = (req, res) => answering({ id: 1, list: lists[requests++] ?? [1, 2] })(req, res);
	const reversed = answering({ id: 1, list: [2, 1] });
	assert.deepEqual((await verify({}, inTurn, reversed)).faults, []);
	assert.equal(requests, 4, 'and no longer than they disagree');
	const checks = [{ name: 'order', request: get('/list'), expect: { status: [200] } }];
	const inTurnThere: Handler = (req, res) => (req.url === '/list' ? inTurn : answering({ id: 1 }))(req, res);
	const reversedThere: Handler = (req, res) => (req.url === '/list' ? reversed : answering({ id: 1 }))(req, res);
	requests = 1;
	assert.deepEqual((await verify({ checks }, inTurnThere, reversedThere)).faults, []);
	assert.equal(requests, 4);
});

test('an uptime in whole seconds is no difference between servers that started at different times', async () => {
	const since = (started: number): Handler => {
		return (req, res) => answering({ id: 1, uptime: Math.floor((Date.now() - started) / 1000) })(req, res);
	};
	const now = Date.now();
	assert.deepEqual((await verify({}, since(now), since(now - 2000))).faults, []);
});

test('a check that may change data is sent once, whatever the answer', async () => {
	let requests = 0;
	const adding = (name: string): Handler => {
		return (req, res) => {
			if (req.method === 'POST') requests++;
			answering(req.method === 'POST' ? { name } : { id: 1 })(req, res);
		};
	};
	const checks = [{ name: 'add', request: { ...get('/add'), method: 'POST' }, expect: { status: [200] } }];
	assert.equal((await verify({ checks }, adding('a'), adding('b'))).faults.length, 1);
	assert.equal(requests, 2);
});

test('head may not keep a value that base makes for each answer', async () => {
	const making: Handler = (req, res) => answering({ id: 1, trace: randomUUID() })(req, res);
	const keeping = answering({ id: 1, trace: randomUUID() });
	const { faults } = await verify({}, making, keeping);
	assert.match(faults[0]?.message ?? '', /body at \$\.trace differs in each answer of base but not on head$/);
	assert.deepEqual((await verify({}, making, making)).faults, []);
	const expect = { status: [200], json: { id: 1, trace: '<string>' } };
	assert.deepEqual((await verify({ expect }, making, keeping)).faults, [], 'a kind allows it');
});

test('a clock that ticks between the sides is no difference', async () => {
	let requests = 0;
	// The third request is the second of head: before it base and head answered 1, after it both answer 2.
	const ticking: Handler = (req, res) => answering({ id: 1, clock: ++requests < 3 ? 1 : 2 })(req, res);
	assert.deepEqual((await verify({}, ticking, ticking)).faults, []);
	assert.equal(requests, 4);
});

test('checks are sent to both sides, and named', async () => {
	const checks = [{ name: 'no token', request: get('/secret'), expect: { status: [401] } }];
	const guarded: Handler = (req, res) => answering({ id: 1 }, req.url === '/secret' ? 401 : 200)(req, res);
	assert.deepEqual((await verify({ checks }, guarded, guarded)).faults, []);
	assert.deepEqual((await verify({ checks }, guarded, answering({ id: 1 }))).faults, [
		{
			code: 'wrong-status',
			side: 'head',
			message:
				'head gave a wrong answer to GET /secret (check "no token"): status 200 instead of 401, with body "{\\"id\\":1}"',
		},
	]);
});

test('a check answered with an error is compared by status, not by words', async () => {
	const checks = [{ name: 'bad', request: get('/bad'), expect: { status: [400, 422] } }];
	const refusing =
		(words: string, status: number): Handler =>
		(req, res) =>
			req.url === '/bad' ? answering(words, status)(req, res) : answering({ id: 1 })(req, res);
	assert.deepEqual((await verify({ checks }, refusing('one', 400), refusing('another', 400))).faults, []);
	assert.deepEqual((await verify({ checks }, refusing('one', 400), refusing('one', 422))).faults, [
		{
			code: 'bodies-differ',
			side: null,
			message: 'base and head disagree on GET /bad (check "bad"): status 400 on base but 422 on head',
		},
	]);
});

test('each side is loaded with the values learnt from it', async () => {
	const tagged =
		(tag: string): Handler =>
		(req, res) =>
			req.headers['if-none-match'] === tag
				? res.writeHead(304, { etag: tag }).end()
				: answering({ id: 1 }, 200, { etag: tag })(req, res);
	const scenario = {
		expect: { status: [304], bodyBytes: 0 },
		request: get('/user', { accept: '*/*' }),
		learn: { request: get('/user'), expect: { status: [200] }, from: { header: 'etag' }, sendAs: 'if-none-match' },
	};
	const { faults, request } = await verify(scenario, tagged('"b"'), tagged('"h"'));
	assert.deepEqual(faults, []);
	assert.deepEqual(request.base.headers, { accept: '*/*', 'if-none-match': '"b"' });
	assert.deepEqual(request.head.headers, { accept: '*/*', 'if-none-match': '"h"' });
	const without = await verify(scenario, tagged('"b"'), answering({ id: 1 }));
	assert.deepEqual(without.faults, [
		{
			code: 'wrong-header',
			side: 'head',
			message: 'head gave a wrong answer to GET /user (asked for its etag): header etag is missing',
		},
	]);
});

test('a limiter may let one side through and not the other', async () => {
	const scenario = {
		expect: { status: [200, 429], json: { id: 1 } },
		statusLimit: { status: 200, max: 1, seconds: 10 },
	};
	assert.deepEqual((await verify(scenario, answering({ id: 1 }), answering({}, 429))).faults, []);
	let requests = 0;
	const limiting: Handler = (req, res) =>
		requests++ === 0 ? answering({}, 429)(req, res) : answering({ id: 1 })(req, res);
	assert.deepEqual((await verify(scenario, answering({}, 429), limiting)).faults, []);
	assert.equal((await verify({ expect: scenario.expect }, answering({ id: 1 }), answering({}, 429))).faults.length, 1);
});

test('a side that does not answer ends the verification at once', async () => {
	let requests = 0;
	const silent: Handler = () => void requests++;
	const checks = [{ name: 'never asked', request: get('/check'), expect: { status: [200] } }];
	const { faults } = await verify({ checks }, answering({ id: 1 }), silent, 100);
	assert.deepEqual(faults, [
		{ code: 'no-answer', side: 'head', message: 'head did not answer GET /user: no complete answer within 0.1 s' },
	]);
	assert.equal(requests, 1);
});

test('an endless answer is distinguished from none, and each side is tried once', async () => {
	let requests = 0;
	const endless: Handler = (_req, res) => {
		requests++;
		res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: tick\n\n');
	};
	const { faults } = await verify({}, endless, endless, 100);
	assert.deepEqual(
		faults.map(({ code, side }) => [code, side]),
		[
			['endless-answer', 'base'],
			['endless-answer', 'head'],
		],
	);
	assert.equal(requests, 2);
});

test('if one side does not answer, the other is still tried, whichever is first', async () => {
	const silent: Handler = () => {};
	const both = await verify({}, silent, silent, 100);
	assert.deepEqual(
		both.faults.map(({ code, side }) => [code, side]),
		[
			['no-answer', 'base'],
			['no-answer', 'head'],
		],
	);
	const mixed = await verify({ expect: { status: [200] } }, silent, answering({}, 500), 100);
	assert.deepEqual(
		mixed.faults.map(({ code, side }) => [code, side]),
		[
			['no-answer', 'base'],
			['wrong-status', 'head'],
		],
	);
});

test('both servers rest before each request, and the first one is also last', async () => {
	const seen: string[] = [];
	const noting =
		(side: string): Handler =>
		(_req, res) => {
			seen.push(side);
			res.end('{"id":1}');
		};
	await using base = await listen(createServer(noting('base')));
	await using head = await listen(createServer(noting('head')));
	const checks = [{ name: 'again', request: get('/again'), expect: { status: [200] } }];
	const waitForRest = async () => void seen.push('rest');
	const origins = { base: base.origin, head: head.origin };
	await verifyScenario(origins, { ...SCENARIO, checks }, { first: 'head', rest: waitForRest });
	const order = ['head', 'base', 'base', 'head', 'head', 'base'];
	assert.deepEqual(
		seen,
		order.flatMap((side) => ['rest', side]),
	);
});

test('a server may write its own address into its answers', async () => {
	const linking: Handler = (req, res) => answering({ id: 1, self: `http://${req.headers.host}/user` })(req, res);
	assert.deepEqual((await verify({}, linking, linking)).faults, []);
});

test('the answer to a login is checked by its own expect, and not compared', async () => {
	const sessions = new Set<string>();
	const service: Handler = (req, res) => {
		if (req.url === '/login') {
			const id = randomUUID();
			sessions.add(id);
			res.setHeader('set-cookie', ['theme=dark; Path=/; Max-Age=3600', `sid=${id}; Path=/; HttpOnly`]);
			return answering({ token: id, user: id.length })(req, res);
		}
		const sid = /(?:^|; )sid=([^;]*)/.exec(req.headers.cookie ?? '')?.[1];
		const token = req.headers.authorization?.replace('Bearer ', '');
		return answering({ id: sessions.has(sid ?? token ?? '') ? 1 : 0 })(req, res);
	};
	const login = { request: get('/login'), expect: { status: [200], json: { token: '<uuid>' } } };
	const cookies = { ...login, from: { header: 'set-cookie' }, sendAs: 'cookie' };
	const verification = await verify({ learn: cookies }, service, service);
	assert.deepEqual(verification.faults, []);
	assert.match(verification.request.head.headers.cookie ?? '', /^theme=dark; sid=[\da-f-]{36}$/);
	const token = { ...login, from: { json: '$.token' }, sendAs: 'authorization', template: 'Bearer {{value}}' };
	assert.deepEqual((await verify({ learn: token }, service, service)).faults, []);
	const wrong = await verify({ learn: token }, service, (req, res) =>
		req.url === '/login' ? answering({ token: 7 })(req, res) : service(req, res),
	);
	assert.deepEqual(wrong.faults, [
		{
			code: 'wrong-body',
			side: 'head',
			message: 'head gave a wrong answer to GET /login (asked for its $.token): body at $.token is 7 instead of <uuid>',
		},
	]);
});

test('a value in which another process of base differed is no difference, and is kept for later comparisons', async () => {
	const process = (pid: number): Handler => answering({ id: 1, pid });
	const first = await verify({}, process(11), process(12));
	assert.match(first.faults[0]?.message ?? '', /\$\.pid is 11 on base but 12 on head/);
	assert.deepEqual(
		first.disputed?.get('GET /user')?.map(({ body }) => body),
		['{"id":1,"pid":11}'],
	);
	const again = async (earlier: Verification['disputed'], head: Handler) => {
		await using one = await listen(createServer(process(21)));
		await using two = await listen(createServer(head));
		return await verifyScenario({ base: one.origin, head: two.origin }, SCENARIO, { ...(earlier && { earlier }) });
	};
	const second = await again(first.disputed, process(22));
	assert.deepEqual(second.faults, []);
	assert.equal(second.disputed?.get('GET /user')?.length, 2);
	assert.equal((await again(second.disputed, answering({ id: 1 }))).faults.length, 1, 'it must be there');
});

test('a head that varies values which base keeps is not like base, however often it is tried', async () => {
	let requests = 0;
	const random: Handler = (req, res) => answering({ id: 1, name: `${requests++}` })(req, res);
	assert.match((await verify({}, answering({ id: 1, name: 'x' }), random)).faults[0]?.message ?? '', /\$\.name/);
});

test('a request that needs a token is sent with a new one when it is learnt anew', async () => {
	let issued = 0;
	const service: Handler = (_req, res) => answering({ token: `t${++issued}` })(_req, res);
	await using base = await listen(createServer(service));
	await using head = await listen(createServer(service));
	const learn = {
		...{ request: get('/login'), expect: { status: [200] } },
		...{ from: { json: '$.token' }, sendAs: 'authorization' },
	};
	const faults: Fault[] = [];
	const origins = { base: base.origin, head: head.origin };
	const renew = learnerOf(origins, { ...SCENARIO, learn }, (renewed) => faults.push(...renewed));
	assert.equal((await renew?.())?.head[0]?.headers.authorization, 't2');
	assert.equal((await renew?.())?.head[0]?.headers.authorization, 't4');
	const broken = { ...SCENARIO, learn: { ...learn, expect: { status: [201] } } };
	assert.equal(await learnerOf(origins, broken, (renewed) => faults.push(...renewed))?.(), null);
	assert.deepEqual(
		faults.map(({ code, side }) => [code, side]),
		[
			['wrong-status', 'base'],
			['wrong-status', 'head'],
		],
	);
	const conditional = { ...learn, sendAs: 'if-none-match' };
	assert.equal(
		learnerOf(origins, { ...SCENARIO, learn: conditional }, () => {}),
		undefined,
	);
});
