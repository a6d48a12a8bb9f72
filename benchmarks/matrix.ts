/**
 * Does the orchestrator of a ranking grow with the matrix? Scripted rounds as large as real ones, no server and no generator. Prints, by
 * number of servers, the heap that is in use at the end without garbage, what that is for each row and round, the log of it in a
 * folder of `--out`, and CPU time of the orchestrator for each pair of processes.
 * Options: --servers 3,12,48 --scenarios 12 --rounds 6 --windows 24
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataOf } from '../src/rank/read-log.ts';
import { summariseMeasure } from '../src/rank/summarise-measure.ts';
import { measurePairs } from '../src/runs/measure/measure-pairs.ts';
import { LOG_FILE, openMeasureStore } from '../src/runs/measure/measure-store.ts';
import { scriptMatrix } from '../test/support/scripted-matrix.ts';

const { values: flags } = parseArgs({
	options: {
		servers: { type: 'string', default: '3,12,48' },
		scenarios: { type: 'string', default: '12' },
		rounds: { type: 'string', default: '6' },
		windows: { type: 'string', default: '24' },
	},
});
const [scenarios, rounds, windows] = [flags.scenarios, flags.rounds, flags.windows].map(Number) as [
	number,
	number,
	number,
];
const { gc } = globalThis;
if (gc === undefined) throw new Error('run it with node --expose-gc');

/** Bytes in use without garbage. */
function heap(): number {
	for (let time = 0; time < 3; time++) gc?.();
	return process.memoryUsage().heapUsed;
}

const table = [];
for (const servers of flags.servers.split(',').map(Number)) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-matrix-'));
	try {
		const before = heap();
		const { header, session, groups, laboratory } = scriptMatrix({ servers, scenarios, windows });
		const store = await openMeasureStore(folder, header);
		await store.append(session);
		const rule = { precision: 0.04, rounds: { fewest: rounds, most: rounds }, progress: { step() {}, status() {} } };
		const { signal } = new AbortController();
		const began = process.cpuUsage();
		await measurePairs(groups, () => laboratory, store, { ...rule, signal, clock: () => 0 });
		const { user, system } = process.cpuUsage(began);
		const used = heap() - before;
		const asked = process.cpuUsage();
		const { rows } = summariseMeasure(dataOf(store.log()));
		const summarising = process.cpuUsage(asked);
		const turns = servers * scenarios * rounds;
		table.push({
			servers,
			rows: rows.length,
			rounds,
			'heap, MB': Number((used / 1e6).toFixed(1)),
			'heap a row and round, KB': Number((used / turns / 1e3).toFixed(2)),
			'log, MB': Number((statSync(join(folder, LOG_FILE)).size / 1e6).toFixed(1)),
			'CPU a pair, ms': Number(((user + system) / 1e3 / (servers * rounds)).toFixed(1)),
			'CPU of the result, ms': Number(((summarising.user + summarising.system) / 1e3).toFixed(0)),
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
console.table(table);
console.log(`${scenarios} scenarios, ${windows} windows a turn; CPU a pair has the making of scripted rounds in it.`);
