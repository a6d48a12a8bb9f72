/**
 * What does it cost a server to report its garbage collection and event loop? The same server on both sides, fresh
 * processes every round; one side loads the module: head for two rounds, then base for two, because the second of two
 * rounds mirrors the order of starts and slots. Prints CPU time per request with the module over that without.
 * Options: --servers koa,express --rounds 16 (a multiple of four) --scenario param-json
 */
import { parseArgs } from 'node:util';
import { mean } from 'simple-statistics';
import { openBench } from '../src/measure/bench.ts';
import { TELL_FLAG } from '../src/measure/vitals.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { timingFor } from '../src/plan/timing.ts';
import { roundDifferences } from '../src/stats/differences.ts';
import { locationOf } from '../src/stats/location.ts';
import type { Prepared, PreparedSide } from '../src/types/prepared.ts';
import type { Side } from '../src/types/units.ts';
import { configOf, openTools, setUp } from './shared/set-up.ts';

const { values: flags } = parseArgs({
	options: {
		servers: { type: 'string', default: 'koa' },
		rounds: { type: 'string', default: '16' },
		scenario: { type: 'string', default: 'param-json' },
	},
});

const tools = await openTools();
const bench = await openBench(tools);

/** Loads the module in the servers of one side. */
function telling(prepared: Prepared, side: Side): Prepared {
	const changedSide = prepared.sides[side];
	const servers = Object.fromEntries(
		Object.entries(changedSide.servers).map(([name, server]) => [
			name,
			{ ...server, env: { ...server.env, NODE_OPTIONS: TELL_FLAG } },
		]),
	);
	return { ...prepared, sides: { ...prepared.sides, [side]: { ...changedSide, servers } satisfies PreparedSide } };
}

for (const server of flags.servers.split(',')) {
	const config = await configOf({ server, scenario: flags.scenario });
	const { prepared, plan, ids } = await setUp(config, tools);
	const timing = () => ({ ...timingFor({ design: 'duet' }), soloRounds: 0 });
	const laboratoryOf = (side: Side) => bench.laboratory({ config, prepared: telling(prepared, side), timing });
	const laboratories = { base: laboratoryOf('base'), head: laboratoryOf('head') };
	const costs: number[] = [];
	for (let round = 1; round <= Number(flags.rounds); round++) {
		const side = Math.floor((round - 1) / 2) % 2 === 0 ? 'head' : 'base';
		const { cells: turns } = await laboratories[side].runRound(planRound(plan, round, ids, 'main'));
		for (const turn of turns) {
			const d = roundDifferences(turn)['cpu-per-request'];
			// Negative if head costs more.
			if (d !== null) costs.push(side === 'head' ? -d : d);
		}
		process.stderr.write('.');
	}
	const location = locationOf(costs);
	const percent = (log: number) => `${(100 * Math.expm1(log)).toFixed(2)} %`;
	console.log(
		`\n${server}/${flags.scenario}: CPU per request with the module ${percent(mean(costs))} more (SE ${location ? percent(location.se) : '–'}), ${costs.length} rounds`,
	);
}
await bench.close();
await tools.janitor.close();
