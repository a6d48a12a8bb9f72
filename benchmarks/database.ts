/**
 * Does a duet show an additional database query at the same size as alternating windows do? Uses the services of
 * docs/tutorials/service-database.md, with one more query per request in head; fresh processes and databases every
 * round, both designs in turn. Appends every round to a file, so that slices are possible: the next call continues
 * after the last complete round. Then prints for each case the changes in both designs and their ratio.
 * Options: --file FILE --rounds 24 --minutes 20 --cases sqlite-query,postgres-query,postgres-scan --cpu 1 (of
 * PostgreSQL; any CPU by default); --table only prints the content of the file.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRequest } from '../src/config/load-request.ts';
import { type Bench, openBench } from '../src/measure/bench.ts';
import { findNode } from '../src/measure/machine.ts';
import { planCells } from '../src/plan/plan-cells.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { planRun } from '../src/plan/plan-run.ts';
import { timingFor } from '../src/plan/timing.ts';
import { type PrepareContext, prepareSides } from '../src/prepare/prepare-sides.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { withInterrupt } from '../src/process/interrupt.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { roundDifferences } from '../src/stats/differences.ts';
import { createRandom } from '../src/stats/random.ts';
import { countedWindows } from '../src/stats/windows.ts';
import type { Design } from '../src/types/config.ts';
import type { CellRound, Round } from '../src/types/round.ts';
import { filesOfTutorial } from '../test/support/pages/tutorial.ts';
import { startPostgres } from '../test/support/servers/postgres.ts';
import { type DatabaseRound, describeCases } from './shared/database-table.ts';
import type { Range } from './shared/ranges.ts';
import { readRows } from './shared/read-rows.ts';
import { progress } from './shared/set-up.ts';

const SEED = 20_261_123;
const ORDER_STREAM = 9;
const DESIGNS: readonly Design[] = ['duet', 'alternating'];

/** Head's `notes.js`: base's, with one more query first. */
const AGAIN = `import { openNotes as open } from './plain-notes.js';
export function openNotes() {
	const notes = open();
	return { list: async (number) => [await notes.list(number), await notes.list(number)][1] };
}
`;
const SCAN = `import postgres from 'postgres';
import { openNotes as open } from './plain-notes.js';
export function openNotes() {
	const sql = postgres({ max: 10 });
	const notes = open();
	return { list: async (number) => [await sql\`select count(*) from notes\`, await notes.list(number)][1] };
}
`;

/** Section of the tutorial, and head's additional query. */
const CASES = new Map([
	['sqlite-query', { section: 'SQLite', notes: AGAIN }],
	['postgres-query', { section: 'PostgreSQL', notes: AGAIN }],
	['postgres-scan', { section: 'PostgreSQL', notes: SCAN }],
]);

const { values: flags } = parseArgs({
	options: {
		file: { type: 'string', default: 'database.ndjson' },
		rounds: { type: 'string', default: '24' },
		minutes: { type: 'string', default: '20' },
		cases: { type: 'string', default: [...CASES.keys()].join(',') },
		cpu: { type: 'string' },
		table: { type: 'boolean', default: false },
	},
});
const names = flags.cases.split(',');
// SQLite comes with Node 22.5: our Node has it, but perhaps not the first on PATH.
const node = findNode(process.execPath);

/** Writes a case into `folder`: `base`, `head` and its config. */
function writeCase(folder: string, name: string, port: number | null): void {
	const entry = CASES.get(name);
	if (entry === undefined) throw new Error(`no case ${name}; there are ${[...CASES.keys()].join(', ')}`);
	const shown = filesOfTutorial('service-database.md', 'The service', entry.section);
	const text = (file: string) => shown.get(file) ?? '';
	const write = (path: string, content: string) => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	};
	for (const file of ['package.json', 'server.js', 'notes.js', 'migrate.js']) {
		write(`base/${file}`, text(file));
		write(`head/${file}`, text(file));
	}
	write('head/plain-notes.js', text('notes.js'));
	write('head/notes.js', entry.notes);
	const config = text('benchgate.yml');
	write('benchgate.yml', port === null ? config : config.replace('PGHOST:', `PGPORT: "${port}", PGHOST:`));
}

/** Returns a function that loads the case once in a design. */
async function openCase(folder: string, bench: Bench, context: PrepareContext) {
	const revisions = { base: 'dir:base', head: 'dir:head' };
	const { config } = await readRequest(folder, { ...revisions, seed: String(SEED) });
	const prepared = await prepareSides(config, revisions, context);
	const [server = ''] = config.servers.map(({ name }) => name);
	const { cells } = planCells(config, { servers: { base: [server], head: [server] } });
	const timing = (design: Design) => ({ ...timingFor({ design }), soloRounds: 0 });
	const laboratory = bench.laboratory({ config, prepared, timing });
	const plan = planRun(config, cells, []);
	const ids = cells.map(({ id }) => id);
	return (round: number, design: Design) =>
		laboratory.runRound(planRound({ ...plan, design, timing: timing(design) }, round, ids, 'main'));
}

