/**
 * The loads of published benchmark pages, as their own code sends them. A preset loads one server after the other, like
 * the pages: it shows the page's figures on this machine, without intervals.
 */
import type { Load } from '../../types/config.ts';
import type { Stage } from '../../types/plan.ts';
import type { OtherDriver } from '../../types/ranking/driver.ts';
import type { Fraction, Seconds } from '../../types/units.ts';

export interface Preset {
	/** Author of the page. */
	readonly page: string;
	readonly servers: readonly string[];
	readonly scenarios: readonly string[];
	/** Scenario → servers in it; all servers in a scenario without an entry. */
	readonly rows: Readonly<Record<string, readonly string[]>>;
	/** Wrapper → host, as compared by the page. */
	readonly wraps: Readonly<Record<string, string>>;
	/** Server the page features. */
	readonly highlight: string | null;
	/** Servers to which the page gives shares. */
	readonly percentOf: readonly string[];
	readonly load: Load;
	/** Connections during the counted load, without warm-up; null for constant connections. */
	readonly stages: readonly Stage[] | null;
	/** Number of in-process calls instead of times. */
	readonly calls: { readonly warmup: number; readonly counted: number } | null;
	/** Uncounted load. */
	readonly warmupSeconds: Seconds;
	/** If it differs from the measured load. */
	readonly warmupLoad: Load | null;
	readonly durationSeconds: Seconds;
	/** The page's load program, if benchgate supports it. */
	readonly driver: OtherDriver | null;
	/** Between two trials. */
	readonly pauseSeconds: Seconds;
	readonly trials: number;
	/** How the page combines trials; `median-round`: all figures of the trial with median requests/s. */
	readonly aggregate: 'mean' | 'median' | 'median-round';
	/** Divisor of the page's standard deviation: number of trials (population), or one less (sample). */
	readonly deviation: 'population' | 'sample';
	/** Limits of its tool: share of failed requests, and p99 in milliseconds. */
	readonly limits: { readonly failed: Fraction; readonly p99: number } | null;
	/** Whether the page reports garbage collection. */
	readonly vitals: boolean;
	/** Node version or prefix, if given. */
	readonly node: string | null;
	/** Memory limit of a server in flag form, if given. */
	readonly memoryLimit: string | null;
	/** Package → version or prefix, as far as given. */
	readonly versions: Readonly<Record<string, string>>;
	/** Differences from the page. */
	readonly differences: readonly string[];
}

/** Only servers named explicitly use Pikku's own adapters, which some registries lack. */
const PIKKU_WRAPS = {
	'pikku-express': 'express',
	'pikku-express-middleware': 'express',
	'pikku-fastify': 'fastify',
	'pikku-fastify-plugin': 'fastify',
	'pikku-uws': 'uws',
	'pikku-uws-handler': 'uws',
	'pikku-bun': 'bun',
	'pikku-bun-server': 'bun',
} as const;

const PIKKU_DIFFERENCES = [
	'On the page client and server share one process; here the server has its own, on a CPU of its own.',
	'The schemas of the page validate nothing; here they do.',
	"The page's own servers on uWebSockets.js and Bun do by hand what its other servers use middlewares for.",
	'The code of the page parses JSON on every request to Express; here on the routes that read a body.',
	'Pikku runs on its hosts through short adapters of benchgate. The page has those of Pikku on Express, Fastify and uWebSockets.js, which are pikku-express-middleware, pikku-fastify-plugin and pikku-uws-handler here.',
] as const;

/** k6 stages: up to 50 users, constant, down; its summary counts all of it. */
const ERGO_STAGES = [
	{ seconds: 30, connections: 50 },
	{ seconds: 60, connections: 50 },
	{ seconds: 10, connections: 0 },
] as const;

/** 10 s up to each level, 30 s there, and 10 s down. */
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
	'The page runs each server in Docker with one CPU and 512 MB; benchgate uses no containers, and in their place pins the server to one CPU and kills it when it uses more than 512 MB (`--memory-limit`).',
	'The page does not say in which order its trials ran; here those of one server follow each other, with fresh processes.',
	'Koa reads bodies with koa-bodyparser on the page, and with @koa/bodyparser here.',
	'On the page node:http, Hono and Koa limit rates by a log of timestamps, and Express and Fastify by their plugins; here all count in fixed windows, Hono and Koa with middleware of theirs.',
	'On the page Fastify makes ETags in every scenario; here in `conditional-get` alone. ergo and Express do so in all of them in both places.',
] as const;

const ERGO = {
	highlight: 'ergo',
	percentOf: ['node-http', 'fastify'],
	node: '22',
	memoryLimit: '512MB',
	versions: ERGO_VERSIONS,
} as const;

const VEXT_SERVERS = [
	...['vext-native', 'vext-fastify', 'vext-hono', 'vext-express', 'vext-koa'],
	...['fastify', 'hono', 'express', 'koa-2'],
];

const VEXT_WRAPS = {
	'vext-fastify': 'fastify',
	'vext-hono': 'hono',
	'vext-express': 'express',
	'vext-koa': 'koa-2',
} as const;

const VEXT = { wraps: VEXT_WRAPS, highlight: 'vext-native', node: '22.12.0' } as const;

const VEXT_HOSTS = 'VextJS runs on Koa 3 and @hono/node-server 1 here; its hosts on Koa 2 and @hono/node-server 2.';

const VEXT_PAGE_SERVERS = [...VEXT_SERVERS, 'nestjs-express', 'nestjs-fastify'];

const VEXT_CLUSTERS = ['cluster-1', 'cluster-2', 'cluster-4', 'cluster-8', 'cluster-16'];

