/**
 * Does a gate on latency, memory and start-up find its fault and nothing else? Express, Fastify and Koa at a fixed
 * rate, gated at once by throughput, p99, memory after 100,000 requests and cold start. Heads: a leak, a slow tail, a
 * slow start, and the same code as base. Runs the bundled command line, and appends the rows to a file, so that slices
 * are possible. Then prints how many rows of each case and metric were red, green and undecided.
 * Options: --file FILE --runs 3 (of each case) --cases none,leak,tail,slow-start --minutes 20 --rate 3000 --budget 6m;
 * --table only prints the content of the file.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TOOL_ROOT } from '../src/process/entries.ts';
import type { MetricName } from '../src/types/metric.ts';
import { describeGates, type GatedRow } from './shared/gates-table.ts';
import { readRows } from './shared/read-rows.ts';
import { runPlanted } from './shared/run-planted.ts';

const SERVERS = ['express', 'fastify', 'koa'] as const;
const METRICS: readonly MetricName[] = ['throughput', 'latency-p99', 'memory-after-100k', 'cold-start'];
/** The pinned versions of the built-in servers of these names. */
const VERSIONS = Object.fromEntries(
	SERVERS.map((name) => {
		const manifest = readFileSync(join(TOOL_ROOT, 'servers', name, 'package.json'), 'utf8');
		return [name, (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies[name]];
	}),
);

const { values: flags } = parseArgs({
	options: {
		file: { type: 'string', default: 'gates.ndjson' },
		runs: { type: 'string', default: '3' },
		cases: { type: 'string', default: 'none,leak,tail,slow-start' },
		minutes: { type: 'string', default: '20' },
		rate: { type: 'string', default: '3000' },
		budget: { type: 'string', default: '6m' },
		table: { type: 'boolean', default: false },
	},
});

const SERVICE = `import { createServer } from 'node:http';
import { plantIn } from './planted.mjs';
const items = Array.from({ length: 20 }, (_, id) => ({ id, name: 'item ' + id, price: id * 1.5 }));
const open = {
	async express() {
		const { default: express } = await import('express');
		return express().get('/items', (_, response) => response.json(items));
	},
	async fastify() {
		const { default: fastify } = await import('fastify');
		const app = fastify();
		app.get('/items', async () => items);
		await app.ready();
		return app.routing;
	},
	async koa() {
		const { default: Koa } = await import('koa');
		return new Koa().use((context) => { context.body = items; }).callback();
	},
};
createServer(plantIn(await open[process.env.FRAMEWORK]())).listen(Number(process.env.PORT), process.env.HOST);
`;

const CONFIG = {
	prepare: 'npm install --no-audit --no-fund',
	gate: { metrics: METRICS },
	// Without a suffix they would be names of built-in servers.
	servers: SERVERS.map((name) => ({ name: `${name}-items`, command: 'node server.mjs', env: { FRAMEWORK: name } })),
	scenarios: [
		{
			name: 'items',
			request: { path: '/items' },
			expect: { status: 200 },
			load: { connections: 20, rate: Number(flags.rate) },
		},
	],
};
const FILES = {
	'package.json': JSON.stringify({ name: 'items', private: true, type: 'module', dependencies: VERSIONS }),
	'server.mjs': SERVICE,
};

async function compare(planted: string, run: number): Promise<void> {
	const runFlags = ['--seed', String(run), '--budget', flags.budget];
	const { cells, code } = await runPlanted({ files: FILES, config: CONFIG, planted, flags: runFlags });
	const rows = cells.map(
		({ server, metric, verdict, change, interval, rounds }): GatedRow => ({
			...{ planted, run, code, server, metric, verdict, change, rounds },
			halfWidth: interval?.high == null || interval.low === null ? null : (interval.high - interval.low) / 2,
		}),
	);
	appendFileSync(flags.file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function measure(): Promise<void> {
	const due = performance.now() + Number(flags.minutes) * 60_000;
	const done = new Set(readRows<GatedRow>(flags.file).map(({ planted, run }) => `${planted} ${run}`));
	for (let run = 1; run <= Number(flags.runs); run++) {
		for (const planted of flags.cases.split(',')) {
			if (done.has(`${planted} ${run}`)) continue;
			if (performance.now() > due) return;
			console.error(`run ${run}, planted: ${planted}`);
			await compare(planted, run);
		}
	}
}

if (!flags.table) await measure();
const percent = (value: number | null) => (value === null ? '' : `${(100 * value).toFixed(1)} %`);
console.log(`${SERVERS.join(', ')} at ${flags.rate} requests/s, gated by ${METRICS.join(', ')} at once`);
console.table(
	describeGates(readRows<GatedRow>(flags.file)).map(({ halfWidth, change, ...row }) => ({
		...row,
		change: percent(change),
		'half an interval': percent(halfWidth),
	})),
);
