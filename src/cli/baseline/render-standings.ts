/** `benchgate baseline list --rows`: where each row stands. */
import { isDrifted } from '../../judge/baseline/drift.ts';
import { changeOf } from '../../stats/estimate.ts';
import { alignColumns } from '../../text/align-columns.ts';
import { CHANGE_STATE_WORDS, PLACE_WORDS } from '../../text/change-states.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatChange, formatInterval, INTERVAL_95 } from '../../text/numbers.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import type { ChangePoint, RowTrend, Trend } from '../../types/trend.ts';
import { newestFirst } from './render-baselines.ts';

/** How often the threshold a drop must be to be drift, unless a config says otherwise. */
const DRIFT_THRESHOLDS = 2;

/**
 * Returns where each row stands against its last anchor, the slowest first, with its latest change, whether it has drifted, and
 * whether its newest measurement failed, as a table for a terminal. Rows that were not measured against that anchor are counted below it.
 */
export function renderStandings({ rows, commits, eras }: Trend, records: readonly BaselineRecord[]): string {
	const standing = rows
		.flatMap((row) => (row.standing ? [{ row, standing: row.standing }] : []))
		.sort((a, b) => a.standing.theta - b.standing.theta);
	if (rows.length === 0) return 'There are no baselines yet. Measure one: benchgate baseline\n';
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

/** Of the latest record that has the row. */
function thresholdOf({ server, scenario, metric }: RowTrend, records: readonly BaselineRecord[]): number {
	const cells = newestFirst(records).flatMap((record) => (record.purpose === 'level' ? record.cells : []));
	const own = cells.find((cell) => cell.server === server && cell.scenario === scenario && cell.metric === metric);
	return own?.threshold ?? 0;
}
