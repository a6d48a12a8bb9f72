/** Slow code planted into installed packages, listed before the first try. Failures stay in the list. */

/** Inserted behind the first occurrence of `after`, or at the end. */
export interface Insertion {
	/** Relative to `node_modules`. */
	readonly file: string;
	readonly after: string | null;
	readonly code: string;
}

export interface Cause {
	readonly name: string;
	readonly server: string;
	/** In base and head. */
	readonly both: readonly Insertion[];
	/** In head alone. */
	readonly head: readonly Insertion[];
	/** File of `functions`: one of them must be named first; for lost optimisations none may be. */
	readonly file: string;
	readonly functions: readonly string[];
	readonly kind: 'located' | 'optimisation-lost';
}

export const SCENARIO = 'param-json';

interface Host {
	readonly server: string;
	/** Two functions that run at least once a request. */
	readonly places: readonly [Place, Place];
	/** Loaded by the file of the first place. */
	readonly helper: { readonly file: string; readonly path: string };
}

interface Place {
	readonly file: string;
	/** Text right before the body of the function. */
	readonly after: string;
	readonly function: string;
	/** The end of a line of the top level. */
	readonly top: string;
}

const HOSTS: readonly Host[] = [
	{
		server: 'express',
		places: [
			{
				file: 'express/lib/response.js',
				after: 'res.json = function json(obj) {',
				function: 'json',
				top: "'use strict';",
			},
			{
				file: 'router/lib/layer.js',
				after: 'Layer.prototype.handleRequest = function handleRequest (req, res, next) {',
				function: 'handleRequest',
				top: "'use strict'",
			},
		],
		helper: { file: 'express/lib/utils.js', path: './utils' },
	},
	{
		server: 'koa',
		places: [
			{ file: 'koa/lib/application.js', after: 'function respond (ctx) {', function: 'respond', top: "'use strict'" },
			{ file: 'koa/lib/response.js', after: '  set status (code) {', function: 'status', top: "'use strict'" },
		],
		helper: { file: 'koa/lib/is-stream.js', path: './is-stream' },
	},
	{
		server: 'fastify',
		places: [
			{
				file: 'fastify/lib/handle-request.js',
				after: 'function handler (request, reply) {',
				function: 'handler',
				top: "'use strict'",
			},
			{
				file: 'fastify/lib/reply.js',
				after: 'function onSendHook (reply, payload) {',
				function: 'onSendHook',
				top: "'use strict'",
			},
		],
		helper: { file: 'fastify/lib/error-status.js', path: './error-status' },
	},
];

const COUNT_UP = (turns: number) => `for (let i = 0; i < ${turns}; i++) planted = (planted * 31 + i) | 0;`;
const DEAD = Array.from({ length: 120 }, (_, at) => `x = x * ${at + 2} + (x ^ ${at});`).join(' ');
const STEP = (body: string) =>
	`\nfunction plantedStep (x) { ${body}return (x * 31 + 7) | 0; }\nfunction plantedRun () { let x = 1; for (let i = 0; i < 1500; i++) x = plantedStep(x); return x; }\nlet planted = 1;`;

function causesOf({ server, places: [first, second], helper }: Host): readonly Cause[] {
	const at = ({ file }: Place, after: string, code: string): Insertion => ({ file, after, code });
	const located = (kind: string, place: Place, top: string, code: string): Cause => ({
		...{ name: `${kind} in ${server}`, server, both: [at(place, place.top, top)], kind: 'located' },
		head: [at(place, place.after, `\n${code}\n`)],
		...{ file: place.file, functions: [place.function] },
	});
	const planted = '\nlet planted = 1;';
	return [
		located('loop', first, planted, COUNT_UP(3_000)),
		located(
			'regexp',
			second,
			`${planted}\nconst PLANTED = /^(a+)+$/;`,
			"if (PLANTED.test('aaaaaaaaaab')) planted = 2;",
		),
		located(
			'indexOf',
			second,
			`${planted}\nconst PLANTED = Array.from({ length: 5000 }, (_, at) => 'k' + at);`,
			"if (PLANTED.indexOf('absent') > 0) planted = 2;",
		),
		{
			...{ name: `lost inlining in ${server}`, server, kind: 'optimisation-lost' },
			both: [at(first, first.after, '\nplanted = plantedRun();\n')],
			head: [],
			...{ file: first.file, functions: [] },
		},
		{
			...{ name: `inlined helper in ${server}`, server, kind: 'located' },
			both: [
				at(first, first.top, `\nconst plantedHelper = require('${helper.path}');\nlet planted = 1;`),
				at(first, first.after, '\nplanted = plantedHelper.planted(planted);\n'),
			],
			head: [],
			...{ file: helper.file, functions: ['planted'] },
		},
	];
}

/** Differences between the sides in causes whose code is in both. */
export function variantOf(cause: Cause, side: 'base' | 'head'): readonly Insertion[] {
	const host = HOSTS.find(({ server }) => server === cause.server);
	const first = host?.places[0];
	if (!host || !first) throw new Error(`no host ${cause.server}`);
	if (cause.name.startsWith('lost inlining')) {
		const dead = side === 'head' ? `if (x === null) { ${DEAD} } ` : '';
		return [{ file: first.file, after: first.top, code: STEP(dead) }];
	}
	if (cause.name.startsWith('inlined helper')) {
		const turns = side === 'head' ? 3_000 : 20;
		const code = `\nmodule.exports.planted = function planted (x) { for (let i = 0; i < ${turns}; i++) x = (x * 31 + i) | 0; return x; };\n`;
		return [{ file: host.helper.file, after: null, code }];
	}
	return [];
}

export const CAUSES: readonly Cause[] = HOSTS.flatMap(causesOf);

/** Rows compared with themselves: nothing may be named. */
export const SAME: readonly (readonly [server: string, scenario: string])[] = [
	...['express', 'koa', 'fastify', 'express', 'koa', 'fastify'].map((server) => [server, SCENARIO] as const),
	...[1, 2].flatMap(() =>
		['express', 'koa', 'fastify', 'hono'].flatMap((server) =>
			['json-post', 'middleware-5', 'validate-10', 'hello-text'].map((scenario) => [server, scenario] as const),
		),
	),
	['hono', SCENARIO],
	['hono', SCENARIO],
];
