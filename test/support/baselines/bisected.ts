import type { Bisected, NamedCommit } from '../../../src/types/trend.ts';

export const NAMED: NamedCommit = {
	before: 'a'.repeat(40),
	commit: 'b'.repeat(40),
	skipped: 0,
	title: 'Copy <headers> twice',
	probability: 0.993,
	judgedBy: 'throughput',
	change: -0.041,
	low: -0.052,
	high: -0.03,
	rounds: 14,
};

/** Returns the result of bisecting `koa/ping`. */
export function bisectedWith(named: Partial<NamedCommit>, rest: Partial<Bisected> = {}): Bisected {
	return {
		...{ schemaVersion: 1, kind: 'benchgate-bisected', tool: { name: 'benchgate', version: '1.2.3' } },
		createdAt: '2026-03-01T05:00:00.000Z',
		run: { id: '4242', attempt: 1, url: 'https://github.com/o/r/actions/runs/4242' },
		...{ server: 'koa', scenario: 'ping', metric: 'throughput' },
		...{ good: 'a'.repeat(40), bad: 'c'.repeat(40), step: -0.042 },
		named: { ...NAMED, ...named },
		...rest,
	};
}
