import type { Plan } from '../../src/types/plan.ts';
import { RAW_SCHEMA_VERSION, type Raw, type RevisionInfo } from '../../src/types/result.ts';
import type { Round } from '../../src/types/round.ts';

function revision(label: string): RevisionInfo {
	return { revision: label, kind: 'git', label, versions: {} };
}

export function rawOf(plan: Plan, rounds: readonly Round[], changes: Partial<Raw> = {}): Raw {
	return {
		schemaVersion: RAW_SCHEMA_VERSION,
		kind: 'benchgate-raw',
		context: {
			tool: { name: 'benchgate', version: '0.0.0' },
			createdAt: '2026-01-01T00:00:00.000Z',
			threshold: 0.05,
			tolerance: 0.025,
			onInconclusive: 'pass',
			base: revision('main'),
			head: revision('topic'),
			environment: {
				os: 'Linux',
				kernel: '6',
				cpuModel: 'CPU',
				cpus: 2,
				memoryBytes: 8e9,
				node: 'v24.0.0',
				loadAverage: 0.1,
				pinning: 'servers on CPU 0, generator on CPU 1',
			},
			warnings: [{ code: 'prepared', message: 'Something about preparing.' }],
			reproduce: 'benchgate compare',
		},
		plan,
		rounds,
		refused: [],
		ended: 'decided',
		timing: {
			totalSeconds: 60,
			measuringSeconds: 50,
			loadSeconds: 40,
			roundsRun: rounds.length,
			orchestratorPeakBytes: 1e8,
		},
		...changes,
	};
}
