/** What to do about faults of a row, for `check` and for reports. */
import { DIFFERENCES, START_FAULTS } from '../types/round.ts';
import type { Warning } from '../types/units.ts';

type Faults = readonly Pick<Warning, 'code' | 'message'>[];

/** By code of a fault; the first that applies. */
const BY_CODE: readonly (readonly [codes: readonly string[], remedy: string])[] = [
	[['server-missing'], 'rebase head on its base branch, or name a base that has the server'],
	[
		['wrong-protocol'],
		'let the server listen without TLS and HTTP/2 when it is measured, for example by a variable in env, and leave both to a proxy',
	],
	[
		START_FAULTS,
		"see that the server's command starts it from a fresh checkout, that env has the variables it needs, and that it listens on HOST and PORT: both sides run at once",
	],
	[
		DIFFERENCES,
		'if it may differ, write <any> in its place in expect.json, or a line beside expect: ignore with a pattern (for text), or compare: status; else correct head',
	],
	[
		['endless-answer'],
		'leave the scenario out if its answer is a stream: only answers that end within 10 s can be measured. Else give the answer a content-length, or close its connection',
	],
	[
		['limited'],
		'switch the limiter off, or raise its limit, by a variable in env of the server: a comparison sends tens of thousands of requests from one address',
	],
	[
		['crashed', 'restarted'],
		'start the server by hand, and send it requests until its process ends: the notes quote its last lines, and how it ended',
	],
	[['rate-not-held'], 'lower load.rate of the scenario; raise load.connections if it answers slowly by design'],
	[['status-limit'], "correct status-limit of the scenario, or the server's limiter"],
	[
		['unexpected-answers', 'connection-errors', 'lost-requests', 'no-answers'],
		"see the server's log for what runs out under load (connections of a pool, a queue), or load it less: load: { connections: 4 }",
	],
	[['no-answer'], 'send this request to the server by hand, and see why it does not answer it'],
];

const VARIABLE = '\\b(?!ERR_|MODULE_)[A-Z][A-Z0-9]*_[A-Z0-9_]+\\b';
const LACKS = '(?:[Rr]equire|[Mm]issing|\\b(?:not|is|be) (?:set|defined|undefined|provided|empty)\\b)';

/** By message of a fault; comes before its code. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
	[
		/cannot listen on .*, which (?:another process has|is) taken/,
		'base and head run at the same time: listen on HOST and PORT. A second port (metrics, a debugger) needs a variable that turns it off, or that differs for each process, as in command: METRICS_PORT=$((PORT + 10000)) node server.js',
	],
	[
		/connection to server .* failed|ECONNREFUSED|[Cc]an't connect to .*server|[Cc]onnection refused/,
		'start the database or service that it connects to, and write its host, port, user and password into env of the server in benchgate.yml',
	],
	[
		/it cannot find /,
		'each side is a fresh checkout: name missing packages in its package.json, and build missing files with prepare, for example prepare: npm run build',
	],
	[
		new RegExp(
			`it printed: .*(?:\\benv(?:ironment)? var|${VARIABLE}.*${LACKS}|${LACKS}.*${VARIABLE})|KeyError.*'${VARIABLE}'`,
			's',
		),
		'write the variables that it needs into env of the server in benchgate.yml, for example env: { API_KEY: test }; a .env file that git ignores is not there',
	],
	[
		/status 40[13] instead of/,
		'send what the server requires, for example headers: { authorization: Bearer TOKEN } in request, or switch that check off by a variable in env',
	],
	[/status 429 instead of/, remedyOf('limited')],
	[
		/with location "https:/,
		'the server sends plain HTTP on to HTTPS: send headers: { x-forwarded-proto: https } with the request, as a proxy does, or switch that off by a variable in env',
	],
];

const OF_HEADERS = /: headers? (?:([a-z\d, -]+) (?:is|are) missing on head|([a-z\d-]+) (?:is|differs) .* on head)$/;

/** Returns the line of a config that allows the differences if all are of headers; else null. */
export function lineForHeaders(faults: Faults): string | null {
	const differences = faults.filter(({ code }) => DIFFERENCES.includes(code));
	const names = differences.map(({ message }) => {
		const [, missing, other] = OF_HEADERS.exec(message) ?? [];
		return (missing ?? other)?.split(', ');
	});
	if (names.length === 0 || names.includes(undefined)) return null;
	const lines = [...new Set(names.flat())].map((name) => `${name}: <optional>`);
	return `headers: { ${lines.join(', ')} }`;
}

/** Returns a clause without capital and full stop; null if only `expect` or the answer can be wrong. */
export function remedyFor(faults: Faults): string | null {
	const line = lineForHeaders(faults);
	if (line !== null) return `if this is intended, write ${line} into expect of this request; else correct head`;
	const said = BY_MESSAGE.find(([text]) => faults.some(({ message }) => text.test(message)));
	return said?.[1] ?? BY_CODE.find(([codes]) => faults.some(({ code }) => codes.includes(code)))?.[1] ?? null;
}

function remedyOf(wanted: string): string {
	return BY_CODE.find(([codes]) => codes.includes(wanted))?.[1] ?? '';
}
