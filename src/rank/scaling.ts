/** Throughput by number of connections, or of worker processes. */
import { max, median, min, sum } from 'simple-statistics';
import { readStep } from '../config/ranking/ramp-steps.ts';
import { GENERATOR_LIMIT } from '../stats/guards.ts';
import type { Ramp, Scaling, ScalingStep, StepFigures } from '../types/ranking/load-figures.ts';
import type { RankingData, RankingRow, RankingSample } from '../types/ranking/ranking.ts';
import type { Environment } from '../types/result.ts';
import type { WorkerFigures } from '../types/round.ts';
import type { Fraction } from '../types/units.ts';

/** Older logs lack `workerCpus`. Workers had all CPUs but the generator's. */
function cpusForWorkers({ workerCpus, cpus }: Pick<Environment, 'workerCpus' | 'cpus'>): number {
	return workerCpus ?? Math.max(1, cpus - 1);
}

type Machines = Pick<RankingData, 'setup' | 'environment' | 'shards'>;

export function markOversubscribed(
	rows: readonly RankingRow[],
	{ setup, environment, shards }: Machines,
): readonly RankingRow[] {
	const crowds = new Map(setup.scenarios.map(({ name, workers = 1 }) => [name, workers]));
	return rows.map((row) => {
		const machine = shards?.find(({ shard }) => shard === row.shard)?.environment ?? environment;
		return (crowds.get(row.scenario) ?? 1) > cpusForWorkers(machine) ? { ...row, oversubscribed: true } : row;
	});
}

/**
 * Returns throughput by number of workers, for each server, with speed-up and efficiency relative to one worker; null
 * with more workers than CPUs or a generator at its limit, because they would not describe the server.
 */
export function scalingsOf(
	rows: readonly RankingRow[],
	{ setup, samples }: Pick<RankingData, 'setup' | 'samples'>,
): readonly Scaling[] {
	const crowds = setup.scenarios.flatMap(({ name, workers }) => (workers === undefined ? [] : [{ name, workers }]));
	const servers = [...new Set(rows.map(({ server }) => server))];
	return servers.flatMap((server) => {
		const steps = crowds
			.flatMap(({ name, workers }) => {
				const row = rows.find((one) => one.server === server && one.scenario === name && one.state === 'measured');
				const validSamples = samples.filter(
					(one) => one.server === server && one.scenario === name && one.faults.length === 0,
				);
				const throughput = row?.alone?.metrics.throughput ?? null;
				if (row === undefined || throughput === null) return [];
				return [stepOf(workers, throughput, validSamples, row.oversubscribed ?? false)];
			})
			.toSorted((one, other) => one.workers - other.workers);
		return steps.length === 0 ? [] : [{ server, steps: withRatios(steps) }];
	});
}

function stepOf(
	workers: number,
	throughput: number,
	samples: readonly RankingSample[],
	oversubscribed: boolean,
): ScalingStep {
	const busy = samples.flatMap(({ guards }) => guards.generatorUtilisation ?? []);
	const rounds = samples.flatMap((sample) => (sample.workers?.length ? [sample.workers] : []));
	return {
		workers,
		throughput,
		speedUp: null,
		efficiency: null,
		oversubscribed,
		generatorBound: busy.length > 0 && median(busy) >= GENERATOR_LIMIT,
		cpus: rounds.length === 0 ? null : cpusOf(rounds),
		memory: memoryOf(rounds),
	};
}

function cpusOf(rounds: readonly (readonly WorkerFigures[])[]): ScalingStep['cpus'] {
	const over = (reduce: (values: number[]) => number) =>
		median(rounds.map((round) => reduce(round.map(({ cpus }) => cpus))));
	return { sum: over(sum), least: over(min), most: over(max) };
}

function memoryOf(rounds: readonly (readonly WorkerFigures[])[]): ScalingStep['memory'] {
	const memoryRounds = rounds
		.map((round) => round.flatMap(({ memory }) => memory ?? []))
		.filter((round) => round.length > 0);
	if (memoryRounds.length === 0) return null;
	return {
		sum: median(memoryRounds.map((round) => sum(round))),
		most: median(memoryRounds.map((round) => max(round))),
	};
}

function withRatios(steps: readonly ScalingStep[]): readonly ScalingStep[] {
	const one = steps.find(({ workers, generatorBound }) => workers === 1 && !generatorBound);
	return steps.map((step) => {
		if (one === undefined || step.oversubscribed || step.generatorBound) return step;
		const speedUp = step.throughput / one.throughput;
		return { ...step, speedUp, efficiency: speedUp / step.workers };
	});
}

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
