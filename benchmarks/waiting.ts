/**
 * Does a comparison decide servers with long answers correctly, and how long does it take? Head is the same as base, or
 * answers 10 % later. Simulated: answers of 20 ms to 3 s, on 1, 20 and 100 connections, constant and varying by 10 %,
 * until decided or out of budget, with the generator's counting. Live: eight of these settings with real servers of
 * node:http, compared by the bundled command line (run `npm run dist` first). Appends each live run to a file, so that
 * slices are possible. Prints a line for each setting, as Markdown.
 * Options: --part both (or simulated, live) --runs 100 (of each simulated setting) --trials 3 (of each live one)
 * --corners 1x300,1x300~,… (all by default; ~ varies) --minutes 120 (no live run begins later) --file FILE; --table
 * only prints the content of the file.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { formatChange, formatInterval, formatPercent } from '../src/text/numbers.ts';
import type { Fraction, Seconds } from '../src/types/units.ts';
import type { Interval } from '../src/types/verdict.ts';
import { budgetFor, CONNECTIONS, JITTERS, LATENCIES, tallyLong } from '../test/simulation/long-answers.ts';
import { NOTHING } from './shared/gates-table.ts';
import { readRows } from './shared/read-rows.ts';
import { runPlanted } from './shared/run-planted.ts';

const { values: flags } = parseArgs({
	options: {
		part: { type: 'string', default: 'both' },
		runs: { type: 'string', default: '100' },
		trials: { type: 'string', default: '3' },
		corners: { type: 'string' },
		minutes: { type: 'string', default: '120' },
		file: { type: 'string', default: 'waiting.ndjson' },
		table: { type: 'boolean', default: false },
	},
});

const SEED = 62;
const SLOWER = 'slower';
const CHANGES = { [NOTHING]: 0, [SLOWER]: 0.1 } as const;

interface Corner {
	readonly connections: number;
	readonly milliseconds: number;
	readonly jitter: Fraction;
}

/** Short and long answers. A hundred connections that each wait three seconds behave much like twenty. */
const CORNERS: readonly Corner[] = [
	{ connections: 1, milliseconds: 300 },
	{ connections: 100, milliseconds: 100 },
	{ connections: 1, milliseconds: 3000 },
	{ connections: 20, milliseconds: 3000 },
].flatMap((corner) => JITTERS.map((jitter) => ({ ...corner, jitter })));

const SERVER = `import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
const factor = readFileSync(new URL('planted', import.meta.url), 'utf8') === '${SLOWER}' ? 1.1 : 1;
const mean = Number(process.env.MS) * factor;
const jitter = Number(process.env.JITTER);
const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
createServer((_, response) => setTimeout(() => {
	response.setHeader('content-type', 'application/json');
	response.end('{"text":"generated"}');
}, Math.max(1, mean * (1 + jitter * normal())))).listen(Number(process.env.PORT), process.env.HOST);
`;
const FILES = {
	'package.json': JSON.stringify({ name: 'waiting', private: true, type: 'module' }),
	'server.mjs': SERVER,
};

interface LiveRow {
	readonly corner: string;
	readonly planted: string;
	readonly trial: number;
	readonly verdict: string;
	readonly change: Fraction | null;
	readonly interval: Interval | null;
	readonly smallest: Fraction | null;
	readonly rounds: number;
	readonly seconds: Seconds;
}

function nameOf({ connections, milliseconds, jitter }: Corner): string {
	return `${connections}x${milliseconds}${jitter > 0 ? '~' : ''}`;
}

