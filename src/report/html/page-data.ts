import { METRICS } from '../../types/metric.ts';
import type { ChartData } from '../../types/result.ts';
import type { Report } from '../compare/report-model.ts';
import type { Row } from '../compare/rows.ts';
import type { PageCell, PageData } from './page/data.ts';

/** Returns what the charts are drawn from. Changes are turned so that negative is worse for every metric, like spans. */
export function pageData(report: Report, charts: ChartData): PageData {
	const several = new Set(report.rows.map(({ cell }) => cell.metric)).size > 1;
	return { scale: report.scale, cells: report.rows.map((row) => pageCell(row, several, charts)) };
}

function pageCell(row: Row, several: boolean, charts: ChartData): PageCell {
	const { name } = row;
	const turned = METRICS[row.cell.judgedBy].better === 'lower';
	const rounds = ownOf(charts.rounds, row.id) ?? [];
	return {
		label: several ? `${name}, ${row.metric}` : name,
		metric: row.metric,
		verdict: row.verdict,
		turned,
		change: row.change,
		interval: row.interval,
		span: row.span,
		threshold: row.cell.threshold,
		tolerance: row.cell.tolerance,
		rounds: rounds.map(({ round, startedAt, change, discarded }) => ({
			round,
			startedAt,
			discarded,
			change: turned ? 1 / (1 + change) - 1 : change,
		})),
		latency: ownOf(charts.latency, row.id) ?? null,
	};
}

/** A cell may be called `constructor`. */
function ownOf<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
	return Object.hasOwn(record, key) ? record[key] : undefined;
}
