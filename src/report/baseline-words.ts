import { placeOf } from '../judge/baseline/drift.ts';
import { changeOf } from '../stats/estimate.ts';
import { NAME_LIMIT, plainText, shellWord } from '../text/escape.ts';
import { countOf, formatChange, formatInterval, formatPercent } from '../text/numbers.ts';
import { type Phrase, phrase } from '../text/phrase.ts';
import type { Anchor, BaselineCell, BaselineRecord, BaselineRun } from '../types/baseline.ts';
import { METRICS } from '../types/metric.ts';
import type { Place } from '../types/trend.ts';
import type { Interval } from '../types/verdict.ts';

/** `broken`: nothing could be measured. */
export type BaselineStanding = Place | 'unchanged' | 'broken' | 'interrupted';

export interface PlacedRow {
	/** Figures of this run. */
	readonly measured: BaselineCell;
	/** Figures combined with earlier baselines; while the level is unsettled, those of this run. */
	readonly cell: BaselineCell;
	readonly place: Place;
}

/** Returns a row's change and 95 % interval, in the metric's sign. */
export function changeOfCell({ theta, low, high, judgedBy }: BaselineCell): {
	readonly change: number | null;
	readonly interval: Pick<Interval, 'low' | 'high'> | null;
} {
	const as = (d: number | null) => (d === null ? null : changeOf(judgedBy, d));
	if (theta === null) return { change: null, interval: null };
	const [one, other] = [as(low), as(high)];
	const turned = METRICS[judgedBy].better === 'lower';
	return { change: as(theta), interval: turned ? { low: other, high: one } : { low: one, high: other } };
}

/** The first of these places that any row has is the run's. */
const ORDER: readonly Place[] = ['below', 'unsettled', 'unsure', 'above'];

/** Returns the standing of a run; one row surely below the anchor decides it. */
export function standingOf(run: BaselineRun): BaselineStanding {
	const level = levelIn(run);
	if (level === undefined) return run.unchanged ? 'unchanged' : run.interrupted ? 'interrupted' : 'broken';
	const places = placedRows(run).map(({ place }) => place);
	if (places.length === 0) return run.interrupted ? 'interrupted' : 'broken';
	return ORDER.find((place) => places.includes(place)) ?? 'level';
}

export function levelIn({ records }: Pick<BaselineRun, 'records'>): BaselineRecord | undefined {
	return records.find(({ purpose }) => purpose === 'level');
}

export function describeStanding(run: BaselineRun): Phrase {
	const [main, anchor] = [nameOf(run.head.label), nameOf(run.anchor.label)];
	const level = levelIn(run);
	const rows = placedRows(run);
	const all = countOf(level?.cells.length ?? 0, 'row');
	const standing = standingOf(run);
	switch (standing) {
		case 'unchanged':
			return phrase`Nothing to measure: ${main} is the same code as the commit that was last measured against ${anchor}.`;
		case 'interrupted':
			return phrase`The run was stopped too early: nothing is known of ${main} yet.`;
		case 'broken':
			return phrase`Nothing could be measured of ${main} against ${anchor}.`;
		case 'level':
			return phrase`${main} is as fast as ${anchor}: ${describeFarthest(rows)}.`;
		case 'unsure': {
			const wide = widestOf(rows.filter(({ place }) => place === 'unsure'));
			const limit = formatPercent(wide.cell.threshold);
			return phrase`It is not clear whether ${main} is slower than ${anchor} by ${limit} or more. Least sure: ${nameRow(wide)}, ${strongChange(wide)}.`;
		}
		case 'unsettled': {
			const moved = rows.filter(({ place }) => place === standing);
			const farthest = extremeOf(moved);
			const which = moved.length === 1 ? nameRow(farthest) : phrase`most of all ${nameRow(farthest)}`;
			return phrase`${main} was measured at another level than before in ${String(moved.length)} of ${all}: ${which}, ${strongChange(farthest)} against ${anchor}. One baseline does not settle it: it may be an outlier.`;
		}
		case 'below':
		case 'above': {
			const moved = rows.filter(({ place }) => place === standing);
			const farthest = extremeOf(moved);
			const how = standing === 'below' ? 'slower' : 'faster';
			const which = moved.length === 1 ? nameRow(farthest) : phrase`most of all ${nameRow(farthest)}`;
			return phrase`${main} is ${how} than ${anchor} in ${String(moved.length)} of ${all}: ${which}, ${strongChange(farthest)}.`;
		}
	}
}