function simulate(): void {
	const lines = LATENCIES.flatMap((milliseconds) =>
		CONNECTIONS.flatMap((connections) =>
			JITTERS.map((jitter) => {
				const tallies = Object.values(CHANGES).map((slower) =>
					tallyLong({ milliseconds, connections, jitter, slower }, Number(flags.runs), SEED),
				);
				const cells = tallies.flatMap(({ verdicts, runs, meanRounds, longest, smallest }) => [
					...(['regressed', 'unchanged'] as const).map((verdict) => formatPercent((verdicts[verdict] ?? 0) / runs)),
					meanRounds.toFixed(1),
					`${Math.ceil(longest)} s`,
					formatPercent(smallest),
				]);
				return [`${milliseconds} ms`, `${connections}`, formatPercent(jitter), ...cells];
			}),
		),
	);
	const titles = Object.keys(CHANGES).flatMap((planted) =>
		['red', 'pass', 'rounds', 'longest', 'smallest seen'].map((title) => `${planted}: ${title}`),
	);
	const head = ['answers take', 'connections', 'vary by', ...titles];
	console.log(`${markdownTable([head, ...lines], { align: head.map(() => 'r') })}\n`);
}

/** Simulates a drop of exactly the tolerance and one of exactly the threshold, and counts wrong verdicts. */
function simulateEdges(): void {
	const settings = [100, 1000, 3000].flatMap((milliseconds) =>
		[1, 20].flatMap((connections) => JITTERS.map((jitter) => ({ milliseconds, connections, jitter }))),
	);
	for (const [drop, wrong] of [
		[0.025, 'regressed'],
		[0.05, 'unchanged'],
	] as const) {
		const slower = 1 / (1 - drop) - 1;
		const tallies = settings.map((setting) => tallyLong({ ...setting, slower }, Number(flags.runs), SEED));
		const count = tallies.reduce((sum, { verdicts }) => sum + (verdicts[wrong] ?? 0), 0);
		const runs = settings.length * Number(flags.runs);
		console.log(`A drop of ${formatPercent(drop)} is ${wrong} in ${count} of ${runs} runs.\n`);
	}
}

async function measure(corner: Corner, planted: string, trial: number): Promise<void> {
	const { connections, milliseconds, jitter } = corner;
	const config = {
		servers: [{ name: 'slow', command: 'node server.mjs', env: { MS: `${milliseconds}`, JITTER: `${jitter}` } }],
		scenarios: [
			{
				...{ name: 'generate', request: { path: '/' }, load: { connections } },
				expect: { status: 200, json: { text: 'generated' } },
			},
		],
	};
	const runFlags = ['--seed', `${trial}`, '--budget', `${budgetFor(milliseconds)}s`];
	const began = performance.now();
	const { cells } = await runPlanted({ files: FILES, config, planted, flags: runFlags });
	const seconds = (performance.now() - began) / 1000;
	for (const { verdict, change, interval, smallestDecidableThreshold: smallest, rounds } of cells) {
		const row: LiveRow = {
			...{ corner: nameOf(corner), planted, trial, verdict, change, interval, smallest, rounds, seconds },
		};
		appendFileSync(flags.file, `${JSON.stringify(row)}\n`);
	}
}

async function measureAll(): Promise<void> {
	const due = performance.now() + Number(flags.minutes) * 60_000;
	const done = new Set(
		readRows<LiveRow>(flags.file).map(({ corner, planted, trial }) => `${corner} ${planted} ${trial}`),
	);
	const wanted = flags.corners?.split(',');
	for (let trial = 1; trial <= Number(flags.trials); trial++) {
		for (const corner of CORNERS.filter((one) => wanted?.includes(nameOf(one)) ?? true)) {
			for (const planted of Object.keys(CHANGES)) {
				if (done.has(`${nameOf(corner)} ${planted} ${trial}`)) continue;
				if (performance.now() > due) return;
				await measure(corner, planted, trial);
			}
		}
	}
}

function printLive(): void {
	const rows = readRows<LiveRow>(flags.file).map((row) => [
		...[row.corner, row.planted, `${row.trial}`, row.verdict, formatChange(row.change)],
		...[formatInterval(row.interval), formatPercent(row.smallest), `${row.rounds}`, `${Math.round(row.seconds)} s`],
	]);
	const head = ['corner', 'head', 'trial', 'verdict', 'change', '90 % interval', 'smallest seen', 'rounds', 'time'];
	console.log(markdownTable([head, ...rows]));
}

if (flags.part !== 'live' && !flags.table) {
	simulate();
	simulateEdges();
}
if (flags.part !== 'simulated') {
	if (!flags.table) await measureAll();
	printLive();
}
