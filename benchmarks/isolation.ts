/**
 * Does isolation change a measurement? A/A: the same server on both sides, fresh processes every round, all levels in
 * turn within one process; the sides swap users every two rounds. Appends every round to a file, so that slices are
 * possible: the next call continues after the last complete round. Then prints for each level the bias, its difference
 * from `none`, and the cost of certainty (variance × seconds per round) over that of `none`.
 * Options: --file FILE --rounds 150 --minutes 10 --server koa --scenarios a,b --levels none,users,namespace; --table
 * only prints the content of the file; --installs 5: time five installations at each level instead. The level
 * `unwatched` is `none` without the search for other connections, to measure its cost.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCacheFolder } from '../src/cli/measuring.ts';
import { openIsolation } from '../src/isolation/open-isolation.ts';
import { openBench } from '../src/measure/bench.ts';
import type { Laboratory } from '../src/measure/laboratory.ts';
import { findNode } from '../src/measure/machine.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { timingFor } from '../src/plan/timing.ts';
import { preparePinned } from '../src/prepare/prepare-pinned.ts';
import { withInterrupt } from '../src/process/interrupt.ts';
import { roundDifferences } from '../src/stats/differences.ts';
import { createRandom } from '../src/stats/random.ts';
import type { Isolation, IsolationLevel } from '../src/types/isolation.ts';
import type { Round } from '../src/types/round.ts';
import type { Janitor } from '../src/types/run-services.ts';
import { describeLevels, type LevelRound, type Mean, type TriedLevel } from './shared/isolation-table.ts';
import { readRows } from './shared/read-rows.ts';
import { configOf, openTools, progress, setUp } from './shared/set-up.ts';

const { values: flags } = parseArgs({
	options: {
		file: { type: 'string', default: 'isolation.ndjson' },
		rounds: { type: 'string', default: '150' },
		minutes: { type: 'string', default: '10' },
		server: { type: 'string', default: 'koa' },
		scenarios: { type: 'string', default: 'param-json,json-post' },
		levels: { type: 'string', default: 'none,users,namespace' },
		table: { type: 'boolean', default: false },
		installs: { type: 'string', default: '0' },
	},
});

const SEED = 20_261_122;
const ORDER_STREAM = 7;
const levels = flags.levels.split(',') as TriedLevel[];
const node = findNode(undefined);
const config = await configOf({ server: flags.server, scenario: flags.scenarios }, SEED);

async function open(tried: TriedLevel, folder: string, janitor: Janitor): Promise<Isolation> {
	const wish: IsolationLevel = tried === 'unwatched' ? 'none' : tried;
	const isolation = await openIsolation({ wish, folder, needed: [], node, repository: null, janitor });
	if (isolation.level === wish) return isolation;
	await isolation.close();
	throw new Error(`${wish} cannot be had here: ${isolation.reason}`);
}

/** Two successive rounds mirror each other's flips (planRound); every other pair of rounds swaps the users. */
function isSwapped(round: number, level: TriedLevel): boolean {
	return level !== 'none' && level !== 'unwatched' && Math.floor((round - 1) / 2) % 2 === 1;
}

async function measure(signal: AbortSignal): Promise<void> {
	const due = performance.now() + Number(flags.minutes) * 60_000;
	const tools = await openTools(signal);
	const { cacheFolder, janitor } = tools;
	const { prepared, plan: base, ids } = await setUp(config, tools);
	const timing = () => ({ ...timingFor({ design: 'duet' }), soloRounds: 0 });
	const plan = { ...base, design: 'duet' as const, timing: timing() };
	const opened: Isolation[] = [];
	// The bench reads the users whenever it makes a laboratory: all levels share one generator.
	const who = { sides: {} as Isolation['sides'] };
	const bench = await openBench({ ...tools, isolation: who });
	try {
		const laboratories = new Map<string, Laboratory>();
		for (const level of levels) {
			const isolation = await open(level, cacheFolder, janitor);
			opened.push(isolation);
			const { base, head } = isolation.sides;
			for (const { cwd } of Object.values(prepared.sides.base.servers)) await base.allow(dirname(cwd), true);
			for (const [swapped, sides] of [
				[false, { base, head }],
				[true, { base: head, head: base }],
			] as const) {
				who.sides = sides;
				const watched = level !== 'unwatched';
				laboratories.set(`${level} ${swapped}`, bench.laboratory({ config, prepared, timing, watched }));
			}
		}
		const done = new Set(readRows<LevelRound>(flags.file).map(({ round, level }) => `${round} ${level}`));
		for (let round = 1; round <= Number(flags.rounds); round++) {
			const turns = createRandom(SEED, ORDER_STREAM, round).shuffle(levels);
			for (const level of turns.filter((one) => !done.has(`${round} ${one}`))) {
				if (performance.now() > due) return;
				const swapped = isSwapped(round, level);
				const laboratory = laboratories.get(`${level} ${swapped}`) as Laboratory;
				keep(await laboratory.runRound(planRound(plan, round, ids, 'main')), level, swapped);
			}
			process.stderr.write('.');
		}
	} finally {
		process.stderr.write('\n');
		for (const { code, message } of bench.warnings()) console.error(`${code}: ${message}`);
		await bench.close();
		for (const isolation of opened) await isolation.close();
		await janitor.close();
	}
}

