/** Heads that break or cheat in their answers, without a verdict being certain. */
import assert from 'node:assert/strict';
import { type Attack, BY_DEFAULT } from '../attack.ts';
import { AT_ONCE, app, BOTH, configOf, server } from '../victim.ts';

const HASH = `import { createHash } from 'node:crypto';
const hash = (body) => JSON.stringify(createHash('sha1').update(body).digest('hex'));`;

const HASHING = app({ first: HASH, each: "response.setHeader('etag', hash(body));" });

const GZIP = `import { gzipSync } from 'node:zlib';
function zip(response, body) {
	response.setHeader('content-encoding', 'gzip');
	return gzipSync(body);
}`;
/** Replaces text of a scenario. */
const replacing = (from: string, to: string) => (text: string) => {
	assert.ok(text.includes(from), from);
	return text.replace(from, to);
};
const EXPECTATION = 'expect: { status: 200 }';
const expecting = (expect: string) => replacing(EXPECTATION, `expect: ${expect}`);
/** A body with the time, as in many services. */
const CLOCK = "if (request.url === '/report') body = JSON.stringify({ rows: [1, 2, 3], at: String(1e6 + answers) });";
/** As a service that names each of its answers. */
const naming = (id: string) => `if (request.url === '/report') body = JSON.stringify({ rows: [1, 2, 3], id: ${id} });`;
const UUID = "import { randomUUID } from 'node:crypto';\nconst kept = randomUUID();";
const LOGIN = `{ status: 200 }
    learn:
      request: { path: /fast }
      expect: { status: 200 }
      header: set-cookie
      send-as: cookie`;
/** Issues sessions, and sends a report only with one. */
const SESSIONS = (cookie: string) => `if (request.url === '/fast') response.setHeader('set-cookie', ${cookie});
	else if (!/^a=1; sid=\\d+$/.test(request.headers.cookie)) status = 401;`;

