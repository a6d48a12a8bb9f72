/**
 * How noisy is each design on this machine? A/A: the same server on both sides, fresh processes every round, the
 * designs in turn. Prints the standard deviation of the round's log ratio and the cost of certainty, SD² × seconds per
 * round.
 * Options: --servers a,b --rounds 12 --scenario ping --designs duet,alternating,sequential --warmup 15000 (requests a
 * side) --window 0.5 --windows 3 --json FILE (every d).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { median, sampleStandardDeviation } from 'simple-statistics';
import { openBench } from '../src/measure/bench.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { timingFor } from '../src/plan/timing.ts';
import { roundDifferences } from '../src/stats/differences.ts';
import type { Design } from '../src/types/config.ts';
import type { CellRound, Round } from '../src/types/round.ts';
import { configOf, openTools, setUp } from './shared/set-up.ts';

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

const tools = await openTools();
const bench = await openBench(tools);
const designs = flags.designs.split(',') as Design[];
const series: Series[] = [];

async function measureServer(server: string): Promise<void> {
	const config = await configOf({ server, scenario: flags.scenario });
	const { prepared, plan: base, ids } = await setUp(config, tools);
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
	const group = designs.map((design) => ({ server, design, throughput: [], cpu: [], seconds: [] }) as Series);
	series.push(...group);
	const plans = designs.map((design) => ({ ...base, design, timing: timing(design) }));
	for (let round = 1; round <= Number(flags.rounds); round++) {
		for (const [index, plan] of plans.entries()) {
			const planned = planRound(plan, round, ids, 'main');
			const measured = await laboratory.runRound(planned);
			note(group[index] as Series, measured);
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

/** Robust spread: 1.4826 × the median distance from the median. */
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
await tools.janitor.close();
