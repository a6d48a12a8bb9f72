import { answeredBy } from '../config/answered-scenarios.ts';
import type { Config, Scenario, ServerSpec } from '../types/config.ts';
import type { Cell, Plan } from '../types/plan.ts';
import type { Seconds } from '../types/units.ts';
import { timingOfMeasure } from './ranking-pairs.ts';

type SharesConfig = Pick<
	Config,
	'servers' | 'scenarios' | 'threshold' | 'tolerance' | 'seed' | 'budgetSeconds' | 'warmupSeconds'
>;

/**
 * Rounds have fresh processes and differ by more than windows within a round, so each has only a seventh of a ranking's
 * windows. Even numbers are balanced (`planRound`).
 */
export const SHARE_ROUNDS = 4;
/** Counted load of each side in a round. */
const LOAD_SECONDS: Seconds = 0.3;

/**
 * Returns the plan for the cells of `installed` servers that the reference answers too; null without such cells. A
 * fixed rate or special start gives no share.
 */
export function planShares(config: SharesConfig, installed: readonly string[], reference: ServerSpec): Plan | null {
	const { scenarios, threshold, tolerance, seed, budgetSeconds, warmupSeconds } = config;
	const shared = answeredBy(reference, scenarios).filter(isPlain);
	const servers = config.servers.filter(({ name }) => name !== reference.name && installed.includes(name));
	const cells = servers.flatMap((server): Cell[] => {
		const answered = answeredBy(server, scenarios).filter((scenario) => shared.includes(scenario));
		return answered.map(({ name }) => ({
			...{ id: `${server.name}/${name}`, server: server.name, scenario: name },
			...{ threshold, tolerance },
		}));
	});
	if (cells.length === 0) return null;
	return {
		...{ seed, budgetSeconds, cells, oneSided: [], metrics: ['throughput'], looks: [] },
		design: 'alternating',
		timing: timingOfMeasure({ durationSeconds: LOAD_SECONDS, warmupSeconds }),
	};
}

function isPlain({ load, metrics, workers, inProcess }: Scenario): boolean {
	return load.rate === undefined && metrics === undefined && workers === undefined && !inProcess;
}
