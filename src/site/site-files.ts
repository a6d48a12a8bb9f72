import { studentQuantile } from '../stats/student-t.ts';
import { rowId } from '../text/dashboard-address.ts';
import { groupChanges } from '../trend/group-changes.ts';
import { type BaselineCommit, commitKey } from '../types/baseline.ts';
import type { NamedCommit, RowTrend, Trend, TrendPoint } from '../types/trend.ts';
import { renderBadge } from './badge.ts';
import {
	type NamedOnSite,
	SITE_VERSION,
	type SiteCell,
	type SiteChange,
	type SiteIndex,
	type SiteInfo,
	type SiteOverview,
	type SiteRow,
	type SiteShare,
} from './site-data.ts';
import { renderSitePage } from './site-page.ts';

export interface SiteFile {
	/** Relative to the dashboard's folder. */
	readonly path: string;
	readonly text: string;
}

export interface SiteAssets {
	readonly script: string;
	readonly style: string;
}

const OVERVIEW_COMMITS = 120;
const DIGITS = 1e5;
const FIGURE_DIGITS = 5;
const SHARE_DIGITS = 3;
const CONFIDENCE = 0.95;
/** Practically normal. */
const NORMAL_DF = 1e7;

/** Returns all files that the dashboard loads. */
export function siteFiles(trend: Trend, info: SiteInfo, assets: SiteAssets): readonly SiteFile[] {
	const cells = trend.rows.map((row) => cellOf(row, trend));
	const json = (path: string, value: unknown) => ({ path: `data/${path}`, text: `${JSON.stringify(value)}\n` });
	return [
		{ path: 'index.html', text: renderSitePage(info) },
		{ path: 'site.js', text: assets.script },
		{ path: 'site.css', text: assets.style },
		{ path: 'badge.svg', text: renderBadge(trend) },
		// Otherwise GitHub Pages runs Jekyll for minutes.
		{ path: '.nojekyll', text: '' },
		json('index.json', indexOf(trend, info)),
		json('overview.json', overviewOf(trend)),
		...trend.rows.map((row, index) => json(fileOf(row), cells[index])),
		json('all.json', { index: indexOf(trend, info), cells }),
	];
}

function indexOf(trend: Trend, { project, repository, measuredAt }: SiteInfo): SiteIndex {
	const { commits, eras, rows, environments, warnings } = trend;
	return {
		version: SITE_VERSION,
		project,
		repository,
		measuredAt,
		commits: {
			sha: commits.map(({ sha }) => sha),
			label: commits.map(({ label }) => label),
			title: commits.map(({ title }) => title),
			author: commits.map(({ author }) => author),
			at: commits.map(({ committedAt }) => Math.round(Date.parse(committedAt) / 1000)),
		},
		eras: eras.map(({ anchor, first, last }) => ({ anchor: anchor.label, sha: anchor.sha, first, last })),
		rows: rows.map(rowOf),
		changes: rows.flatMap(changesOf),
		groups: groupsOf(trend),
		reach: round(jointReach(rows.length)),
		environments,
		warnings: warnings.map(({ message }) => message),
	};
}

function rowOf(row: RowTrend): SiteRow {
	const { server, scenario, metric, standing, points, gaps } = row;
	const last = points.findLast(({ solo }) => solo?.throughput != null);
	return {
		id: rowId(row),
		server,
		scenario,
		metric,
		file: fileOf(row),
		standing: standing && {
			theta: round(standing.theta),
			low: round(standing.low),
			high: round(standing.high),
			baselines: standing.baselines,
			place: standing.place,
			mayBeSlower: standing.mayBeSlower,
			failed: standing.failed,
			since: standing.since,
		},
		rate: last?.solo?.throughput ?? null,
		ofReference: shareOf(last),
		tau: round(Math.sqrt(row.tau2)),
		points: points.length,
		gaps: gaps.length,
		inconclusive: points.filter(({ verdict }) => verdict === 'inconclusive').length,
	};
}

function fileOf({ server, scenario, metric }: RowTrend): string {
	return `c/${server}/${scenario}.${metric}.json`;
}

function changesOf({ points, changes }: RowTrend, row: number): SiteChange[] {
	return changes.map((change) => ({
		id: change.id,
		row,
		commit: points[change.at]?.commit ?? 0,
		candidates: change.candidates.map(
			({ commit, probability }) => [commit, Math.round(probability * 1000) / 1000] as const,
		),
		step: round(change.step),
		se: round(change.se),
		state: change.state,
		issue: change.note?.issue ?? null,
		...(change.note?.named && { named: namedOf(change.note.named) }),
	}));
}

