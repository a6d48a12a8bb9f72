/**
 * How noisy is each design on this machine? A/A: the same server on both sides, fresh processes every round, the designs
 * in turn. Prints the standard deviation of the round's log ratio and the cost of certainty, SD² × seconds per round.
 * Options: --servers a,b --rounds 12 --scenario ping --designs duet,alternating,sequential --warmup 15000 (requests a side) --window 0.5
 * --windows 3 --json FILE (every d).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { median, sampleStandardDeviation } from 'simple-statistics';
import { findCacheFolder } from '../src/cli/cache-folder.ts';
import { loadCatalogue } from '../src/config/load-catalogue.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { openBench } from '../src/measure/bench.ts';
import { findNode } from '../src/measure/find-node.ts';
import { planCells } from '../src/plan/plan-cells.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { planRun } from '../src/plan/plan-run.ts';
import { timingFor } from '../src/plan/timing.ts';
import { preparePinned } from '../src/prepare/prepare-pinned.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { roundDifferences } from '../src/stats/differences.ts';
import type { Design } from '../src/types/config.ts';
import type { CellRound, Round } from '../src/types/round.ts';

const { values: flags } = parseArgs({
	options: {
		servers: { type: 'string', default: 'node-http,fastify,express' },
		rounds: { type: 'string', default: '12' },
		scenario: { type: 'string', default: 'param-json' },
		designs: { type: 'string', default: 'duet,alternating,sequential' },
		warmup: { type: 'string' },
		window: { type: 'string' },
		windows: { type: 'string' },
		json: { type: 'string' },
	},
});

interface Series {
	readonly server: string;
	readonly design: Design;
	readonly throughput: number[];
	readonly cpu: number[];
	readonly seconds: number[];
}

const janitor = await startJanitor();
const node = findNode(undefined);
const catalogue = await loadCatalogue(TOOL_ROOT);
const { signal } = new AbortController();
const cacheFolder = findCacheFolder();
const bench = await openBench({ cacheFolder, node, janitor, signal });
const progress = { step: (text: string) => console.error(text), status() {} };
const designs = flags.designs.split(',') as Design[];
const series: Series[] = [];

async function measureServer(server: string): Promise<void> {
	const config = resolveConfig(null, { server, scenario: flags.scenario }, catalogue, () => 1);
	const context = { cwd: process.cwd(), toolRoot: TOOL_ROOT, cacheDir: cacheFolder, node, janitor, progress, signal };
	const prepared = await preparePinned(config, context);
	const { cells } = planCells(config, { servers: { base: [server], head: [server] } });
	const base = planRun(config, cells, []);
	const timing = (design: Design) => {
		const normal = timingFor({ design });
		const number = (text: string | undefined, other: number) => (text === undefined ? other : Number(text));
		return {
			...normal,
			firstWarmup: { ...normal.firstWarmup, requests: number(flags.warmup, normal.firstWarmup.requests) },
			windowSeconds: number(flags.window, normal.windowSeconds),
			windows: number(flags.windows, normal.windows),
			soloRounds: 0,
		};
	};
	const laboratory = bench.laboratory({ config, prepared, timing });
	const own = designs.map((design) => ({ server, design, throughput: [], cpu: [], seconds: [] }) as Series);
	series.push(...own);
	const plans = designs.map((design) => ({ ...base, design, timing: timing(design) }));
	for (let round = 1; round <= Number(flags.rounds); round++) {
		for (const [index, plan] of plans.entries()) {
			const planned = planRound(plan, round, [`${server}/${flags.scenario}`], 'main');
			const measured = await laboratory.runRound(planned);
			note(own[index] as Series, measured);
		}
		process.stderr.write('.');
	}
	process.stderr.write('\n');
}

function note(target: Series, round: Round): void {
	const [cell] = round.cells as [CellRound];
	if (cell.faults[0]) throw new Error(cell.faults[0].message);
	const d = roundDifferences(cell);
	target.throughput.push(d.throughput ?? Number.NaN);
	target.cpu.push(d['cpu-per-request'] ?? Number.NaN);
	target.seconds.push(round.seconds);
}

/** Spread that one wild round does not decide: 1.4826 × the median distance from the median. */
function robustSd(d: readonly number[]): number {
	const centre = median([...d]);
	return 1.4826 * median(d.map((value) => Math.abs(value - centre)));
}

for (const server of flags.servers.split(',')) await measureServer(server);
const percent = (fraction: number) => Number((100 * fraction).toFixed(2));
console.log(
	`${bench.affinity.note}; scenario ${flags.scenario}, ${flags.rounds} rounds of each design in turn, same server on both sides`,
);
console.table(
	series.map(({ server, design, throughput, cpu, seconds }) => {
		const sd = sampleStandardDeviation(throughput);
		const length = median(seconds);
		return {
			server,
			design,
			'SD %': percent(sd),
			'robust SD %': percent(robustSd(throughput)),
			'SD of CPU/request %': percent(sampleStandardDeviation(cpu)),
			'mean d %': percent(throughput.reduce((sum, d) => sum + d, 0) / throughput.length),
			's per round': Number(length.toFixed(2)),
			'cost %²·s': Number((1e4 * sd * sd * length).toFixed(1)),
		};
	}),
);
if (flags.json) writeFileSync(flags.json, JSON.stringify(series));
await bench.close();
await janitor.close();
