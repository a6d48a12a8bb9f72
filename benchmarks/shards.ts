/**
 * How often a matrix in shards is red at the limit, and what it finds: one family over all shards, as gathering decides, and one for
 * each, as separate jobs do. Prints a table; CELLS rows (12 unless told), RUNS runs of each line (1,000 unless told). Everything follows from the seed.
 */
import { SHARP, USUAL } from '../test/simulation/runs.ts';
import { type Family, simulateShards } from '../test/simulation/shard-runs.ts';

const SEED = 2026;
const RUNS = Number(process.env.RUNS ?? 1_000);
const CELLS = Number(process.env.CELLS ?? 12);

const LINES: readonly (readonly [number, Family])[] = [
	[1, 'together'],
	[4, 'together'],
	[12, 'together'],
	[4, 'apart'],
	[12, 'apart'],
];

console.log('| cells | shards | families | red at the limit | taken back |');
console.log('| ---: | ---: | --- | ---: | ---: |');
for (const [of, family] of LINES) {
	const at = simulateShards({ law: 'normal', cells: CELLS, drop: SHARP.threshold, ...SHARP }, of, family, RUNS, SEED);
	const red = `${((100 * at.redGates) / at.runs).toFixed(1)} %`;
	console.log(`| ${CELLS} | ${of} | ${family === 'together' ? 'one' : of} | ${red} | ${at.takenBack} |`);
}

console.log(`\n| shards | of ${CELLS} cells at −6 % found | rounds a cell | taken back |`);
console.log('| ---: | ---: | ---: | ---: |');
for (const count of [1, 4, 12]) {
	const at = simulateShards({ law: 'normal', cells: CELLS, drop: 0.06, ...USUAL }, count, 'together', RUNS, SEED);
	const [found, rounds] = [at.regressed / at.runs, at.rounds / at.rows];
	console.log(`| ${count} | ${found.toFixed(2)} | ${rounds.toFixed(2)} | ${at.takenBack} |`);
}
