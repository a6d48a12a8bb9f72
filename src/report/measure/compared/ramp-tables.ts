import { NAME_LIMIT, plainText } from '../../../text/escape.ts';
import { formatPair, NONE } from '../../../text/numbers.ts';
import type { Ramp } from '../../../types/ranking/connection-ramp.ts';
import type { StepFigures } from '../../../types/ranking/load-figures.ts';
import type { MeasureResult } from '../../../types/ranking/measure.ts';
import type { WordedTable } from '../../worded-table.ts';
import { own } from '../measure-figures.ts';
import { nameOf } from '../measure-words.ts';

/** Returns requests per second and latency by number of connections, two tables a scenario. */
export function rampTables({ ramps, setup }: Pick<MeasureResult, 'ramps' | 'setup'>): readonly WordedTable[] {
	const isStaged = setup.timing.stages !== undefined;
	const steps = isStaged
		? 'A step counts while exactly so many connections are open; the table of the scenario counts the whole load.'
		: 'Each step has a table of its own with the ranks.';
	return [...Map.groupBy(ramps, ({ scenario }) => scenario)].flatMap(([scenario, group]) => {
		const name = plainText(scenario, NAME_LIMIT);
		const rates = table(`Ramp of ${name}`, group, ({ throughput }) => formatPair(throughput, null, 'requests/s').base);
		const late = table(`Latency in the ramp of ${name}`, group, writeLatency);
		return [
			{
				...rates,
				columns: [...rates.columns, { label: 'saturated at', align: 'right' as const }],
				rows: rates.rows.map((cells, at) => [...cells, own(writeSaturation(group[at]))]),
				note: `Requests per second of each server alone, by number of connections. Saturated: more connections add at most 5 %.${describeRising(group)} ${steps}`,
			},
			{ ...late, note: 'p50 / p99 of each server alone, by number of connections.' },
		];
	});
}

/** A row a server, a column a step. */
function table(
	title: string,
	ramps: readonly Ramp[],
	write: (step: StepFigures) => string,
): Pick<WordedTable, 'title' | 'columns' | 'rows'> {
	const steps = [...new Set(ramps.flatMap((ramp) => ramp.steps.map(({ connections }) => connections)))];
	const figureAt = ({ steps: known }: Ramp, connections: number) => {
		const step = known.find((one) => one.connections === connections);
		return own(step === undefined ? NONE : write(step));
	};
	return {
		title,
		columns: ['server', ...steps.map(String)].map((label, at) => ({ label, align: at === 0 ? 'left' : 'right' })),
		rows: ramps.map((ramp) => [nameOf(ramp.server), ...steps.map((connections) => figureAt(ramp, connections))]),
	};
}

function writeLatency({ p50, p99 }: StepFigures): string {
	if (p50 === null && p99 === null) return NONE;
	// They may lie far apart: on one scale the smaller one would lose its digits.
	const [middle, late] = [formatPair(p50, null, 'ms'), formatPair(p99, null, 'ms')];
	const unit = middle.unit === late.unit ? '' : ` ${middle.unit}`;
	return `${middle.base}${unit} / ${late.base} ${late.unit}`;
}

function writeSaturation(ramp: Ramp | undefined): string {
	const saturation = ramp?.saturation ?? null;
	return saturation === null ? 'still rising' : `${saturation} connections`;
}

function describeRising(ramps: readonly Ramp[]): string {
	if (ramps.every(({ saturation }) => saturation !== null)) return '';
	return ' Still rising: the last step added more than that, so its end is not known; --ramp takes larger numbers.';
}
