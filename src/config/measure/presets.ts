/**
 * The loads of published benchmark pages, as their own code sends them. A preset loads each server alone, one after the other,
 * as the pages do: it shows what a page would have shown here, and has no intervals.
 */
import type { Load } from '../../types/config.ts';
import type { Seconds } from '../../types/units.ts';

export interface Preset {
	/** Whose page it is. */
	readonly page: string;
	readonly servers: readonly string[];
	readonly scenarios: readonly string[];
	readonly load: Load;
	/** Load that is not counted, at the same number of connections; 0 for none. */
	readonly warmupSeconds: Seconds;
	readonly durationSeconds: Seconds;
	readonly trials: number;
	/** How the page makes one figure of several trials. */
	readonly aggregate: 'mean' | 'median';
	/** What is not as on the page. */
	readonly differences: readonly string[];
}

export const PRESETS = {
	'seed-pikku': {
		page: 'Pikku',
		servers: ['express', 'pikku-express', 'fastify', 'pikku-fastify', 'uws', 'pikku-uws', 'bun', 'pikku-bun'],
		scenarios: ['ping', 'schema-post', 'middleware-1', 'full-session', 'param-json'],
		load: { connections: 100, pipelining: 10 },
		warmupSeconds: 0,
		durationSeconds: 10,
		trials: 1,
		aggregate: 'mean',
		differences: [
			'On the page client and server share one process; here the server has its own, on a CPU of its own.',
			'The schemas of the page validate nothing; here they do.',
		],
	},
	'seed-tinyhttp': {
		page: 'tinyhttp',
		servers: ['tinyhttp', 'tinyhttp-cjs', 'express-4', 'polka', 'koa-2'],
		scenarios: ['param-text'],
		load: { connections: 100, pipelining: 1 },
		warmupSeconds: 0,
		durationSeconds: 15,
		trials: 1,
		aggregate: 'mean',
		differences: ['The page loads a server before it listens, which is where its errors come from; here it is ready.'],
	},
	'seed-ergo': {
		page: 'ergo',
		servers: ['ergo', 'node-http', 'express', 'fastify', 'hono', 'koa'],
		scenarios: [
			'ping',
			'param-query',
			'auth-get',
			'json-post',
			'full-pipeline',
			'production-stack',
			'conditional-get',
			'rate-limit-flood',
		],
		load: { connections: 50, pipelining: 1 },
		warmupSeconds: 30,
		durationSeconds: 60,
		trials: 3,
		aggregate: 'mean',
		differences: [
			'k6 climbs to 50 users in 30 s and down in 10 s, and its summary counts all 100 s; here 50 connections warm up for 30 s, and 60 s are counted.',
			'The page takes the population standard deviation of three trials; here it is the sample one, 1.22 times as large.',
		],
	},
	'seed-blog': {
		page: 'Express and Fastify',
		servers: ['express', 'fastify'],
		scenarios: ['hello-text'],
		load: { connections: 100, pipelining: 1 },
		warmupSeconds: 0,
		durationSeconds: 10,
		trials: 1,
		aggregate: 'mean',
		differences: [
			"Both servers of the page run in the client's process; here each has its own. Both answer the same text.",
		],
	},
	'seed-vext-page': {
		page: 'VextJS',
		servers: [
			'vext-native',
			'vext-fastify',
			'vext-hono',
			'vext-express',
			'vext-koa',
			'fastify',
			'hono',
			'express',
			'koa-2',
			'nestjs-express',
			'nestjs-fastify',
		],
		scenarios: ['json-hello', 'json-nested', 'validate-10', 'middleware-5'],
		load: { connections: 100, pipelining: 1 },
		warmupSeconds: 5,
		durationSeconds: 30,
		trials: 1,
		aggregate: 'mean',
		differences: ['The page does not say whether it pipelines: its manual command does (10), its settings do not.'],
	},
	'seed-vext-runner': {
		page: "VextJS, the repository's runner",
		servers: [
			'vext-native',
			'vext-fastify',
			'vext-hono',
			'vext-express',
			'vext-koa',
			'fastify',
			'hono',
			'express',
			'koa-2',
		],
		scenarios: ['json-hello', 'param-json', 'chain-inline', 'middleware-3'],
		load: { connections: 50, pipelining: 10 },
		warmupSeconds: 5,
		durationSeconds: 15,
		trials: 5,
		aggregate: 'median',
		differences: [
			'The runner warms up with 10 connections and without pipelining; here the load is that of the measurement.',
			'The runner reports the trial whose requests/s are the median; here every figure is its own median.',
		],
	},
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

/** Returns the preset of this name. */
export function presetOf(name: PresetName): Preset {
	return PRESETS[name];
}
