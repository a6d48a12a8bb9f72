import { type BaselineCell, type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { MetricName } from '../types/metric.ts';

/** The figure of one row in one run. */
export interface Measurement {
	readonly record: BaselineRecord;
	readonly cell: BaselineCell;
	readonly commit: string;
	readonly anchor: string;
	readonly figure: Figure | null;
}

export interface Figure {
	readonly theta: number;
	readonly se: number;
}

export interface RowMeasurements {
	readonly cell: string;
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	readonly all: readonly Measurement[];
}

/** Timers resolve no smaller error. */
const LEAST_SE = 1e-6;

/** Returns measurements by row (server, scenario, metric), without duplicate records. */
export function measurementsByRow(records: readonly BaselineRecord[]): RowMeasurements[] {
	const rows = new Map<string, { readonly first: BaselineCell; readonly all: Measurement[] }>();
	const seen = new Set<string>();
	for (const record of records.toSorted((a, b) => compareText(a.createdAt, b.createdAt))) {
		const commit = commitKey(record.commit);
		const anchor = commitKey(record.anchor);
		const name = [record.run.id, record.run.attempt, record.purpose, commit, anchor, record.createdAt].join('\n');
		if (seen.has(name)) continue;
		seen.add(name);
		for (const cell of record.cells) {
			const key = `${cell.server}/${cell.scenario}\n${cell.metric}`;
			const row = rows.get(key) ?? { first: cell, all: [] };
			rows.set(key, row);
			row.all.push({ record, cell, commit, anchor, figure: figureOf(cell) });
		}
	}
	return [...rows]
		.sort(([a], [b]) => compareText(a, b))
		.map(
			([
				,
				{
					first: { server, scenario, metric },
					all,
				},
			]) => {
				return { cell: `${server}/${scenario}`, server, scenario, metric, all };
			},
		);
}

/** Returns the mean weighted by inverse variance; null without figures. */
export function poolFigures(figures: readonly Figure[]): Figure | null {
	if (figures.length === 0) return null;
	const weights = figures.map(({ se }) => 1 / se ** 2);
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const theta = figures.reduce((sum, figure, index) => sum + figure.theta * (weights[index] as number), 0) / total;
	return { theta, se: 1 / Math.sqrt(total) };
}

function figureOf({ theta, se }: BaselineCell): Figure | null {
	if (theta === null || se === null || !Number.isFinite(theta) || !Number.isFinite(se)) return null;
	return { theta, se: Math.max(se, LEAST_SE) };
}

export function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
