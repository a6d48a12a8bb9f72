/**
 * Measures the time of the trend for 500 commits × 100 rows with twelve eras, steps, outliers and gaps; and the share
 * of 300 histories of each kind whose rows have the right standing.
 * Options: --histories 300 (0 for none; the hundred rows take most of the time).
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { trendOf } from '../src/trend/trend-of.ts';
import { syntheticRecords } from '../test/support/baselines/records.ts';
import {
	afterReleasedStep,
	afterStep,
	type Share,
	slowerInQuietBranches,
	slowRowsFound,
} from '../test/support/baselines/standing-histories.ts';

const { values } = parseArgs({ options: { histories: { type: 'string', default: '300' } } });
const histories = Number(values.histories);
const say = (line: string) => process.stdout.write(`${line}\n`);

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
	say(
		`${commits} commits × ${cells} rows: ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU time, ${changes} change points`,
	);
}

const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`;
const describe = ({ slower, unsettled, covered }: Share) =>
	`slower ${slower}, not settled ${unsettled}, interval with the truth ${percent(covered, histories)}`;

if (histories > 0) {
	for (const change of [0.05, 0.1, -0.1]) {
		for (const after of [1, 2, 3, 5, 10]) {
			const share = afterReleasedStep(histories, Math.log1p(change), after);
			say(`a release of ${percent(change, 1)}, ${after} commits later, of ${histories}: ${describe(share)}`);
		}
	}
	for (const change of [-0.12, -0.05, 0.12]) {
		for (const count of [1, 2, 3, 4]) {
			const share = afterStep(histories, Math.log1p(change), count);
			say(`12 baselines, then ${count} at ${percent(change, 1)}, of ${histories}: ${describe(share)}`);
		}
	}
	const commits = Array.from({ length: 50 }, (_, index) => index + 1);
	const shares = slowRowsFound(histories).map((count) => percent(count, histories));
	say(`one of 24 rows got 5 % slower: found after one, two and three commits in ${shares.join(', ')}`);
	for (const cells of [6, 24, 100]) {
		const slower = slowerInQuietBranches(histories, cells, commits);
		const all = slower.reduce((sum, count) => sum + count, 0);
		const [end, each] = [percent(slower.at(-1) ?? 0, histories), percent(all, histories * commits.length)];
		say(`nothing changed, ${cells} rows: some row is slower at the end in ${end}, at all commits in ${each}`);
	}
}
