import {
	type Anchor,
	BASELINE_SCHEMA_VERSION,
	type BaselineCell,
	type BaselineCommit,
	type BaselineRecord,
} from '../../../src/types/baseline.ts';
import type { Environment } from '../../../src/types/result.ts';

export const MACHINE: Environment = {
	os: 'Linux',
	kernel: '6.8.0-1021-azure',
	cpuModel: 'AMD EPYC 7763 64-Core Processor',
	cpus: 4,
	memoryBytes: 16 * 2 ** 30,
	node: '24.11.0',
	loadAverage: 0.42,
	pinning: 'servers on CPU 2, generator on CPU 3',
};

/** Returns the `n`-th commit of an invented main branch. */
export function commitOf(n: number): BaselineCommit {
	const sha = hashOf(n);
	return {
		sha,
		label: `main@${sha.slice(0, 7)}`,
		parent: n === 0 ? null : hashOf(n - 1),
		position: n,
		committedAt: new Date(Date.UTC(2026, 9, 1) + n * 86_400_000).toISOString(),
		title: `Change number ${n}`,
		author: 'Ann',
	};
}

/** Returns the `n`-th commit as an anchor, by default a release `v1.N.0`. */
export function anchorOf(n: number, kind: Anchor['kind'] = 'release'): Anchor {
	const { sha, label } = commitOf(n);
	return { sha, label: kind === 'release' ? `v1.${n}.0` : label, kind };
}

/** Returns a row of `express/ping` in throughput at `theta` ± 2 × `se`. */
export function levelCell(theta: number | null, changes: Partial<BaselineCell> = {}): BaselineCell {
	const se = theta === null ? null : 0.005;
	return {
		server: 'express',
		scenario: 'ping',
		metric: 'throughput',
		theta,
		se,
		low: theta === null ? null : theta - 0.01,
		high: theta === null ? null : theta + 0.01,
		rounds: theta === null ? 0 : 12,
		roundSd: theta === null ? null : 0.02,
		lag1: theta === null ? null : 0.1,
		judgedBy: 'throughput',
		verdict: theta === null ? 'invalid' : 'unchanged',
		threshold: 0.05,
		solo: { throughput: 21_345.6, cpuPerRequest: 45.25, latencyP50: 0.4, memoryPeak: 81e6, windows: 3 },
		reference: { throughput: 52_000, cpuPerRequest: 18.5, latencyP50: 0.2, memoryPeak: 60e6, windows: 4 },
		...(theta !== null && { ofReference: { value: 0.4105, low: 0.392, high: 0.43, rounds: 4 } }),
		warnings: [],
		...changes,
	};
}

/** Returns a level of the `n`-th commit against `anchor`; a number is the theta of its only row. */
export function levelOfCommit(
	n: number,
	anchor: Anchor,
	cells: number | readonly BaselineCell[] = 0,
	changes: Partial<BaselineRecord> = {},
): BaselineRecord {
	const commit = commitOf(n);
	return {
		schemaVersion: BASELINE_SCHEMA_VERSION,
		kind: 'benchgate-baseline',
		tool: { name: 'benchgate', version: '1.2.3' },
		purpose: 'level',
		createdAt: commit.committedAt,
		run: { id: `${1000 + n}`, attempt: 1, url: `https://github.com/acme/api/actions/runs/${1000 + n}` },
		commit,
		anchor,
		environmentId: '0123abcd',
		environment: MACHINE,
		harness: null,
		subjectDigest: `digest-${n}`,
		seed: 7,
		ended: 'decided',
		accepted: null,
		cells: typeof cells === 'number' ? [levelCell(cells)] : cells,
		warnings: [],
		reproduce: `npx benchgate baseline --anchor ${anchor.label} --head ${commit.sha} --seed 7`,
		...changes,
	};
}

function hashOf(n: number): string {
	return (n + 0xa1b2c3)
		.toString(16)
		.padStart(7, '0')
		.padEnd(40, String(n % 10));
}
