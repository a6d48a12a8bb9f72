/** What kind of row a scenario has: rows of one kind are loaded and ranked alike, so their rounds spread alike. */
import type { MeasuredScenario } from '../../types/ranking/measure-setup.ts';

/** What a scenario asks for, as far as it decides how its rows are loaded and ranked. */
export type AskedScenario = Partial<Pick<MeasuredScenario, 'metrics' | 'load' | 'workers' | 'inProcess'>>;

/**
 * Returns what rows have in common that spread alike: how they are loaded, and what they are ranked by where that is asked for. The setup
 * alone says it, so no row changes its kind from one round to the next (decision 0067).
 */
export function kindOf(scenario: AskedScenario | undefined): string {
	return [
		scenario?.metrics?.[0] ?? 'loaded',
		...(isRated(scenario) ? ['at a fixed rate'] : []),
		...(scenario?.inProcess ? ['in process'] : []),
		...(scenario?.workers === undefined ? [] : ['in worker processes']),
	].join(' ');
}

/** Returns whether requests are sent at a fixed rate. */
export function isRated(scenario: AskedScenario | undefined): boolean {
	return scenario?.load?.rate !== undefined;
}
