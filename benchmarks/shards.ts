/**
 * How often is a matrix in shards red at the limit, and which drops does it find? With one family over all shards, as
 * gathering decides, and with one family per shard, as separate jobs do. Prints the tables of decision 0048 line by
 * line, with exact 95 % intervals, and its progress on stderr. The environment sets CELLS rows (default 12) and RUNS
 * runs of each line (default 1,000). Everything follows from the seed.
 */
import { clopperPearson } from '../src/stats/distributions.ts';
import { SHARP, type Trial, USUAL } from '../test/simulation/runs.ts';
import { type Family, type ShardTally, simulateShards } from '../test/simulation/shard-runs.ts';

const SEED = 2026;
const RUNS = Number(process.env.RUNS ?? 1_000);
const CELLS = Number(process.env.CELLS ?? 12);
/** Between two progress messages. */
const QUIET_MS = 10_000;

const LINES: readonly (readonly [number, Family])[] = [
	[1, 'together'],
	[4, 'together'],
	[12, 'together'],
	[4, 'apart'],
	[12, 'apart'],
];
const COUNTS = [1, 4, 12];
const ALL = (LINES.length + COUNTS.length) * RUNS;

const began = performance.now();
let before = 0;
let lastReport = began;

console.log('| shards | families | red at the limit | 95 % interval | verdicts changed when shards were gathered |');
console.log('| ---: | --- | ---: | ---: | ---: |');
for (const [of, family] of LINES) {
	const at = run({ drop: SHARP.threshold, ...SHARP }, of, family);
	const { low, high } = clopperPearson(at.redGates, at.runs);
	const red = [at.redGates / at.runs, low, high].map((share) => (100 * share).toFixed(1));
	const [families, changed] = family === 'together' ? ['one', at.takenBack] : ['one a shard', '–'];
	console.log(`| ${of} | ${families} | ${red[0]} % | ${red[1]} to ${red[2]} % | ${changed} |`);
}

console.log(`\n| shards | found of ${CELLS} at −6 % | rounds a row | verdicts changed when shards were gathered |`);
console.log('| ---: | ---: | ---: | ---: |');
for (const of of COUNTS) {
	const at = run({ drop: 0.06, ...USUAL }, of, 'together');
	const [found, rounds] = [at.regressed / at.runs, at.rounds / at.rows];
	console.log(`| ${of} | ${found.toFixed(2)} | ${rounds.toFixed(1)} | ${at.takenBack} |`);
}
const [rows, seconds] = [ALL * CELLS, (performance.now() - began) / 1000];
console.error(`${ALL} runs, ${rows} rows in ${inMinutes(seconds)}`);

function run(trial: Omit<Trial, 'law' | 'cells'>, of: number, family: Family): ShardTally {
	const tally = simulateShards({ law: 'normal', cells: CELLS, ...trial }, of, family, RUNS, SEED, (done) => {
		const now = performance.now();
		if (now - lastReport < QUIET_MS) return;
		lastReport = now;
		const seconds = ((now - began) / 1000 / (before + done)) * (ALL - before - done);
		const families = family === 'together' ? 'one family' : 'a family each';
		console.error(`${of} shards, ${families}: ${done} of ${RUNS} runs; about ${inMinutes(seconds)} left in all`);
	});
	before += RUNS;
	return tally;
}

function inMinutes(seconds: number): string {
	return `${(seconds / 60).toFixed(1)} min`;
}
