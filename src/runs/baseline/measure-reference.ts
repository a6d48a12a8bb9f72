/** Absolute figures of the reference server, so that those of others are comparable from machine to machine as a share of it. */
import { answeredBy } from '../../config/answered-scenarios.ts';
import { loadCatalogue } from '../../config/load-catalogue.ts';
import type { ReferenceFigures } from '../../judge/baseline/baseline-cells.ts';
import { openBench } from '../../measure/bench.ts';
import { planCells } from '../../plan/plan-cells.ts';
import { planRound } from '../../plan/plan-round.ts';
import { planRun } from '../../plan/plan-run.ts';
import { preparePinned } from '../../prepare/prepare-pinned.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { soloFiguresOfBoth } from '../../stats/solo-figures.ts';
import { REFERENCE_SERVER } from '../../types/baseline.ts';
import type { BuiltinServer, Config } from '../../types/config.ts';
import type { CellRound } from '../../types/round.ts';
import type { PairOptions } from '../run-pair.ts';

/** Each is two fresh processes, one window each. */
const ROUNDS = 2;

export type ReferenceOptions = Pick<
	PairOptions,
	'config' | 'cwd' | 'cacheFolder' | 'node' | 'janitor' | 'progress' | 'signal'
>;

/**
 * Returns the figures of the pinned reference server in each scenario of the config that it answers, loaded alone: none for
 * scenarios of the user's own, which only their servers answer. A scenario in which it breaks is left out.
 */
export async function measureReference(options: ReferenceOptions): Promise<ReferenceFigures> {
	const config = await referenceConfig(options.config);
	if (config === null) return new Map();
	const { progress } = options;
	progress.step(`Measuring ${REFERENCE_SERVER}, which absolute figures are compared with`);
	const prepared = await preparePinned(config, { ...options, toolRoot: TOOL_ROOT });
	const names = [REFERENCE_SERVER];
	const { cells } = planCells(config, { servers: { base: names, head: names } });
	const usual = planRun(config, cells, []);
	const plan = { ...usual, timing: { ...usual.timing, windows: 0, soloRounds: ROUNDS } };
	const bench = await openBench(options);
	const laboratory = bench.laboratory({ config, prepared, timing: () => plan.timing });
	const turns: CellRound[] = [];
	for (let round = 1; round <= ROUNDS; round++) {
		const ids = cells.map(({ id }) => id);
		turns.push(...(await laboratory.runRound(planRound(plan, round, ids, 'main'))).cells);
	}
	await bench.close();
	return new Map(
		cells.flatMap(({ id, scenario }) => {
			const own = turns.filter(({ cell, faults }) => cell === id && faults.length === 0);
			const figures = soloFiguresOfBoth(own);
			return figures === null ? [] : [[scenario, figures] as const];
		}),
	);
}

/** Null when the reference server answers none of the scenarios. */
async function referenceConfig(config: Config): Promise<Config | null> {
	const known = (await loadCatalogue(TOOL_ROOT)).servers.find(({ name }) => name === REFERENCE_SERVER);
	if (known === undefined) return null;
	const { without } = known;
	const server: BuiltinServer = { kind: 'built-in', name: REFERENCE_SERVER, ...(without && { without }) };
	const scenarios = answeredBy(server, config.scenarios);
	return scenarios.length === 0 ? null : { ...config, servers: [server], scenarios, design: 'duet' };
}
