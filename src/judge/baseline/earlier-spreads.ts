/** How much a row varied in earlier baselines on the same kind of machine. */
import type { BaselineRecord } from '../../types/baseline.ts';
import type { EarlierSpreads } from './level.ts';

/** Latest runs whose spread counts: what a machine was like a year ago says little. */
const LATEST = 20;

/** Returns the spread of rounds in the latest records of the same kind of machine, whatever they were measured against. */
export function spreadsIn(records: readonly BaselineRecord[], environmentId: string): EarlierSpreads {
	const alike = records
		.filter((record) => record.environmentId === environmentId)
		.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
	return ({ server, scenario, metric, judgedBy }) => {
		const rows = alike.flatMap(({ cells }) =>
			cells.filter(
				(cell) =>
					cell.server === server &&
					cell.scenario === scenario &&
					cell.metric === metric &&
					cell.judgedBy === judgedBy &&
					cell.roundSd !== null,
			),
		);
		return rows.slice(0, LATEST).map(({ roundSd, rounds }) => ({ sd: roundSd as number, df: rounds - 1 }));
	};
}