/** Stores a round without faults; reports the others, for the next slice to repeat. */
function keep({ round, seconds, cells }: Round, level: TriedLevel, swapped: boolean): void {
	const faults = cells.flatMap((cell) => cell.faults.map(({ message }) => `${cell.cell}: ${message}`));
	if (faults.length > 0) {
		console.error(`round ${round} at ${level}: ${faults.join('; ')}`);
		return;
	}
	const d = Object.fromEntries(cells.map((cell) => [cell.cell, roundDifferences(cell).throughput ?? Number.NaN]));
	const line: LevelRound = { round, level, swapped, seconds, d };
	appendFileSync(flags.file, `${JSON.stringify(line)}\n`);
}

const percent = (value: number) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(2)}`;
const range = (mean: Mean | null) =>
	mean === null ? '' : `${percent(mean.mean)} [${percent(mean.low)}, ${percent(mean.high)}]`;

function print(): void {
	console.log(
		`${flags.server} against itself (${flags.scenarios}); log units × 100 with 95 % intervals; the cost of certainty is variance × seconds per round`,
	);
	console.table(
		describeLevels(readRows<LevelRound>(flags.file)).map((one) => ({
			level: one.level,
			rounds: one.rounds,
			's per round': Number(one.secondsPerRound.toFixed(2)),
			'bias %': range(one.bias),
			'less that of none (aim: within ±0.5)': range(one.toNone),
			"of head's user": range(one.ofUser),
			'SD %': Number((100 * one.sd).toFixed(2)),
			'cost over none (aim: limit ≤ 1.15)':
				one.cost === null ? '' : `${one.cost.ratio.toFixed(3)}, at most ${one.cost.limit.toFixed(3)}`,
		})),
	);
}

/** From nothing: opens the level, installs the server into an empty cache, closes. */
async function timeInstalls(times: number, signal: AbortSignal): Promise<void> {
	const seconds = new Map(levels.map((level) => [level, { open: [] as number[], install: [] as number[] }]));
	for (let pass = 0; pass < times; pass++) {
		for (const level of createRandom(SEED, ORDER_STREAM, pass).shuffle(levels)) {
			const cacheFolder = mkdtempSync(join(dirname(findCacheFolder()), 'benchgate-installs-'));
			const { janitor, ...tools } = await openTools(signal);
			try {
				const began = performance.now();
				await using isolation = await open(level, cacheFolder, janitor);
				const opened = performance.now();
				await preparePinned(config, { ...tools, cacheFolder, janitor, isolation });
				seconds.get(level)?.open.push((opened - began) / 1000);
				seconds.get(level)?.install.push((performance.now() - opened) / 1000);
			} finally {
				await janitor.close();
				rmSync(cacheFolder, { recursive: true, force: true });
			}
		}
	}
	const middle = (values: readonly number[]) =>
		Number(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]?.toFixed(2));
	console.log(`${flags.server}, medians of ${times}, from an empty cache of benchgate's and our npm's as it is`);
	console.table(
		[...seconds].map(([level, { open, install }]) => ({
			level,
			'opening, s': middle(open),
			'installing, s': middle(install),
		})),
	);
}

const installs = Number(flags.installs);
await withInterrupt(progress, async (signal) => {
	if (installs > 0) return timeInstalls(installs, signal);
	try {
		if (!flags.table) await measure(signal);
	} catch (error) {
		if (!signal.aborted) throw error;
	}
	print();
});
