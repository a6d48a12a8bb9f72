/** Growth of throughput with the number of connections. */
import { readStep } from '../config/ranking/ramp-steps.ts';
import type { Ramp } from '../types/ranking/connection-ramp.ts';
import type { StepFigures } from '../types/ranking/load-figures.ts';
import type { RankingRow } from '../types/ranking/ranking.ts';
import type { Fraction } from '../types/units.ts';

/** A server is saturated if more connections add no more than this. */
const SATURATION: Fraction = 0.05;

/**
 * Returns a ramp for each server and scenario with several numbers of connections, which are separate scenarios or
 * stages of one load. Saturation is the first step after which no step answers over 5 % more; null for the last,
 * because throughput may go on rising.
 */
export function rampsOf(rows: readonly RankingRow[]): readonly Ramp[] {
	const groups = [...Map.groupBy(rows.flatMap(stepsOf), ({ server, scenario }) => `${server}/${scenario}`).values()];
	return groups.flatMap((group) => {
		const [first] = group;
		const sortedSteps = group.map(({ step }) => step).toSorted((one, other) => one.connections - other.connections);
		if (first === undefined || sortedSteps.length < 2) return [];
		return [
			{ server: first.server, scenario: first.scenario, steps: sortedSteps, saturation: saturationOf(sortedSteps) },
		];
	});
}

function stepsOf({ server, scenario, alone }: RankingRow): readonly Step[] {
	const step = readStep(scenario);
	const throughput = alone?.metrics.throughput ?? null;
	if (step === null || throughput === null) {
		return (alone?.steps ?? []).map((stepFigures) => ({ server, scenario, step: stepFigures }));
	}
	const { p50 = null, p99 = null } = alone?.latency ?? {};
	return [{ server, scenario: step.scenario, step: { connections: step.connections, throughput, p50, p99 } }];
}

interface Step {
	readonly server: string;
	readonly scenario: string;
	readonly step: StepFigures;
}

function saturationOf(steps: Ramp['steps']): number | null {
	const enough = steps.findIndex((step, at) =>
		steps.slice(at + 1).every((later) => later.throughput <= step.throughput * (1 + SATURATION)),
	);
	return enough === steps.length - 1 ? null : (steps[enough]?.connections ?? null);
}
