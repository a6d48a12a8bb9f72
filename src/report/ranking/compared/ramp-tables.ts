/** Throughput by number of connections or workers. */
import { NAME_LIMIT, plainText } from '../../../text/escape.ts';
import { formatPair, formatPercent, NONE } from '../../../text/numbers.ts';
import type { Ramp, ScalingStep, StepFigures } from '../../../types/ranking/load-figures.ts';
import type { RankingResult } from '../../../types/ranking/ranking.ts';
import type { WordedTable } from '../../document/document.ts';
import { areOfOneMachine } from '../ranking-facts.ts';
import { own } from '../ranking-figures.ts';
import { nameOf } from '../ranking-words.ts';

interface ScalingColumn {
	readonly label: string;
	readonly of: (step: ScalingStep) => string;
}

/** `machine`: number of CPUs; null for several machines. */
const columnsOf = (machine: number | null): readonly ScalingColumn[] => [
	{ label: 'requests/s', of: ({ throughput }) => formatPair(throughput, null, 'requests/s').base },
	{
		label: 'a worker',
		of: ({ throughput, workers }) => formatPair(throughput / workers, null, 'requests/s').base,
	},
	{ label: 'speed-up', of: ({ speedUp }) => (speedUp === null ? NONE : speedUp.toFixed(2)) },
	{ label: 'efficiency', of: ({ efficiency }) => (efficiency === null ? NONE : formatPercent(efficiency, 0)) },
	{ label: 'CPUs', of: ({ cpus }) => (cpus === null ? NONE : cpus.sum.toFixed(2)) },
	...(machine === null
		? []
		: [
				{
					label: 'of the machine',
					of: ({ cpus }: ScalingStep) => (cpus === null ? NONE : formatPercent(cpus.sum / machine, 0)),
				},
			]),
	{
		label: 'CPUs of a worker',
		of: ({ cpus }) => (cpus === null ? NONE : `${cpus.least.toFixed(2)} … ${cpus.most.toFixed(2)}`),
	},
	{ label: 'memory, MB', of: ({ memory }) => (memory === null ? NONE : (memory.sum / 1e6).toFixed(0)) },
	{ label: 'largest worker, MB', of: ({ memory }) => (memory === null ? NONE : (memory.most / 1e6).toFixed(0)) },
];

/** Returns requests per second and latency by connections, two tables per scenario. */
export function rampTables({ ramps, setup }: Pick<RankingResult, 'ramps' | 'setup'>): readonly WordedTable[] {
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

function table(
	title: string,
	ramps: readonly Ramp[],
	write: (step: StepFigures) => string,
): Pick<WordedTable, 'title' | 'columns' | 'rows'> {
	const steps = [...new Set(ramps.flatMap((ramp) => ramp.steps.map(({ connections }) => connections)))];
	const figureAt = ({ steps: rampSteps }: Ramp, connections: number) => {
		const step = rampSteps.find((one) => one.connections === connections);
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
	// Formatted separately, because on a common scale the smaller figure could lose digits.
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

/** Returns throughput by worker processes, one table per server. */
export function scalingTables({ scalings, rows, environment }: RankingResult): readonly WordedTable[] {
	const machine = areOfOneMachine(rows) ? environment.cpus : null;
	const all = columnsOf(machine);
	const ofMachine = machine === null ? '' : '; of the machine: that over all its CPUs';
	return scalings.map(({ server, steps }) => ({
		title: `Worker processes of ${plainText(server, NAME_LIMIT)}`,
		columns: ['workers', ...all.map(({ label }) => label), 'remark'].map((label) => ({
			label,
			align: label === 'remark' ? ('left' as const) : ('right' as const),
		})),
		rows: steps.map((step) => [own(String(step.workers)), ...all.map(({ of }) => own(of(step))), own(remarkOf(step))]),
		note: `Requests per second of the server alone. Speed-up: how many times as fast as one worker. Efficiency: speed-up divided by the number of workers. CPUs: CPU time divided by wall time${ofMachine}. Oversubscribed: more workers than CPUs for them, so there is no speed-up.`,
	}));
}

function remarkOf({ oversubscribed, generatorBound }: ScalingStep): string {
	const words = [oversubscribed ? 'oversubscribed' : null, generatorBound ? 'load generator at its limit' : null];
	return words.filter((word) => word !== null).join(', ');
}
