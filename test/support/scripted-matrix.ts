/** A ranking of any size without servers: rounds of realistic size from an instant laboratory. */
import type { Laboratory } from '../../src/measure/laboratory.ts';
import { type PairGroup, timingOfMeasure } from '../../src/plan/ranking-pairs.ts';
import type { RoundPlan } from '../../src/types/plan.ts';
import type { LogHeader, LogLine } from '../../src/types/ranking/ranking.ts';
import type { LatencyHistogram } from '../../src/types/round.ts';
import { scriptData, scriptServer, scriptTrials } from './ranking-cases.ts';
import { scriptRound } from './rounds.ts';

export interface MatrixSize {
	readonly servers: number;
	readonly scenarios: number;
	/** Per turn. */
	readonly windows?: number;
	/** Different ones per window. */
	readonly latencies?: number;
}

export interface ScriptedMatrix {
	readonly header: LogHeader;
	readonly session: LogLine;
	readonly groups: readonly PairGroup[];
	readonly laboratory: Laboratory;
	/** All rounds returned, to detect which are retained. */
	readonly rounds: readonly WeakRef<object>[];
}

const REFERENCE = 'node-http';

/** Returns servers between 40 and 90 % of the reference, with 1 % noise. */
export function scriptMatrix({ servers, scenarios, windows = 4, latencies = 150 }: MatrixSize): ScriptedMatrix {
	const names = Array.from({ length: servers }, (_, at) => `server-${at}`);
	const scenarioNames = Array.from({ length: scenarios }, (_, at) => `scenario-${at}`);
	const all = [REFERENCE, ...names].map((name) => scriptServer(name));
	const samples = scenarioNames.flatMap((scenario) => scriptTrials('server-0', 1, 0, scenario));
	const { tool, createdAt, setup, environment, reproduce } = scriptData(all, samples);
	const rounds: WeakRef<object>[] = [];
	const laboratory: Laboratory = {
		verify: async () => [],
		warnings: () => [],
		async runRound({ round, design, pairs }: RoundPlan) {
			const scripted = pairs.map(({ server, turns }) => {
				const share = 0.4 + (0.5 * (names.indexOf(server) + 1)) / servers;
				const d = Math.log(share) + 0.01 * ((round % 3) - 1);
				const cellSamples = turns.map(({ cell }) => {
					const latency = { base: histogram(latencies), head: histogram(latencies) };
					const offsets = Array.from({ length: windows }, () => 0);
					const turn = { d, windows: offsets, latency, solo: [40_000, 40_000 * share] as const };
					return [cell.slice(cell.indexOf('/') + 1), turn] as const;
				});
				const { cells, ...rest } = scriptRound(round, Object.fromEntries(cellSamples), { design });
				return { ...rest, cells: cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app/', `${server}/`) })) };
			});
			const [first, ...others] = scripted;
			if (first === undefined) throw new Error('a round has a pair');
			const whole = { ...first, cells: [first, ...others].flatMap(({ cells }) => cells) };
			rounds.push(new WeakRef(whole), ...whole.cells.map((cell) => new WeakRef(cell)));
			return whole;
		},
	};
	return {
		header: { kind: 'benchgate-measure-log', schemaVersion: 1, tool, createdAt, seed: 1, setup, precision: 0.04 },
		session: { kind: 'session', environment, servers: all, unmeasured: [], reproduce },
		groups: [groupOf(names, scenarioNames)],
		laboratory,
		rounds,
	};
}

function groupOf(servers: readonly string[], scenarios: readonly string[]): PairGroup {
	const cells = servers.flatMap((server) =>
		scenarios.map((scenario) => ({
			...{ id: `${server}/${scenario}`, server, scenario },
			...{ threshold: 0.05, tolerance: 0.025 },
		})),
	);
	const plan = { seed: 1, design: 'duet' as const, cells, oneSided: [], metrics: ['throughput'] as const, looks: [] };
	return { reference: REFERENCE, plan: { ...plan, timing: timingOfMeasure({}), budgetSeconds: 1e9 } };
}

/** Realistic latencies, each a few times. */
function histogram(bins: number): LatencyHistogram {
	return Array.from({ length: bins }, (_, at) => [200 + 10 * at, 1 + ((at * 7) % 13)] as const);
}