function groupsOf(trend: Trend): SiteIndex['groups'] {
	const all = new Map(trend.rows.flatMap(({ changes }) => changes).map((change, index) => [change, index]));
	return groupChanges(trend, () => true).map(({ changes }) => changes.map(({ change }) => all.get(change) ?? 0));
}

/** Šidák 1967. */
function jointReach(rows: number): number {
	return -studentQuantile((1 - CONFIDENCE ** (1 / Math.max(1, rows))) / 2, NORMAL_DF);
}

function namedOf({ commit, title, probability }: NamedCommit): NamedOnSite {
	return { sha: commit, title, probability: Math.round(probability * 1000) / 1000 };
}

function overviewOf({ rows, commits }: Trend): SiteOverview {
	const from = commits.length - OVERVIEW_COMMITS;
	return {
		rows: rows.map((row) => {
			const offset = offsetOf(row);
			const points = row.points.filter(({ commit }) => commit >= from);
			return [
				differences(points.map(({ commit }) => commit)),
				differences(points.map(({ chained }) => Math.round((chained - offset) * 10_000))),
			] as const;
		}),
	};
}

function differences(values: readonly number[]): readonly number[] {
	return values.map((value, index) => value - (index === 0 ? 0 : (values[index - 1] ?? 0)));
}

function cellOf(row: RowTrend, { commits, eras }: Pick<Trend, 'commits' | 'eras'>): SiteCell {
	const { points, segments, gaps } = row;
	const offset = offsetOf(row);
	const anchors = eras.map((_, era) => anchorOf(row, era));
	const eraAt = new Map(eras.map(({ anchor }, era) => [commitKey(anchor), era]));
	// The point of a release is the link itself, so the anchor's error must not be added again.
	const linked = points.map(({ commit, chained }): number | null => {
		const era = eraAt.get(commitKey(commits[commit] as BaselineCommit));
		const eraAnchor = era === undefined ? null : anchors[era];
		return era !== undefined && eraAnchor && eraAnchor.level === round(chained - offset) ? era : null;
	});
	return {
		commit: points.map(({ commit }) => commit),
		era: points.map(({ era }, index) => linked[index] ?? era),
		level: points.map(({ chained }) => round(chained - offset)),
		se: points.map(({ se }, index) => (linked[index] === null ? round(se) : 0)),
		rounds: points.map(({ rounds }) => rounds),
		verdict: points.map(({ verdict }) => verdict),
		rate: points.map(({ solo }) => figure(solo?.throughput)),
		ofReference: points.map(shareOf),
		cpu: points.map(({ solo }) => figure(solo?.cpuPerRequest)),
		environment: points.map(({ environmentId }) => environmentId),
		anchors,
		segments: segments.map(({ first, last, mean, se }) => ({ first, last, mean: round(mean - offset), se: round(se) })),
		gaps: gaps.map(({ commit, reason }) => ({ commit, reason })),
	};
}

/** Takes any point of the era and subtracts its change against the anchor. */
function anchorOf({ points }: RowTrend, era: number): SiteCell['anchors'][number] {
	const [eraPoint, lastPoint] = [points.find((point) => point.era === era), points.at(-1)];
	if (eraPoint === undefined || lastPoint === undefined) return null;
	const variance = ({ chainedSe, se }: TrendPoint) => chainedSe ** 2 - se ** 2;
	const level = eraPoint.chained - eraPoint.theta - (lastPoint.chained - lastPoint.theta);
	return { level: round(level), se: round(Math.sqrt(Math.max(0, variance(lastPoint) - variance(eraPoint)))) };
}

/** Chained level of the latest anchor. */
function offsetOf({ points }: RowTrend): number {
	const last = points.at(-1);
	return last ? last.chained - last.theta : 0;
}

function shareOf(point: TrendPoint | undefined): SiteShare | null {
	if (!point?.ofReference) return null;
	const { value, low, high } = point.ofReference;
	const [a, b, c] = [value, low, high].map((each) => Number(each.toPrecision(SHARE_DIGITS))) as [
		number,
		number,
		number,
	];
	return [a, b, c];
}

/** More digits would be noise, which compresses badly. */
function figure(value: number | null | undefined): number | null {
	return value == null ? null : Number(value.toPrecision(FIGURE_DIGITS));
}

function round(value: number): number {
	return Math.round(value * DIGITS) / DIGITS;
}