export const ANSWER_HEADS: readonly Attack[] = [
	{
		does: 'crashes when it starts',
		files: { 'bench/server.mjs': server("throw new Error('left-pad is gone');") },
		ends: BY_DEFAULT,
		faults: ['exited-at-start'],
		says: /left-pad is gone/,
	},
	{
		does: 'crashes under load',
		files: { 'lib/app.mjs': app({ each: 'if (answers > 200) process.exit(7);' }) },
		ends: 'red',
		faults: ['crashed'],
		says: /crashed/,
	},
	{
		does: 'never listens',
		files: { 'bench/server.mjs': "setInterval(() => {}, 1000);\nprocess.on('SIGTERM', () => process.exit(0));\n" },
		ends: 'red',
		faults: ['never-listened'],
		says: /did not listen/,
	},
	{
		does: 'stops answering under load',
		// Checks use a connection per request: only load sends a second one, and gets no answer.
		files: {
			'lib/app.mjs': app({
				first: 'let isLoaded = false;\n',
				each: 'isLoaded ||= request.socket.asked === true;\n\tif (isLoaded) return;\n\trequest.socket.asked = true;',
			}),
		},
		ends: 'red',
		faults: ['no-answers', 'connection-errors', 'unexpected-answers', 'no-answer'],
	},
	{
		does: 'answers wrongly from the start',
		files: { 'lib/app.mjs': app({ each: "body = '{}';" }) },
		ends: 'red',
		faults: ['wrong-body'],
	},
	{
		does: 'answers every twentieth request with an error',
		files: { 'lib/app.mjs': app({ each: 'if (answers % 20 === 19) status = 503;' }) },
		ends: 'red',
		faults: ['unexpected-answers', 'wrong-status'],
		says: /wrong or failed|503/,
	},
	{
		does: 'answers every 500th request with an error',
		// The first after a hundred: a crowded machine may not answer 500 in a round.
		files: { 'lib/app.mjs': app({ each: 'if (answers % 500 === 100) status = 503;' }, AT_ONCE) },
		ends: 'red',
		faults: ['unexpected-answers', 'wrong-status'],
		says: /wrong or failed|503/,
	},
	{
		does: 'answers every 2000th request with an error',
		// Half of the allowed share, as in a busy service: its row still counts.
		files: { 'lib/app.mjs': app({ each: 'if (answers % 2000 === 1999) status = 503;' }, AT_ONCE) },
		ends: 'honest',
		check: ({ result }) => assert.ok(result?.cells.every(({ verdict }) => verdict !== 'invalid')),
	},
	{
		does: 'answers rightly when asked, and shorter under load',
		files: { 'lib/app.mjs': app({ each: "if (answers > 60 && request.url === '/report') body = '{}';" }) },
		rows: ['report'],
		ends: 'red',
		says: /base and head disagree on GET \/report|were not the answer it gave before/,
	},
	{
		does: 'answers rightly when asked, and does less for it under load',
		files: {
			'lib/app.mjs': app({ each: "if (answers > 60 && request.url === '/report') body = '{\"rows\":[1,2,4]}';" }),
		},
		rows: ['report'],
		ends: 'red',
		says: /base and head disagree on GET \/report|were not the answer it gave before/,
	},
	{
		does: 'answers with fewer items of a list that may be anything',
		scenario: expecting('{ status: 200, json: { rows: <any> } }'),
		files: { 'lib/app.mjs': app({ each: "if (request.url === '/report') body = '{\"rows\":[1]}';" }) },
		rows: ['report'],
		ends: 'red',
		says: /rows has 3 items on base but 1 on head/,
	},
	{
		does: 'answers with null in the place of a list that may be anything',
		scenario: expecting('{ status: 200, json: { rows: <any> } }'),
		files: { 'lib/app.mjs': app({ each: "if (request.url === '/report') body = '{\"rows\":null}';" }) },
		rows: ['report'],
		ends: 'red',
		says: /rows is list on base but null on head/,
	},
	{
		does: 'answers at random, so that nothing of it could be compared',
		files: {
			'lib/app.mjs': app({ each: "if (request.url === '/report') body = '{\"rows\":' + Math.random() + '}';" }),
		},
		rows: ['report'],
		ends: 'red',
		says: /base and head disagree on GET \/report/,
	},
	{
		does: 'says in its own config that its answer may be anything',
		files: {
			'benchgate.yml': expecting('{ status: 200, json: <any> }\n    compare: status')(configOf(['report'])),
			'lib/app.mjs': app({ each: "if (request.url === '/report') body = '{\"rows\":[4]}';" }),
		},
		rows: ['report'],
		ends: 'red',
		says: /base and head disagree on GET \/report/,
	},
	{
		does: 'answers with nothing where only the status is compared',
		scenario: expecting('{ status: 200 }\n    compare: status'),
		files: { 'lib/app.mjs': app({ each: "if (request.url === '/report') body = '';" }) },
		rows: ['report'],
		ends: 'red',
		says: /body of 16 bytes on base but 0 on head/,
	},
	{
		does: 'answers rightly when asked, and shorter under load, where each answer of base has another time in it',
		main: { 'lib/app.mjs': app({ each: CLOCK }) },
		files: { 'lib/app.mjs': app({ each: `${CLOCK}\n\tif (answers > 60 && answers % 3 === 0) body = '{}';` }) },
		rows: ['report'],
		ends: 'red',
		says: /were shorter than any before|base and head disagree/,
	},
	{
		does: 'answers rightly when asked, and with filler under load, where each answer of base has another time in it',
		main: { 'lib/app.mjs': app({ each: CLOCK }) },
		files: {
			'lib/app.mjs': app({ each: `${CLOCK}\n\tif (answers > 60) body = '{"rows":"","at":"xxxxxxx","x":"xxxxxxx"}';` }),
		},
		rows: ['report'],
		ends: 'red',
		says: /were unlike all before|base and head disagree/,
	},
	{
		does: 'keeps an id that base makes for each answer',
		main: { 'lib/app.mjs': app({ first: UUID, each: naming('randomUUID()') }) },
		files: { 'lib/app.mjs': app({ first: UUID, each: naming('kept') }) },
		rows: ['report'],
		ends: 'red',
		says: /id differs in each answer of base but not on head/,
	},
	{
		does: 'makes an id for each answer when asked, and keeps one under load',
		main: { 'lib/app.mjs': app({ first: UUID, each: naming('randomUUID()') }) },
		files: { 'lib/app.mjs': app({ first: UUID, each: naming('answers > 60 ? kept : randomUUID()') }) },
		rows: ['report'],
		ends: 'red',
		says: /under load were the same|base and head disagree/,
	},
	{
		does: 'gives out no session that its rows are asked with',
		scenario: expecting(LOGIN),
		main: { 'lib/app.mjs': app({ each: SESSIONS("['a=1; Path=/', 'sid=' + answers + '; HttpOnly']") }) },
		files: { 'lib/app.mjs': app({ each: SESSIONS("['a=1; Path=/']") }) },
		rows: ['report'],
		ends: 'red',
		says: /status 401 instead of 200/,
	},
	{
		does: 'answers with all headers when asked, and leaves some out under load',
		files: { 'lib/app.mjs': app({ each: 'response.sendDate = answers <= 60;' }) },
		ends: 'red',
		faults: ['changed-under-load'],
		says: /without a header that they had before: "date"/,
	},
	{
		does: 'hashes its answer when asked, and sends a stored ETag under load',
		main: { 'lib/app.mjs': HASHING },
		files: {
			'lib/app.mjs': app({
				first: HASH,
				each: "response.setHeader('etag', answers > 60 ? '\"stored\"' : hash(body));",
			}),
		},
		ends: 'red',
		faults: ['changed-under-load'],
		says: /had another value of the header "etag" than before/,
	},
	{
		does: 'sends no ETag, where base hashes each of its answers',
		main: { 'lib/app.mjs': HASHING },
		files: { 'lib/app.mjs': app() },
		ends: 'red',
		says: /header etag is missing on head/,
	},
	{
		does: 'sends its ETag behind 40 other headers when asked, and none under load',
		main: { 'lib/app.mjs': HASHING },
		files: {
			'lib/app.mjs': app({
				first: HASH,
				each: `for (let n = 0; n < 40; n++) response.setHeader('x-' + n, '');
	if (answers <= 60) response.setHeader('etag', hash(body));`,
			}),
		},
		ends: 'red',
		faults: ['changed-under-load'],
		says: /without a header that they had before: "etag"/,
	},
	{
		does: 'sends its ETag with every second answer',
		main: { 'lib/app.mjs': HASHING },
		files: { 'lib/app.mjs': app({ first: HASH, each: "if (answers % 2) response.setHeader('etag', hash(body));" }) },
		ends: 'red',
		faults: ['changed-under-load'],
	},
	{
		does: 'no longer sends a header that no client needs',
		main: { 'lib/app.mjs': app({ each: "response.setHeader('x-powered-by', 'victim');" }) },
		files: { 'lib/app.mjs': app() },
		ends: 'honest',
		check: ({ result, comment }) => {
			assert.ok(result?.cells.every(({ warnings }) => warnings.some(({ code }) => code === 'other-headers')));
			assert.match(comment, /Head leaves out "x-powered-by"/);
		},
	},
	{
		does: 'compresses its answer when asked, and sends an empty one under load',
		scenario: replacing('path: /fast }', 'path: /fast, headers: { accept-encoding: gzip } }'),
		main: { 'lib/app.mjs': app({ first: GZIP, each: 'body = zip(response, body);' }) },
		files: {
			'lib/app.mjs': app({
				first: GZIP,
				// Checks use a connection per request, even after the load.
				each: "body = zip(response, request.socket.asked ? '' : body);\n\trequest.socket.asked = true;",
			}),
		},
		ends: 'red',
		faults: ['wrong-body'],
		says: /of the sampled bodies of head under load were wrong/,
	},
	{
		does: 'answers 302 under load',
		files: { 'lib/app.mjs': app({ each: 'if (answers > 60) status = 302;' }) },
		ends: 'red',
		faults: ['wrong-status', 'unexpected-answers'],
		says: /302|wrong or failed/,
	},
	{
		does: 'answers 200 when asked, and 404, which is right too, under load',
		scenario: replacing('status: 200,', 'status: [200, 404],'),
		files: { 'lib/app.mjs': app({ each: 'if (answers > 60) status = 404;' }) },
		ends: 'red',
		faults: ['changed-under-load'],
		says: /had another status than before, 200: mostly 404/,
	},
	{
		does: 'closes every connection after one answer',
		files: { 'lib/app.mjs': app({ each: "response.setHeader('connection', 'close');" }) },
		ends: 'honest',
		// HTTP allows it, so no side is blamed.
		check: ({ result }) => assert.ok(result?.cells.every(({ verdict }) => verdict !== 'invalid')),
	},
	{
		does: 'closes connections without an answer',
		files: { 'lib/app.mjs': app({ each: 'if (answers % 20 === 19) { request.socket.destroy(); return; }' }) },
		ends: 'red',
		faults: ['lost-requests', 'no-answer', 'connection-errors', 'unexpected-answers'],
	},
	{
		does: 'resets each connection after ten answers',
		// The client has already sent its next request on this connection, and must resend it.
		files: {
			'lib/app.mjs': app({
				each: `const { socket } = request;
	socket.asked = (socket.asked ?? 0) + 1;
	if (socket.asked > 10) return socket.resetAndDestroy();`,
			}),
		},
		ends: 'red',
		faults: ['lost-requests'],
		says: /had to be sent again/,
	},
	{
		does: 'drops requests until they are sent again, and those too',
		files: { 'lib/app.mjs': app({ each: 'if (answers % 50 > 47) { request.socket.destroy(); return; }' }) },
		ends: 'red',
		faults: ['connection-errors', 'lost-requests', 'no-answer'],
	},
	{
		does: 'gives up each connection after three answers and keeps it open',
		files: {
			'lib/app.mjs': app({
				each: `const { socket } = request;
	socket.asked = (socket.asked ?? 0) + 1;
	if (socket.asked === 3) {
		socket.end = socket.destroySoon = () => socket;
		response.setHeader('connection', 'close');
	}`,
			}),
		},
		ends: 'honest',
		// No answer is missing: the client replaces such a connection.
		check: ({ result }) => assert.ok(result?.cells.every(({ verdict }) => verdict !== 'invalid')),
	},
	{
		does: 'answers with 50 MB',
		files: {
			'lib/app.mjs': app({
				first: "const big = 'x'.repeat(50_000_000);",
				each: "if (answers > 60 && request.url === '/report') body = big;",
			}),
		},
		// The first row uses up the small answers.
		rows: BOTH,
		ends: 'red',
		faults: ['no-answer'],
	},
];
