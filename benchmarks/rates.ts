/**
 * Does a duet at a fixed rate show changes of latency and CPU per request at the same size as alternating windows do? A
 * built-in server at a fixed rate, with and without a slowdown injected into head; fresh processes every round, both
 * designs in turn. Appends every round to a file, so that slices are possible. Then prints both changes of each metric,
 * and whether they agree.
 * Options: --file FILE --rounds 8 --minutes 8 --cases none,cpu,wait,tail --server node-http --scenario ping --rate
 * 2000; --table only prints the content of the file.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { injectHead } from '../src/inject/inject-sides.ts';
import { type Injection, TAIL_EVERY } from '../src/inject/injection.ts';
import { openBench } from '../src/measure/bench.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { timingFor } from '../src/plan/timing.ts';
import { withInterrupt } from '../src/process/interrupt.ts';
import { roundDifferences } from '../src/stats/differences.ts';
import { createRandom } from '../src/stats/random.ts';
import { formatChange, formatInterval } from '../src/text/numbers.ts';
import type { Design } from '../src/types/config.ts';
import type { MetricName } from '../src/types/metric.ts';
import type { Round } from '../src/types/round.ts';
import { describeRates, type RatesRound } from './shared/rates-table.ts';
import { readRows } from './shared/read-rows.ts';
import { configOf, openTools, progress, setUp } from './shared/set-up.ts';

const { values: flags } = parseArgs({
	options: {
		file: { type: 'string', default: 'rates.ndjson' },
		rounds: { type: 'string', default: '8' },
		minutes: { type: 'string', default: '8' },
		cases: { type: 'string', default: 'none,cpu,wait,tail' },
		server: { type: 'string', default: 'node-http' },
		scenario: { type: 'string', default: 'ping' },
		rate: { type: 'string', default: '2000' },
		table: { type: 'boolean', default: false },
	},
});
const SEED = 20_261_124;
const ORDER_STREAM = 9;
const WARMUP_SECONDS = 2;
const DESIGNS: readonly Design[] = ['duet', 'alternating'];
const METRICS: readonly MetricName[] = ['latency-p50', 'latency-p99', 'cpu-per-request'];
const CASES: Readonly<Record<string, Injection>> = {
	none: { kind: 'wait', amount: 0, every: 1 },
	cpu: { kind: 'cpu', amount: 0.25, every: 1 },
	wait: { kind: 'wait', amount: 2, every: 1 },
	tail: { kind: 'wait', amount: 20, every: TAIL_EVERY },
};

const timing = (design: Design) => ({ ...timingFor({ design, warmupSeconds: WARMUP_SECONDS }), soloRounds: 0 });

async function measure(signal: AbortSignal): Promise<void> {
	const due = performance.now() + Number(flags.minutes) * 60_000;
	const tools = await openTools(signal);
	const usual = await configOf({ server: flags.server, scenario: flags.scenario }, SEED);
	const atRate = usual.scenarios.map((one) => ({ ...one, load: { ...one.load, rate: Number(flags.rate) } }));
	const config = { ...usual, scenarios: atRate };
	const { prepared, plan, ids } = await setUp(config, tools);
	const bench = await openBench(tools);
	try {
		const laboratories = new Map(
			flags.cases.split(',').map((planted) => {
				const injection = CASES[planted];
				if (injection === undefined) throw new Error(`no case ${planted}; there are ${Object.keys(CASES).join(', ')}`);
				return [planted, bench.laboratory({ config, prepared: injectHead(prepared, injection), timing })] as const;
			}),
		);
		const done = new Set(
			readRows<RatesRound>(flags.file).map(({ planted, design, round }) => `${planted} ${design} ${round}`),
		);
		const turns = [...laboratories].flatMap(([planted, laboratory]) =>
			DESIGNS.map((design) => ({ planted, laboratory, design })),
		);
		for (let round = 1; round <= Number(flags.rounds); round++) {
			for (const { planted, laboratory, design } of createRandom(SEED, ORDER_STREAM, round).shuffle(turns)) {
				if (done.has(`${planted} ${design} ${round}`)) continue;
				if (performance.now() > due) return;
				const planned = planRound({ ...plan, design, timing: timing(design) }, round, ids, 'main');
				keep(await laboratory.runRound(planned), planted, design);
			}
			process.stderr.write('.');
		}
	} finally {
		process.stderr.write('\n');
		await bench.close();
		await tools.janitor.close();
	}
}

/** Stores a round without faults; reports the others, for the next slice to repeat. */
function keep({ round, seconds, cells }: Round, planted: string, design: Design): void {
	for (const cellRound of cells) {
		const [fault] = cellRound.faults;
		if (fault) {
			console.error(`round ${round} of ${planted}, ${design}: ${fault.message}`);
			continue;
		}
		const all = roundDifferences(cellRound);
		const d = Object.fromEntries(METRICS.map((metric) => [metric, all[metric]]));
		const line: RatesRound = { planted, design, round, seconds, d };
		appendFileSync(flags.file, `${JSON.stringify(line)}\n`);
	}
}

function print(): void {
	console.log(`${flags.server}, ${flags.scenario} at ${flags.rate} requests/s; changes with 95 % intervals`);
	console.table(
		describeRates(readRows<RatesRound>(flags.file), METRICS).map((one) => ({
			...{ planted: one.planted, metric: one.metric, rounds: one.rounds },
			duet: `${formatChange(one.duet.centre)} ${formatInterval(one.duet)}`,
			alternating: `${formatChange(one.alternating.centre)} ${formatInterval(one.alternating)}`,
			'ratio of the logarithms': `${one.ratio.centre.toFixed(2)} [${one.ratio.low.toFixed(2)}, ${one.ratio.high.toFixed(2)}]`,
			agree: one.agree,
		})),
	);
}

await withInterrupt(progress, async (signal) => {
	try {
		if (!flags.table) await measure(signal);
	} catch (error) {
		if (!signal.aborted) throw error;
	}
	print();
});
