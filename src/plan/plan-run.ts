/** The plan of a run. */
import type { Config } from '../types/config.ts';
import type { Cell, OneSidedCell, Plan } from '../types/plan.ts';
import { planLooks } from './looks.ts';
import { countingSeconds, estimateSeconds, timingFor } from './timing.ts';

export const USUAL_ROUNDS = 20;
/** Of larger budgets, which decide smaller differences. Only the option `rounds` gives more. */
export const LONGER_ROUNDS = [30, 45, 68] as const;

export function planRun(config: Config, cells: readonly Cell[], oneSided: readonly OneSidedCell[]): Plan {
	const timing = timingFor(config);
	return {
		seed: config.seed,
		design: config.design,
		cells,
		oneSided,
		metrics: config.gate.metrics,
		looks: planLooks(planMaxRounds(config, cells)),
		...(config.gate.margins && { margins: config.gate.margins }),
		timing,
		budgetSeconds: config.budgetSeconds,
	};
}

/**
 * Returns the most rounds of a cell: as configured, else 20, or the largest of 30, 45, 68 that fits the budget even if
 * no cell is decided early.
 */
export function planMaxRounds(config: Config, cells: readonly Cell[]): number {
	const { rounds: configRounds, budgetSeconds, design } = config;
	if (configRounds !== undefined) return configRounds;
	if (cells.length === 0) return USUAL_ROUNDS;
	const timing = timingFor(config);
	const measuring = budgetSeconds - countingSeconds(cells, config.gate.metrics, budgetSeconds);
	const fitting = LONGER_ROUNDS.filter((rounds) => measuring >= estimateSeconds(cells, rounds, design, timing));
	return fitting.at(-1) ?? USUAL_ROUNDS;
}
