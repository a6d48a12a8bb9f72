/** Simulates the time of a matrix in shards: scripted laboratories with the durations of real ones. */
import { decide } from '../../src/judge/decide.ts';
import { ofShard } from '../../src/judge/run-parts.ts';
import type { Laboratory } from '../../src/measure/laboratory.ts';
import { runRounds } from '../../src/measure/run-rounds.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { balanceShards } from '../../src/plan/shards/divide.ts';
import { costsOf, USUAL_SETUP } from '../../src/plan/shards/shard-costs.ts';
import { timingFor } from '../../src/plan/timing.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Cell, Plan, RoundPlan, Warmup } from '../../src/types/plan.ts';
import type { Seconds } from '../../src/types/units.ts';
import { scriptPlan, scriptRound } from '../../test/support/rounds.ts';

/**
 * Answers a second of each side of a warm pair: express, koa, fastify and node-http (docs/measuring.md, "Warm-up is
 * counted in requests").
 */
const RATES = [6_400, 7_500, 11_000, 12_800];
/** SD of a round's d, in log units. */
const SPREAD = 0.02;
/** To start and end a pair. */
const PAIR: Seconds = 0.7;
/** To check answers, open and close connections, and search for other connections. */
const TURN: Seconds = 0.2;
/** No budget: runs end when all rows are decided. */
const ENDLESS: Seconds = 1e6;

/** Wall time of one machine, and of the slowest and fastest of several shards, with installation. */
export interface ShardTimes {
	readonly alone: Seconds;
	readonly slowest: Seconds;
	readonly fastest: Seconds;
}

/** Returns the times of a matrix without a change. Everything follows from `seed`. */
export async function timeShards(servers: number, scenarios: number, count: number, seed: number): Promise<ShardTimes> {
	const cells = Array.from({ length: servers * scenarios }, (_, index): Cell => {
		const [server, scenario] = [`s${Math.floor(index / scenarios)}`, `c${index}`];
		return { id: `${server}/${scenario}`, server, scenario, threshold: 0.05, tolerance: 0.025 };
	});
	const timing = timingFor({ design: 'duet' });
	const whole: Plan = { ...scriptPlan([]), cells, seed, looks: planLooks(20), timing, budgetSeconds: ENDLESS };
	const times: Seconds[] = [];
	for (const shard of balanceShards(cells, costsOf(cells, { design: 'duet' }, null), count)) {
		times.push(USUAL_SETUP + (await measure(ofShard(whole, shard.cells))));
	}
	const alone = USUAL_SETUP + (await measure(whole));
	return { alone, slowest: Math.max(...times), fastest: Math.min(...times) };
}

/** Runs the loop of a run, and returns the final time of its clock. */
async function measure(plan: Plan): Promise<Seconds> {
	let now: Seconds = 0;
	const laboratory: Laboratory = {
		verify: async () => [],
		warnings: () => [],
		async runRound(order) {
			const seconds = secondsOf(order, plan);
			now += seconds;
			const turns = order.pairs.flatMap((pair) => pair.turns);
			const byScenario = turns.map(({ cell }) => [cell.split('/')[1], { d: drawOf(plan.seed, cell, order) }]);
			const round = scriptRound(order.round, Object.fromEntries(byScenario), order);
			const named = round.cells.map((turn, index) => ({ ...turn, cell: turns[index]?.cell ?? '' }));
			return { ...round, seconds, cells: named };
		},
	};
	await runRounds(plan, {
		laboratory,
		cells: plan.cells.map(({ id }) => id),
		decide: (rounds, ended) => decide(plan, rounds, ended),
		planRound: (round, active, purpose) => planRound(plan, round, active, purpose),
		clock: () => now,
		signal: new AbortController().signal,
		onDecision: async () => {},
	});
	return now;
}

/** Independent of the shard that measures the cell. */
function drawOf(seed: number, cell: string, { round, purpose }: RoundPlan): number {
	return SPREAD * createRandom(seed, Number(/\d+$/.exec(cell)), round, purpose === 'main' ? 1 : 2).normal();
}

function secondsOf({ pairs, design }: RoundPlan, { timing }: Plan): Seconds {
	const { firstWarmup, warmup, windows, windowSeconds, settleSeconds, soloSeconds } =
		design === 'duet' ? timing : timingFor({ design });
	const counted = design === 'duet' ? windows * windowSeconds : 2 * windows * (settleSeconds + windowSeconds);
	return pairs.reduce((sum, { server, turns }) => {
		const rate = RATES[Number(server.slice(1)) % RATES.length] ?? 0;
		const solo = turns.filter(({ soloFirst }) => soloFirst !== undefined).length * 2 * (settleSeconds + soloSeconds);
		const later = (turns.length - 1) * warmSeconds(warmup, rate);
		return sum + PAIR + warmSeconds(firstWarmup, rate) + later + turns.length * (TURN + counted) + solo;
	}, 0);
}

function warmSeconds({ requests, leastSeconds, mostSeconds }: Warmup, rate: number): Seconds {
	return Math.min(mostSeconds, Math.max(leastSeconds, requests / rate));
}
