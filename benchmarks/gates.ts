/**
 * Does a gate on other metrics than throughput find what it is for, and nothing else? Express, Fastify and Koa at a fixed rate, gated by
 * throughput, p99, memory after 100,000 requests and cold start at once: a head that leaks, one with a tail, one that starts slowly, and
 * one that is the same as base. Each run is the bundled command line's, and its rows are appended to a file, so that it can be measured
 * in slices. Then prints how many rows of each case and metric were red, green and undecided.
 * Options: --file FILE --runs 3 (of each case) --cases none,leak,tail,slow-start --minutes 20 --rate 3000 --budget 6m; --table only prints
 * what the file holds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TOOL_ROOT } from '../src/process/entries.ts';
import type { MetricName } from '../src/types/metric.ts';
import type { Result } from '../src/types/result.ts';
import { describeGates, type GatedRow } from './shared/gates-table.ts';

const CLI = join(TOOL_ROOT, 'dist/cli.js');
const SERVERS = ['express', 'fastify', 'koa'] as const;
const METRICS: readonly MetricName[] = ['throughput', 'latency-p99', 'memory-after-100k', 'cold-start'];
/** As the built-in servers of these names are pinned. */
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

/** Of 100,000 answers 512 bytes each stay: 51 MB. One answer in fifty comes 20 ms late. A start takes 300 ms longer. */
const SERVICE = `import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
const planted = readFileSync(new URL('planted', import.meta.url), 'utf8');
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
const answer = await open[process.env.FRAMEWORK]();
const kept = [];
let asked = 0;
if (planted === 'slow-start') await new Promise((resolve) => setTimeout(resolve, 300));
createServer((request, response) => {
	asked++;
	if (planted === 'leak') kept.push(Buffer.alloc(512, 1));
	if (planted === 'tail' && asked % 50 === 0) setTimeout(() => answer(request, response), 20);
	else answer(request, response);
}).listen(Number(process.env.PORT), process.env.HOST);
`;

function writeSides(folder: string, planted: string): void {
	const config = {
		prepare: 'npm install --no-audit --no-fund',
		gate: { metrics: METRICS },
		// The names alone are those of built-in servers.
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
	const files = {
		'package.json': { name: 'items', private: true, type: 'module', dependencies: VERSIONS },
		'server.mjs': SERVICE,
	};
	for (const side of ['base', 'head']) {
		mkdirSync(join(folder, side));
		for (const [name, content] of Object.entries(files)) {
			writeFileSync(join(folder, side, name), typeof content === 'string' ? content : JSON.stringify(content));
		}
		writeFileSync(join(folder, side, 'planted'), side === 'head' && planted !== 'none' ? planted : '');
	}
	// JSON is YAML too.
	writeFileSync(join(folder, 'benchgate.yml'), JSON.stringify(config));
}

function readRows(): GatedRow[] {
	const lines = existsSync(flags.file) ? readFileSync(flags.file, 'utf8').split('\n') : [];
	// A line that a slice was killed in is no row.
	return lines.slice(0, -1).map((line) => JSON.parse(line) as GatedRow);
}

async function compare(planted: string, run: number): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-gates-'));
	try {
		writeSides(folder, planted);
		const args = ['--base', 'dir:base', '--head', 'dir:head', '--seed', String(run), '--budget', flags.budget];
		const child = spawn(process.execPath, [CLI, 'compare', ...args, '--json', 'result.json'], {
			cwd: folder,
			stdio: ['ignore', 'ignore', 'inherit'],
		});
		const [code] = (await once(child, 'exit')) as [number | null];
		const written = join(folder, 'result.json');
		if (!existsSync(written)) throw new Error(`run ${run} of ${planted} ended with ${code} and wrote no result`);
		const { cells } = JSON.parse(readFileSync(written, 'utf8')) as Result;
		const rows = cells.map(
			({ server, metric, verdict, change, interval, rounds }): GatedRow => ({
				...{ planted, run, code, server, metric, verdict, change, rounds },
				halfWidth: interval?.high == null || interval.low === null ? null : (interval.high - interval.low) / 2,
			}),
		);
		appendFileSync(flags.file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function measure(): Promise<void> {
	const due = performance.now() + Number(flags.minutes) * 60_000;
	const done = new Set(readRows().map(({ planted, run }) => `${planted} ${run}`));
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
	describeGates(readRows()).map(({ halfWidth, change, ...row }) => ({
		...row,
		change: percent(change),
		'half an interval': percent(halfWidth),
	})),
);
