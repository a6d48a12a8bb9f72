import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatDuration } from '../text/numbers.ts';
import { type Phrase, phrase } from '../text/phrase.ts';
import type { ShardRun } from '../types/result.ts';
import type { Row } from './compare/rows.ts';

export const STATES: Readonly<Record<Exclude<ShardRun['state'], 'complete'>, string>> = {
	missing: 'left no measurement',
	'cut-off': 'was cut off before its end',
};

export function describeMachines(shards: readonly ShardRun[]): { readonly label: string; readonly value: Phrase }[] {
	return shards.map((run) => ({ label: `Shard ${run.shard}`, value: describeMachineOf(run) }));
}

function describeMachineOf({ state, cells, environment, timing, attempt = 1 }: ShardRun): Phrase {
	const cellCount = countOf(cells.length, 'cell');
	if (state !== 'complete' || environment === undefined || timing === undefined) {
		return [`${STATES[state === 'complete' ? 'missing' : state]}; ${cellCount}`];
	}
	const model = { text: plainText(environment.cpuModel, NAME_LIMIT) };
	const pinning = { text: plainText(environment.pinning, MESSAGE_LIMIT) };
	const again = attempt > 1 ? `, attempt ${attempt}` : '';
	const run = `${cellCount} in ${countOf(timing.roundsRun, 'round')}, ${formatDuration(timing.totalSeconds)}${again}`;
	return phrase`${run}; ${model}, ${countOf(environment.cpus, 'CPU')}, ${pinning}`;
}

export interface ServerRows {
	readonly server: string;
	readonly rows: readonly Row[];
	/** `8 rows, 1 regressed`. */
	readonly summary: string;
}

/** Returns the rows by server; null if there was only one machine. */
export function groupByServer(rows: readonly Row[]): readonly ServerRows[] | null {
	if (rows.every(({ cell }) => cell.shard === undefined)) return null;
	return [...Map.groupBy(rows, ({ server }) => server)].map(([server, serverRows]) => ({
		server,
		rows: serverRows,
		summary: summaryOf(serverRows),
	}));
}

function summaryOf(rows: readonly Row[]): string {
	const counts = Map.groupBy(rows, ({ verdict }) => verdict);
	const verdicts = [...counts].map(([verdict, verdictRows]) => `${verdictRows.length} ${verdict}`);
	return [countOf(rows.length, 'row'), ...verdicts].join(', ');
}

/** Returns the shards that left these rows undecided. */
export function missingShards(rows: readonly Row[]): readonly number[] {
	const open = rows.filter(isShardMissing);
	return [...new Set(open.flatMap(({ cell }) => cell.shard ?? []))].sort((a, b) => a - b);
}

/** Returns whether a row was not measured because its shard did not finish. */
export function isShardMissing({ cell }: Row): boolean {
	return cell.warnings.some(({ code }) => code === 'shard-missing');
}
