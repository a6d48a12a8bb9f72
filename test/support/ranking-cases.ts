import { timingOfMeasure } from '../../src/plan/ranking-pairs.ts';
import type { AloneFigures } from '../../src/types/ranking/load-figures.ts';
import type { RankedServer, RankingData, RankingSample } from '../../src/types/ranking/ranking.ts';

export interface ScriptedTurn {
	readonly server: string;
	readonly scenario?: string;
	readonly round: number;
	/** Of the reference's throughput. */
	readonly share: number;
	/** Requests per second of the reference alone. */
	readonly reference?: number;
	readonly seconds?: number;
	readonly faults?: RankingSample['faults'];
	readonly guards?: Partial<RankingSample['guards']>;
}

export function aloneAt(rate: number): AloneFigures {
	const at = (factor: number): number => (factor * 50_000) / rate;
	return {
		metrics: {
			throughput: rate,
			'cpu-per-request': 1e6 / rate,
			'latency-p50': at(1),
			'latency-p99': at(4),
			'memory-peak': 60 + 100_000 / rate,
		},
		latency: {
			mean: at(1.1),
			p2_5: at(0.5),
			p50: at(1),
			p75: at(1.2),
			p90: at(1.6),
			p95: at(2),
			p99: at(4),
			p99_9: at(9),
			max: at(20),
		},
		bytesPerSecond: 150 * rate,
	};
}

/** Returns a sample in which throughput and CPU per request agree. */
export function scriptSample(turn: ScriptedTurn): RankingSample {
	const { server, scenario = 'ping', round, share, reference = 40_000, seconds = 6, faults = [], guards = {} } = turn;
	const d = Math.log(share);
	return {
		server,
		scenario,
		reference: 'node-http',
		round,
		d: { throughput: d, 'cpu-per-request': d, 'latency-p50': d, 'latency-p99': d, 'memory-peak': 0 },
		alone:
			faults.length > 0
				? { server: null, reference: null }
				: { server: aloneAt(share * reference), reference: aloneAt(reference) },
		guards: { generatorUtilisation: 0.5, serverUtilisation: 0.99, cpuShare: 0.5, busy: 0.1, ...guards },
		faults,
		seconds,
	};
}

/** Returns three rounds around `share`, `spread` apart. */
export function scriptTrials(server: string, share: number, spread: number, scenario = 'ping'): RankingSample[] {
	return [0, 1, -1].map((offset, at) =>
		scriptSample({
			server,
			scenario,
			round: at + 1,
			share: share * Math.exp(offset * spread),
			reference: 40_000 * (1 + 0.02 * offset),
		}),
	);
}

export function scriptServer(name: string, changes: Partial<RankedServer> = {}): RankedServer {
	return {
		name,
		description: `The ${name} framework`,
		state: 'installed',
		reason: null,
		versions: { [name]: '1.2.3', helper: '0.0.1' },
		direct: [name],
		...changes,
	};
}

const SCENARIO = { load: { connections: 50, pipelining: 1 }, reference: 'node-http' } as const;

/** Returns a run of these servers and samples on a fictitious machine. */
export function scriptData(
	servers: readonly RankedServer[],
	samples: readonly RankingSample[],
	changes: Partial<RankingData> = {},
): RankingData {
	const names = [...new Set(samples.map(({ scenario }) => scenario))];
	return {
		tool: { name: 'benchgate', version: '0.1.0' },
		createdAt: '2026-11-22T21:00:00.000Z',
		seed: 42,
		setup: {
			reference: 'node-http',
			timing: timingOfMeasure({}),
			preset: null,
			design: 'alternating',
			processes: 'own',
			afterwork: 'counted',
			scenarios: names.map((name) => ({
				...SCENARIO,
				name,
				description: `What ${name} exercises`,
				request: `GET /${name}`,
			})),
		},
		precision: 0.04,
		environment: {
			os: 'Linux #1 SMP',
			kernel: '6.1.0',
			cpuModel: 'Example CPU',
			cpus: 2,
			memoryBytes: 4e9,
			node: '24.1.0',
			loadAverage: 0.1,
			pinning: 'servers on CPU 0, generator on CPU 1',
		},
		servers,
		unmeasured: [],
		samples,
		warnings: [],
		ended: 'decided',
		reproduce: 'npx benchgate measure --server koa,express --seed 42',
		...changes,
	};
}