/** One entry per table of the page. */
const VEXT_PAGE_ROWS = {
	'json-hello': VEXT_PAGE_SERVERS,
	'json-nested': VEXT_PAGE_SERVERS,
	'validate-10': ['vext-native', 'vext-fastify', 'fastify', 'fastify-zod3', 'express-zod3', 'nestjs-fastify'],
	'middleware-5': ['vext-native', 'vext-fastify', 'fastify', 'express', 'koa-2'],
	...Object.fromEntries(VEXT_CLUSTERS.map((name) => [name, ['vext-native', 'fastify']])),
	footprint: VEXT_PAGE_SERVERS,
	startup: VEXT_PAGE_SERVERS,
	'hot-reload': VEXT_PAGE_SERVERS,
} as const;

const COMMON = {
	rows: {},
	wraps: {},
	highlight: null,
	percentOf: [],
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
	vitals: false,
	node: null,
	memoryLimit: null,
	versions: {},
} as const;

const PRESET_TABLE = {
	'seed-pikku': {
		...COMMON,
		driver: 'autocannon',
		page: 'Pikku',
		servers: ['express', 'pikku-express', 'fastify', 'pikku-fastify', 'uws', 'pikku-uws', 'bun', 'pikku-bun'],
		scenarios: ['ping', 'schema-post', 'middleware-1', 'full-session', 'param-json'],
		wraps: PIKKU_WRAPS,
		load: { connections: 100, pipelining: 10 },
		durationSeconds: 10,
		node: '24.11.1',
		differences: PIKKU_DIFFERENCES,
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
		// If flags set other times.
		warmupSeconds: 0.5,
		durationSeconds: 1,
		node: '24.11.1',
		differences: ['The schemas of the page validate nothing; here they do.'],
	},
	'seed-tinyhttp': {
		...COMMON,
		driver: 'autocannon',
		page: 'tinyhttp',
		servers: ['tinyhttp', 'tinyhttp-cjs', 'express-4', 'polka', 'koa-2'],
		scenarios: ['param-text'],
		load: { connections: 100, pipelining: 1 },
		durationSeconds: 15,
		node: '14.9.0',
		versions: { express: '4.17.1', polka: '0.5.2', koa: '2.13.0', '@koa/router': '9.4.0', '@tinyhttp/app': '0.4' },
		differences: [
			'The page loads a server before it listens, which is where its errors come from; here it is ready.',
			'The servers of the page have one route more, `/`.',
			'On the page both middlewares belong to the whole app; here they belong to the route.',
		],
	},
	'seed-ergo': {
		...COMMON,
		...ERGO,
		page: 'ergo',
		servers: ERGO_SERVERS,
		scenarios: [
			...['ping', 'param-query', 'auth-get', 'json-post', 'full-pipeline'],
			...['production-stack', 'conditional-get', 'rate-limit-flood'],
		],
		load: { connections: 50, pipelining: 1 },
		stages: ERGO_STAGES,
		driver: 'k6',
		// If flags set other connections or durations: the page's own window.
		warmupSeconds: 30,
		durationSeconds: 60,
		trials: 3,
		deviation: 'population',
		limits: { failed: 0.01, p99: 1000 },
		differences: ERGO_DIFFERENCES,
	},
	'seed-ergo-ramp': {
		...COMMON,
		...ERGO,
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
		differences: ERGO_DIFFERENCES,
	},
	'seed-blog': {
		...COMMON,
		driver: 'autocannon',
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
		...VEXT,
		driver: 'autocannon',
		page: 'VextJS',
		servers: [...VEXT_PAGE_SERVERS, 'fastify-zod3', 'express-zod3'],
		scenarios: Object.keys(VEXT_PAGE_ROWS),
		rows: VEXT_PAGE_ROWS,
		load: { connections: 100, pipelining: 1 },
		warmupSeconds: 5,
		durationSeconds: 30,
		vitals: true,
		differences: [
			VEXT_HOSTS,
			'The page does not say whether it pipelines: its manual command does (`--pipelining 10`), its settings do not.',
			'The page does not give the ten fields that it validates, nor the host of its NestJS there; here that is Fastify.',
			'The page has VextJS alone in worker processes; here Fastify, too.',
			'The page does not say how often it started a server; here each trial starts two processes of it.',
			'Hot reload is under node --watch for all servers here, VextJS too: `vext dev` owns the folder of its application.',
			'The page calls the load of the garbage collector low to medium and does not say what that means. Here a module in each server measures it, and the report has numbers; `--vitals none` leaves it out.',
		],
	},
	'seed-vext-runner': {
		...COMMON,
		...VEXT,
		driver: 'autocannon',
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
		differences: [
			VEXT_HOSTS,
			'The runner has Egg, too, for which benchgate has no server.',
			'The runner runs one trial by default, and its documentation asks for 5 or 7; here there are 5.',
			'The trials of the runner load one process; here each has a fresh one.',
			'The runner asks `/users/42` and gets a name as well; here `/items/42` answers the id alone.',
			'The runner answers "Hello World"; here it is "Hello, World!".',
		],
	},
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESET_TABLE;
export const PRESET_NAMES = Object.keys(PRESET_TABLE) as readonly PresetName[];

export function presetOf(name: PresetName): Preset {
	return PRESET_TABLE[name];
}

/** Returns the preset with a name from a file; null if this benchgate does not know it. */
export function findPreset(name: string | null): Preset | null {
	const known = PRESET_NAMES.find((one) => one === name);
	return known === undefined ? null : presetOf(known);
}
