/** What each published page says of its load, versions and order, as its own code has it. */
import type { Preset } from './preset.ts';

/** From none to 50 users, so long, and back: what k6 is told, and what its summary counts as a whole. */
const ERGO_STAGES = [
	{ seconds: 30, connections: 50 },
	{ seconds: 60, connections: 50 },
	{ seconds: 10, connections: 0 },
] as const;
/** Ten seconds up to each level, 30 s there, and ten seconds down. */
const ERGO_RAMP = [
	...[10, 50, 100, 200, 500].flatMap((connections) => [
		{ seconds: 10, connections },
		{ seconds: 30, connections },
	]),
	{ seconds: 10, connections: 0 },
];
const ERGO_SERVERS = ['ergo', 'node-http', 'express', 'fastify', 'hono', 'koa'] as const;
const ERGO_VERSIONS = {
	'@centralping/ergo': '0.1.0',
	'@centralping/ergo-router': '0.1.0',
	ajv: '8.18.0',
	etag: '1.8.1',
	express: '5.2.1',
	compression: '1.8.1',
	cors: '2.8.6',
	'express-rate-limit': '8.3.1',
	fastify: '5.8.2',
	'@fastify/compress': '8.3.1',
	'@fastify/cors': '11.2.0',
	'@fastify/etag': '6.1.0',
	'@fastify/rate-limit': '10.3.0',
	hono: '4.12.8',
	'@hono/node-server': '1.19.11',
	koa: '3.1.2',
	'@koa/router': '15.4.0',
	'@koa/cors': '5.0.0',
	'koa-bodyparser': '4.4.1',
	'koa-compress': '5.2.1',
} as const;
const ERGO_DIFFERENCES = [
	'The page gives each server one CPU and 512 MB in Docker; here it has one CPU, and no limit of memory unless there is one already.',
	'Memory on the page is one reading after the load; here it is the highest of the whole turn.',
	'The page does not say in which order its trials ran; here those of one server follow each other, with fresh processes.',
] as const;

const VEXT_SERVERS = [
	...['vext-native', 'vext-fastify', 'vext-hono', 'vext-express', 'vext-koa'],
	...['fastify', 'hono', 'express', 'koa-2'],
];

const COMMON = {
	stages: null,
	calls: null,
	driver: null,
	warmupSeconds: 0,
	warmupLoad: null,
	pauseSeconds: 0,
	trials: 1,
	aggregate: 'mean',
	deviation: 'sample',
	limits: null,
	node: null,
	versions: {},
} as const;