async function measure(signal: AbortSignal, scope: AsyncDisposableStack): Promise<void> {
	const due = performance.now() + Number(flags.minutes) * 60_000;
	const root = mkdtempSync(join(tmpdir(), 'benchgate-database-'));
	scope.defer(() => rmSync(root, { recursive: true, force: true }));
	const janitor = await startJanitor();
	scope.defer(() => janitor.close());
	const cacheFolder = join(root, 'cache');
	const held = flags.cpu === undefined ? [] : ['taskset', '-c', flags.cpu];
	const port = names.some((name) => name.startsWith('postgres'))
		? (await startPostgres({ after: (work) => scope.defer(async () => void (await work())) }, held)).port
		: null;
	const bench = await openBench({ cacheFolder, node, janitor, signal });
	scope.defer(() => bench.close());
	console.error(bench.affinity.note);
	const runs = new Map<string, Awaited<ReturnType<typeof openCase>>>();
	for (const name of names) {
		const cwd = join(root, name);
		writeCase(cwd, name, port);
		const context = { cwd, toolRoot: TOOL_ROOT, cacheFolder, node, janitor, progress, signal };
		runs.set(name, await openCase(cwd, bench, context));
	}
	const done = new Set(
		readRows<DatabaseRound>(flags.file).map(({ name, design, round }) => `${name} ${design} ${round}`),
	);
	const turns = names.flatMap((name) => DESIGNS.map((design) => ({ name, design })));
	for (let round = 1; round <= Number(flags.rounds); round++) {
		for (const { name, design } of createRandom(SEED, ORDER_STREAM, round).shuffle(turns)) {
			if (done.has(`${name} ${design} ${round}`)) continue;
			if (performance.now() > due) return;
			const run = runs.get(name);
			if (run !== undefined) keep(await run(round, design), name, design);
		}
		process.stderr.write('.');
	}
}

/** Stores a round without faults; reports the others, for the next slice to repeat. */
function keep({ round, seconds, cells }: Round, name: string, design: Design): void {
	const [cell] = cells as [CellRound];
	const { throughput, 'cpu-per-request': cpu } = roundDifferences(cell);
	if (cell.faults[0] !== undefined || throughput === null) {
		console.error(`${name}, ${design}, round ${round}: ${cell.faults[0]?.message ?? 'no answers'}`);
		return;
	}
	const windows = countedWindows(cell);
	const lengths = windows.map(({ base, head }) => Math.max(base?.seconds ?? 0, head?.seconds ?? 0));
	const shareOf = (values: readonly (number | null)[]) =>
		values.includes(null) ? null : sumOf(values.map(Number)) / sumOf(lengths);
	const line: DatabaseRound = {
		name,
		design,
		round,
		seconds,
		d: throughput,
		cpu,
		idle: shareOf(windows.map(({ serverCpuIdle }) => serverCpuIdle)),
		others: shareOf(windows.map(({ otherCpu }, at) => (otherCpu === null ? null : otherCpu * (lengths[at] ?? 0)))),
	};
	appendFileSync(flags.file, `${JSON.stringify(line)}\n`);
}

function sumOf(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

const hundredths = (value: number) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(1)}`;
const share = (value: number | null) => (value === null ? '' : `${Math.round(100 * value)} %`);
const range = ({ centre, low, high }: Range, write: (value: number) => string) =>
	`${write(centre)} [${write(low)}, ${write(high)}]`;

function print(): void {
	console.log(
		'one more query for each request; log units × 100 with 95 % intervals; the ratio is duet over alternating',
	);
	const cases = describeCases(readRows<DatabaseRound>(flags.file));
	console.table(
		cases.flatMap(({ name, duet, alternating, ratio }) =>
			[
				{ design: 'duet', ...duet },
				{ design: 'alternating', ...alternating },
			].map((one, at) => ({
				case: name,
				design: one.design,
				rounds: one.rounds,
				throughput: range(one.d, hundredths),
				SD: (100 * one.sd).toFixed(1),
				'CPU per request': one.cpu === null ? '' : hundredths(one.cpu),
				'CPU idle': share(one.idle),
				'others, of one CPU': share(one.others),
				's per round': one.secondsPerRound.toFixed(1),
				'ratio (aim: 1 ± 0.1)': at === 0 ? range(ratio, (value) => value.toFixed(2)) : '',
			})),
		),
	);
}

await withInterrupt(progress, async (signal) => {
	const scope = new AsyncDisposableStack();
	try {
		if (!flags.table) await measure(signal, scope);
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		await scope.disposeAsync();
	}
	print();
});
