/** What the commands about baselines print. */
import type { UnreadFile } from '../../formats/baseline/baseline-file.ts';
import { IMPORTED } from '../../formats/baseline/exchange/imported-record.ts';
import { alignColumns } from '../../text/align-columns.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import {
	countOf,
	formatChange,
	formatCount,
	formatInterval,
	formatMoment,
	formatShare,
	INTERVAL_95,
	NONE,
} from '../../text/numbers.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { isFullHash } from '../../types/identifiers.ts';
import { REFERENCE_SERVER } from '../../types/reference-server.ts';

/** Returns the records in a table, newest first. `older`: how many more the store has. */
export function renderBaselineList(records: readonly BaselineRecord[], older: number): string {
	if (records.length === 0 && older === 0) return 'There are no baselines yet. Measure one: benchgate baseline\n';
	const rows = newestFirst(records).map((record) => [
		formatMoment(record.createdAt),
		plainText(record.commit.label, NAME_LIMIT),
		record.purpose === 'level'
			? `since ${plainText(record.anchor.label, NAME_LIMIT)}`
			: `${record.purpose} to ${plainText(record.anchor.label, NAME_LIMIT)}`,
		describeLowest(record),
		plainText(record.commit.title, NAME_LIMIT),
	]);
	const more =
		older > 0 ? [`  and ${countOf(older, 'older baseline')}; --limit ${records.length + older} shows all`] : [];
	return `${[...alignColumns([['measured', 'commit', 'against', 'lowest row', 'title'], ...rows]), ...more].join('\n')}\n`;
}

/** Returns everything about the records of one commit. */
export function renderBaseline(records: readonly BaselineRecord[]): string {
	return newestFirst(records).map(renderOne).join('\n');
}

function renderOne(record: BaselineRecord): string {
	const { commit, anchor, environment, cells, tool } = record;
	const rows = cells.map((cell) => [
		`${cell.server}/${cell.scenario}`,
		cell.metric,
		formatLevel(cell.theta),
		cell.low === null || cell.high === null
			? NONE
			: formatInterval({ low: Math.expm1(cell.low), high: Math.expm1(cell.high) }),
		cell.solo?.throughput == null ? NONE : formatCount(cell.solo.throughput),
		formatShare(cell.ofReference ?? null),
		String(cell.rounds),
		cell.verdict,
	]);
	return [
		`${plainText(commit.label, NAME_LIMIT)}  ${plainText(commit.title, NAME_LIMIT)}`,
		`  measured ${formatMoment(record.createdAt)} against ${plainText(anchor.label, NAME_LIMIT)} (${record.purpose})`,
		`  ${plainText(environment.cpuModel, NAME_LIMIT)}, ${countOf(environment.cpus, 'CPU')}, Node ${plainText(environment.node, NAME_LIMIT)}, benchgate ${plainText(tool.version, NAME_LIMIT)}`,
		'',
		...alignColumns([
			['row', 'metric', 'change', INTERVAL_95, 'requests/s', `of ${REFERENCE_SERVER}`, 'rounds', 'verdict'],
			...rows,
		]),
		...record.warnings.map(({ message }) => `  note: ${plainText(message, 400)}`),
		`  ${describeRepeat(record)}`,
		'',
	].join('\n');
}

/** Built from hashes and a number only: the texts of a record may come from the measured code. */
function describeRepeat({ anchor, commit, seed, tool }: BaselineRecord): string {
	if (tool.version === IMPORTED) return 'imported: another tool measured it';
	if (!isFullHash(anchor.sha ?? '') || !isFullHash(commit.sha ?? '')) return 'repeat it: the record names no commits';
	return `repeat it: npx benchgate baseline --anchor git:${anchor.sha} --head git:${commit.sha} --seed ${seed}`;
}

/** Returns a line for each file that is no record, for standard error. */
export function renderUnread(unread: readonly UnreadFile[], place: string): string {
	return unread
		.map(({ file, kind, why }) => `${place}: ${plainText(file, 300)} was left out: ${kind}, ${plainText(why, 300)}\n`)
		.join('');
}

/** Returns the records with the newest first. */
export function newestFirst(records: readonly BaselineRecord[]): readonly BaselineRecord[] {
	return records.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

function describeLowest({ cells }: BaselineRecord): string {
	const measured = cells.filter(({ theta }) => theta !== null);
	const [lowest] = measured.toSorted((a, b) => (a.theta ?? 0) - (b.theta ?? 0));
	return lowest ? `${formatLevel(lowest.theta)} ${lowest.server}/${lowest.scenario}` : 'nothing measured';
}

function formatLevel(theta: number | null): string {
	return formatChange(theta === null ? null : Math.expm1(theta));
}
