/**
 * Does the gate pass and fail on every metric that it accepts? A small server of node:http in a git repository, with
 * all compatible metrics gated at once: under full load, and at a fixed rate. Head is the same as base, then has one
 * fault after the other. Runs the bundled command line, and appends the rows to a file, so that slices are possible.
 * Then prints a line for each metric, as Markdown.
 * Options: --file FILE --runs full:none,full:spin,… (all by default) --minutes 20 --rate 4000 --green 8 (rounds of the
 * same code) --red 4 (rounds with a fault); --table only prints the content of the file.
 */
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { parseArgs } from 'node:util';
import type { MetricName } from '../src/types/metric.ts';
import { INSTEAD, PLANTED } from './shared/each-plan.ts';
import { type EachGate, type EachRow, listRuns, tableOfEach } from './shared/each-table.ts';
import { NOTHING } from './shared/gates-table.ts';
import { readRows } from './shared/read-rows.ts';
import { runPlanted } from './shared/run-planted.ts';

const { values: flags } = parseArgs({
	options: {
		file: { type: 'string', default: 'gate-each.ndjson' },
		runs: { type: 'string' },
		minutes: { type: 'string', default: '20' },
		rate: { type: 'string', default: '4000' },
		green: { type: 'string', default: '8' },
		red: { type: 'string', default: '4' },
		table: { type: 'boolean', default: false },
	},
});

type Load = keyof typeof PLANTED;

const SERVICE = `import { createServer } from 'node:http';
import { NOTE, plantIn } from './planted.mjs';
const items = Array.from({ length: 20 }, (_, id) => ({ id, name: 'item ' + id, price: id * 1.5 }));
createServer(plantIn((_, response) => {
	const body = JSON.stringify(items);
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-note': NOTE }).end(body);
})).listen(Number(process.env.PORT), process.env.HOST);
`;
const FILES = {
	'package.json': JSON.stringify({ name: 'items', private: true, type: 'module' }),
	'server.mjs': SERVICE,
};

const gates: readonly EachGate[] = Object.entries(PLANTED).flatMap(([load, faults]) =>
	Object.entries(faults).map(([metric, planted]) => ({ load, metric: metric as MetricName, planted })),
);
const cases = (Object.keys(PLANTED) as Load[]).flatMap((load) =>
	[NOTHING, ...new Set<string>(Object.values(PLANTED[load]))].map((planted) => ({ load, planted })),
);

/** Echo server for the fault `ask`. */
const peer = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
await once(peer, 'listening');
peer.unref();

async function compare(load: Load, planted: string): Promise<void> {
	const rate = load === 'rate' ? { rate: Number(flags.rate) } : {};
	const config = {
		gate: { metrics: Object.keys(PLANTED[load]) },
		servers: [{ name: 'items', command: 'node server.mjs', env: { PEER: `${(peer.address() as AddressInfo).port}` } }],
		scenarios: [{ name: load, request: { path: '/' }, expect: { status: 200 }, load: { connections: 50, ...rate } }],
	};
	const rounds = planted === NOTHING ? flags.green : flags.red;
	const began = performance.now();
	const { cells, code } = await runPlanted({
		files: FILES,
		config,
		planted,
		flags: ['--seed', '1', '--rounds', rounds],
	});
	const seconds = (performance.now() - began) / 1000;
	const rows = cells.map(
		({ metric, judgedBy, verdict, change, interval, threshold, rounds }): EachRow => ({
			...{ load, planted, code, seconds, metric, judgedBy, verdict, change, interval, threshold, rounds },
		}),
	);
	appendFileSync(flags.file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function measure(): Promise<void> {
	const due = performance.now() + Number(flags.minutes) * 60_000;
	const done = new Set(readRows<EachRow>(flags.file).map(({ load, planted }) => `${load}:${planted}`));
	const wanted = flags.runs?.split(',');
	for (const { load, planted } of cases) {
		const name = `${load}:${planted}`;
		if (done.has(name) || wanted?.includes(name) === false) continue;
		if (performance.now() > due) return;
		console.error(name);
		await compare(load, planted);
	}
}

if (!flags.table) await measure();
const rows = readRows<EachRow>(flags.file);
console.log(tableOfEach(rows, gates, INSTEAD));
console.log(`\n${listRuns(rows)}`);