export function nameRow({ cell }: Pick<PlacedRow, 'cell'>): Phrase {
	return [{ code: plainText(`${cell.server}/${cell.scenario}`, 2 * NAME_LIMIT) }];
}

export function describeNext(run: BaselineRun): Phrase | null {
	const standing = standingOf(run);
	if (standing === 'broken') return ['Fix what failed (see below), then run again.'];
	if (standing === 'unsure') return ['Use a larger budget, or a quieter machine.'];
	if (standing === 'unsettled') return ['Wait for the next baseline, which shows whether it lasts.'];
	if (standing !== 'below') return null;
	const open = placedRows(run).filter(
		({ place, cell: { server, scenario } }) =>
			place === 'below' && !run.acceptedRows?.includes(`${server}/${scenario}`),
	);
	if (open.length === 0) return ['Nothing to do: these slowdowns were accepted (see the notes).'];
	const { cell } = extremeOf(open);
	const [good, bad] = [run.anchor.label, run.head.sha?.slice(0, 7) ?? run.head.label];
	const words = ['npx', 'benchgate', 'bisect', '--good', good, '--bad', bad, '--scenario', cell.scenario];
	const code = words.map((word) => shellWord(plainText(word, NAME_LIMIT))).join(' ');
	return phrase`Find the commit: ${{ code }}. The baseline is stored all the same.`;
}

export function describeRow({ cell }: Pick<PlacedRow, 'cell'>, anchor: Anchor): string {
	const { change, interval } = changeOfCell(cell);
	const name = plainText(`${cell.server}/${cell.scenario}`, 2 * NAME_LIMIT);
	return `${name}: ${formatChange(change)} ${formatInterval(interval)} ${unitWord(cell)} since ${plainText(anchor.label, NAME_LIMIT)}.`;
}

/** Returns a label as code, which GitHub leaves as it is. */
export function nameOf(label: string): Phrase {
	return [{ code: plainText(label, NAME_LIMIT) }];
}

/** Returns the row's unit for use in a sentence. */
export function unitWord({ judgedBy }: Pick<BaselineCell, 'judgedBy'>): string {
	return judgedBy === 'throughput' ? 'requests/s' : METRICS[judgedBy].label;
}

export function placedRows(run: Pick<BaselineRun, 'records' | 'rows'>): readonly PlacedRow[] {
	return (levelIn(run)?.cells ?? []).flatMap((measured): PlacedRow[] => {
		const row = run.rows.find(
			({ server, scenario, metric }) =>
				server === measured.server && scenario === measured.scenario && metric === measured.metric,
		);
		if (measured.theta === null || row === undefined) return [];
		const { theta, low, high, settled = true } = row;
		const place = placeOf({ theta, low, high, settled, threshold: measured.threshold });
		return [{ measured, cell: settled ? { ...measured, theta, low, high } : measured, place }];
	});
}

function describeFarthest(rows: readonly PlacedRow[]): Phrase {
	const farthest = extremeOf(rows);
	return phrase`the largest difference is ${strongChange(farthest)} in ${nameRow(farthest)}`;
}

function strongChange({ cell }: PlacedRow): Phrase {
	const { change, interval } = changeOfCell(cell);
	return [{ strong: formatChange(change) }, ` ${formatInterval(interval)} ${unitWord(cell)}`];
}

function widestOf(rows: readonly PlacedRow[]): PlacedRow {
	return rows.toSorted((one, other) => (one.cell.low ?? 0) - (other.cell.low ?? 0))[0] as PlacedRow;
}

function extremeOf(rows: readonly PlacedRow[]): PlacedRow {
	const sorted = rows.toSorted((one, other) => Math.abs(other.cell.theta ?? 0) - Math.abs(one.cell.theta ?? 0));
	return sorted[0] as PlacedRow;
}
