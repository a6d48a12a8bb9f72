/** `npm run docs:costs`: writes scenarios/costs.json from the live runs of docs/evaluation/data. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean } from 'simple-statistics';
import { defaultOf } from '../src/config/option-names.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import type { Seconds } from '../src/types/units.ts';
import { liveSeries } from './replay/matrix-runs.ts';
import { secondsOfCell } from './replay/rounds.ts';
import type { Series } from './series.ts';
import { readAllSeries } from './series-files.ts';

export type RowCosts = Readonly<Record<string, Seconds>>;

/** Returns the mean time until a row was decided at the default threshold, by scenario, over all servers. */
export function rowCosts(series: readonly Series[]): RowCosts {
	const costs = liveSeries(series).flatMap(({ plans: [plan], rounds }) =>
		(plan?.cells ?? [])
			.filter(({ threshold }) => threshold === defaultOf('threshold'))
			.map(({ id, scenario }) => ({ scenario, seconds: secondsOfCell(rounds, id) })),
	);
	const byScenario = Map.groupBy(costs, ({ scenario }) => scenario);
	const means = [...byScenario].map(
		([name, all]) => [name, Math.ceil(mean(all.map(({ seconds }) => seconds)))] as const,
	);
	return Object.fromEntries(means.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export async function readRowCosts(): Promise<RowCosts> {
	const { series } = await readAllSeries(join(TOOL_ROOT, 'docs', 'evaluation', 'data'));
	return rowCosts(series);
}

if (import.meta.main) {
	const text = JSON.stringify(await readRowCosts(), null, 2);
	writeFileSync(join(TOOL_ROOT, 'scenarios', 'costs.json'), `${text}\n`);
}
