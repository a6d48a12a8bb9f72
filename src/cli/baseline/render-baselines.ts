/** Terminal output of the baseline commands. */
import type { UnreadFile } from '../../formats/baseline/baseline-file.ts';
import { IMPORTED } from '../../formats/baseline/imported-record.ts';
import { isDrifted } from '../../judge/baseline/drift.ts';
import { changeOf } from '../../stats/estimate.ts';
import { CHANGE_STATE_WORDS, PLACE_WORDS } from '../../text/change-states.ts';
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
import { alignColumns } from '../../text/wrap.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { isFullHash, REFERENCE_SERVER } from '../../types/shared-names.ts';
import type { ChangePoint, RowTrend, Trend } from '../../types/trend.ts';

/** Default drift threshold, as a multiple of the threshold. */
const DRIFT_THRESHOLDS = 2;

/** Renders a table, newest first. `older` is the number of further records. */
export function renderBaselineList(records: readonly BaselineRecord[], older: number): string {
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

/** Only hashes and a number: a record's texts may come from measured code. */
function describeRepeat({ anchor, commit, seed, tool }: BaselineRecord): string {
	if (tool.version === IMPORTED) return 'imported: another tool measured it';
	if (!isFullHash(anchor.sha ?? '') || !isFullHash(commit.sha ?? '')) return 'repeat it: the record names no commits';
	return `repeat it: npx benchgate baseline --anchor git:${anchor.sha} --head git:${commit.sha} --seed ${seed}`;
}

export function renderUnread(unread: readonly UnreadFile[], place: string): string {
	return unread
		.map(({ file, kind, why }) => `${place}: ${plainText(file, 300)} was left out: ${kind}, ${plainText(why, 300)}\n`)
		.join('');
}

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

/** Renders rows against their last anchor, slowest first. Counts rows not measured against that anchor. */
export function renderStandings({ rows, commits, eras }: Trend, records: readonly BaselineRecord[]): string {
	const standing = rows
		.flatMap((row) => (row.standing ? [{ row, standing: row.standing }] : []))
		.sort((a, b) => a.standing.theta - b.standing.theta);
	if (rows.length === 0) {
		return `No row of ${countOf(records.length, 'baseline')} has a level: imported figures have none. Measure one: benchgate baseline --save\n`;
	}
	const lines = standing.map(({ row, standing: { theta, low, high, settled, place, failed, anchor } }) => {
		const drifted = isDrifted({ theta, high, settled }, DRIFT_THRESHOLDS * thresholdOf(row, records));
		const change = row.changes.at(-1);
		const words = [
			PLACE_WORDS[place],
			...(change ? [describeChange(change, row, commits)] : []),
			...(drifted ? ['drift'] : []),
			...(failed > 0 ? [`newest ${failed === 1 ? 'measurement' : `${failed} measurements`} failed`] : []),
		];
		return [
			plainText(row.cell, NAME_LIMIT),
			row.metric,
			formatChange(changeOf(row.metric, theta)),
			formatInterval(endsOf(row.metric, low, high)),
			plainText(anchor.label, NAME_LIMIT),
			words.join('; '),
		];
	});
	const anchor = plainText(eras.at(-1)?.anchor.label ?? 'the last anchor', NAME_LIMIT);
	const others = rows.length - standing.length;
	return [
		...(standing.length === 0 ? [] : alignColumns([['row', 'metric', 'now', INTERVAL_95, 'since', 'state'], ...lines])),
		...(others === 0 ? [] : [`${countOf(others, 'row')} without a level against ${anchor}`]),
		'',
	].join('\n');
}

function endsOf(
	metric: RowTrend['metric'],
	low: number,
	high: number,
): { readonly low: number; readonly high: number } {
	const [one, other] = [changeOf(metric, low), changeOf(metric, high)];
	return { low: Math.min(one, other), high: Math.max(one, other) };
}

function describeChange(
	{ at, step, state }: ChangePoint,
	{ points, metric }: RowTrend,
	commits: Trend['commits'],
): string {
	const label = commits[points[at]?.commit ?? -1]?.label ?? '';
	return `changed by ${formatChange(changeOf(metric, step))} at ${plainText(label, NAME_LIMIT)}: ${CHANGE_STATE_WORDS[state]}`;
}

function thresholdOf({ server, scenario, metric }: RowTrend, records: readonly BaselineRecord[]): number {
	const cells = newestFirst(records).flatMap((record) => (record.purpose === 'level' ? record.cells : []));
	const rowCell = cells.find((cell) => cell.server === server && cell.scenario === scenario && cell.metric === metric);
	return rowCell?.threshold ?? 0;
}
