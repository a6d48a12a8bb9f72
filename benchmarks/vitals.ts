/**
 * What does it cost a server to tell of its garbage collection and event loop? The same server on both sides, fresh processes every
 * round; one of them has the module loaded, base and head in turn. Prints CPU time per request of the side with it over the other.
 * Options: --servers koa,express --rounds 16 --scenario param-json
 */
import { parseArgs } from 'node:util';
import { mean } from 'simple-statistics';
import { findCacheFolder } from '../src/cli/cache-folder.ts';
import { loadCatalogue } from '../src/config/load-catalogue.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { openBench } from '../src/measure/bench.ts';
import { findNode } from '../src/measure/find-node.ts';
import { TELL_FLAG } from '../src/measure/vitals/tell-vitals.ts';
import { planCells } from '../src/plan/plan-cells.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { planRun } from '../src/plan/plan-run.ts';
import { timingFor } from '../src/plan/timing.ts';
import { preparePinned } from '../src/prepare/prepare-pinned.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { roundDifferences } from '../src/stats/differences.ts';
import { locationOf } from '../src/stats/location.ts';
import type { Prepared, PreparedSide } from '../src/types/prepared.ts';
import type { Side } from '../src/types/units.ts';

const { values: flags } = parseArgs({
	options: {
		servers: { type: 'string', default: 'koa' },
		rounds: { type: 'string', default: '16' },
		scenario: { type: 'string', default: 'param-json' },
	},
});

const janitor = await startJanitor();
const node = findNode(undefined);
const catalogue = await loadCatalogue(TOOL_ROOT);
const { signal } = new AbortController();
const cacheFolder = findCacheFolder();
const bench = await openBench({ cacheFolder, node, janitor, signal });
const progress = { step: (text: string) => console.error(text), status() {} };

/** Has the servers of one side tell. */
function telling(prepared: Prepared, side: Side): Prepared {
	const own = prepared.sides[side];
	const servers = Object.fromEntries(
		Object.entries(own.servers).map(([name, server]) => [
			name,
			{ ...server, env: { ...server.env, NODE_OPTIONS: TELL_FLAG } },
		]),
	);
	return { ...prepared, sides: { ...prepared.sides, [side]: { ...own, servers } satisfies PreparedSide } };
}

for (const server of flags.servers.split(',')) {
	const config = resolveConfig(null, { server, scenario: flags.scenario }, catalogue, () => 1);
	const context = { cwd: process.cwd(), toolRoot: TOOL_ROOT, cacheDir: cacheFolder, node, janitor, progress, signal };
	const prepared = await preparePinned(config, context);
	const { cells } = planCells(config, { servers: { base: [server], head: [server] } });
	const plan = planRun(config, cells, []);
	const timing = () => ({ ...timingFor({ design: 'duet' }), soloRounds: 0 });
	const laboratoryOf = (side: Side) => bench.laboratory({ config, prepared: telling(prepared, side), timing });
	const laboratories = { base: laboratoryOf('base'), head: laboratoryOf('head') };
	const ids = plan.cells.map(({ id }) => id);
	const costs: number[] = [];
	for (let round = 1; round <= Number(flags.rounds); round++) {
		const side = round % 2 === 0 ? 'base' : 'head';
		const { cells: turns } = await laboratories[side].runRound(planRound(plan, round, ids, 'main'));
		for (const turn of turns) {
			const d = roundDifferences(turn)['cpu-per-request'];
			// Negative where head costs more.
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
await janitor.close();
