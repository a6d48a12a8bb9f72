/** What does it cost to ask for help? `benchgate --help` beside an empty Node process, in turn, medians and ratio. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';

const ROUNDS = 21;
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

function time(args: readonly string[]): number {
	const start = performance.now();
	const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
	if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
	return performance.now() - start;
}

const empty: number[] = [];
const help: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
	empty.push(time(['-e', '']));
	help.push(time([CLI, '--help']));
}
const ratio = median(help.map((one, index) => one / (empty[index] ?? Number.NaN)));
console.log(
	`empty Node process ${median(empty).toFixed(0)} ms, benchgate --help ${median(help).toFixed(0)} ms (medians of ${ROUNDS}, in turn)`,
);
console.log(`ratio ${ratio.toFixed(2)} (median of pairs; aim: at most 3)`);