export const PRESET_TABLE = {
	'seed-pikku': {
		...COMMON,
		page: 'Pikku',
		servers: ['express', 'pikku-express', 'fastify', 'pikku-fastify', 'uws', 'pikku-uws', 'bun', 'pikku-bun'],
		scenarios: ['ping', 'schema-post', 'middleware-1', 'full-session', 'param-json'],
		load: { connections: 100, pipelining: 10 },
		durationSeconds: 10,
		node: '24.11.1',
		differences: [
			'On the page client and server share one process; here the server has its own, on a CPU of its own.',
			'The schemas of the page validate nothing; here they do.',
			"The page's own servers on uWebSockets.js and Bun do by hand what its other servers use middlewares for.",
		],
	},
	'seed-pikku-inprocess': {
		...COMMON,
		page: 'Pikku, in its process',
		servers: ['pikku-node'],
		scenarios: [
			...['inprocess-ping', 'inprocess-schema-post', 'inprocess-middleware-1'],
			...['inprocess-full-session', 'inprocess-param-json'],
		],
		load: { connections: 1, pipelining: 1 },
		calls: { warmup: 1_000, counted: 10_000 },
		// Used where flags ask for other times.
		warmupSeconds: 0.5,
		durationSeconds: 1,
		node: '24.11.1',
		differences: ['The schemas of the page validate nothing; here they do.'],
	},
	'seed-tinyhttp': {
		...COMMON,
		page: 'tinyhttp',
		servers: ['tinyhttp', 'tinyhttp-cjs', 'express-4', 'polka', 'koa-2'],
		scenarios: ['param-text'],
		load: { connections: 100, pipelining: 1 },
		durationSeconds: 15,
		node: '14.9.0',
		versions: { express: '4.17.1', polka: '0.5.2', koa: '2.13.0', '@koa/router': '9.4.0', '@tinyhttp/app': '0.4' },
		differences: [
			'The page loads a server before it listens, which is where its errors come from; here it is ready.',
			'The servers of the page have two routes more, `/` and `/favicon.ico`.',
		],
	},
	'seed-ergo': {
		...COMMON,
		page: 'ergo',
		servers: ERGO_SERVERS,
		scenarios: [
			...['ping', 'param-query', 'auth-get', 'json-post', 'full-pipeline'],
			...['production-stack', 'conditional-get', 'rate-limit-flood'],
		],
		load: { connections: 50, pipelining: 1 },
		stages: ERGO_STAGES,
		driver: 'k6',
		// Used where flags ask for other connections or another duration: what the page calls its window.
		warmupSeconds: 30,
		durationSeconds: 60,
		trials: 3,
		deviation: 'population',
		limits: { failed: 0.01, p99: 1000 },
		node: '22',
		versions: ERGO_VERSIONS,
		differences: ERGO_DIFFERENCES,
	},
	'seed-ergo-ramp': {
		...COMMON,
		page: 'ergo, its ramp',
		servers: ERGO_SERVERS,
		scenarios: ['full-pipeline'],
		load: { connections: 500, pipelining: 1 },
		stages: ERGO_RAMP,
		driver: 'k6',
		durationSeconds: 210,
		trials: 3,
		deviation: 'population',
		limits: { failed: 0.05, p99: 5000 },
		node: '22',
		versions: ERGO_VERSIONS,
		differences: [
			...ERGO_DIFFERENCES,
			'One figure is counted over all steps, as on the page. Each step by itself: `--scenario full-pipeline --ramp 10,50,100,200,500`.',
		],
	},
	'seed-blog': {
		...COMMON,
		page: 'Express and Fastify',
		servers: ['express', 'fastify'],
		scenarios: ['hello-text'],
		load: { connections: 100, pipelining: 1 },
		durationSeconds: 10,
		differences: [
			"Both servers of the page run in the client's process, both started before either is loaded; here each has its own.",
			'The page answers "Hello from Express" and "Hello from Fastify"; here both answer "Hello, World!".',
			'The page does not say which versions it ran.',
		],
	},
	'seed-vext-page': {
		...COMMON,
		page: 'VextJS',
		servers: [...VEXT_SERVERS, 'nestjs-express', 'nestjs-fastify'],
		scenarios: ['json-hello', 'json-nested', 'validate-10', 'middleware-5'],
		load: { connections: 100, pipelining: 1 },
		warmupSeconds: 5,
		durationSeconds: 30,
		node: '22.12.0',
		differences: [
			'The page does not say whether it pipelines: its manual command does (`--pipelining 10`), its settings do not.',
		],
	},
	'seed-vext-runner': {
		...COMMON,
		page: "VextJS, the repository's runner",
		servers: VEXT_SERVERS,
		scenarios: ['json-hello', 'param-json', 'chain-inline', 'middleware-3'],
		load: { connections: 50, pipelining: 10 },
		warmupSeconds: 5,
		warmupLoad: { connections: 10, pipelining: 1 },
		pauseSeconds: 2,
		durationSeconds: 15,
		trials: 5,
		aggregate: 'median-round',
		node: '22.12.0',
		differences: [
			'The runner runs one trial by default, and its documentation asks for 5 or 7; here there are 5.',
			'The trials of the runner load one process; here each has a fresh one.',
		],
	},
} as const satisfies Readonly<Record<string, Preset>>;
