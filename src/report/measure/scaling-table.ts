import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair, formatPercent, NONE } from '../../text/numbers.ts';
import type { MeasureResult } from '../../types/ranking/measure.ts';
import type { ScalingStep } from '../../types/ranking/worker-scaling.ts';
import type { WordedTable } from '../worded-table.ts';
import { own } from './measure-figures.ts';
import { areOfOneMachine } from './measure-shards.ts';

/** Returns what servers answer with growing numbers of worker processes, a table a server. */
export function scalingTables({ scalings, rows, environment }: MeasureResult): readonly WordedTable[] {
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

interface ScalingColumn {
	readonly label: string;
	readonly of: (step: ScalingStep) => string;
}

/** `machine`: how many CPUs it has; null for several machines. */
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

function remarkOf({ oversubscribed, generatorBound }: ScalingStep): string {
	const words = [oversubscribed ? 'oversubscribed' : null, generatorBound ? 'load generator at its limit' : null];
	return words.filter((word) => word !== null).join(', ');
}
