/** How long the trend takes: `node benchmarks/trend.ts`. 500 commits × 100 rows, twelve eras, steps, outliers and gaps. */
import { performance } from 'node:perf_hooks';
import { trendOf } from '../src/trend/trend-of.ts';
import { syntheticRecords } from '../test/support/baselines/records.ts';

for (const [commits, cells] of [
	[60, 10],
	[500, 100],
	[5000, 6],
] as const) {
	const records = syntheticRecords({
		...{ seed: 1, commits, cells, eras: 12, outliers: 0.03, failed: 0.02, environments: 2 },
		steps: [
			{ commit: Math.floor(commits / 3), size: -0.03 },
			{ commit: Math.floor(commits / 2), size: 0.02 },
		],
	});
	const began = performance.now();
	const used = process.cpuUsage();
	const { rows } = trendOf(records);
	const seconds = (performance.now() - began) / 1000;
	const cpu = process.cpuUsage(used).user / 1e6;
	const changes = rows.reduce((sum, row) => sum + row.changes.length, 0);
	process.stdout.write(
		`${commits} commits × ${cells} rows: ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU time, ${changes} change points\n`,
	);
}
