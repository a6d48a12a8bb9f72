import { studentQuantile } from '../stats/distributions.ts';
import { rowId } from '../text/dashboard-address.ts';
import { escapeHtml, plainText } from '../text/escape.ts';
import { formatChange } from '../text/numbers.ts';
import { groupChanges } from '../trend/group-changes.ts';
import { type BaselineCommit, commitKey } from '../types/baseline.ts';
import type { NamedCommit, RowTrend, Standing, Trend, TrendPoint } from '../types/trend.ts';
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
	// The point of a release is the link itself, which holds the anchor's error.
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

const HEIGHT = 20;
/** Approximate width of a letter in Verdana at 11 px. */
const LETTER = 6.6;
const LABEL_LIMIT = 40;
/** Largest share of unsure rows in a green badge. */
const MOST_UNSURE = 0.05;
const COLOURS = { good: '#2c7a3f', slower: '#b3261e', unknown: '#5f6b7a' };

/** Renders the badge, such as `benchgate: −3.1 % since v5.2.0` of the slowest row. */
export function renderBadge(trend: Pick<Trend, 'rows' | 'eras'>): string {
	const { right: rightText, colour } = wordsOf(trend);
	const leftText = 'benchgate';
	const [a, b] = [leftText, rightText].map((text) => Math.round(text.length * LETTER) + 10) as [number, number];
	const label = escapeHtml(`${leftText}: ${rightText}`);
	const text = (words: string, x: number) =>
		`<text x="${x}" y="14" textLength="${Math.round(words.length * LETTER)}">${escapeHtml(words)}</text>`;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="${HEIGHT}" role="img" aria-label="${label}">`,
		`<title>${label}</title>`,
		`<clipPath id="r"><rect width="${a + b}" height="${HEIGHT}" rx="3"/></clipPath>`,
		`<g clip-path="url(#r)"><rect width="${a}" height="${HEIGHT}" fill="#3a4350"/><rect x="${a}" width="${b}" height="${HEIGHT}" fill="${colour}"/></g>`,
		`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(leftText, 5)}${text(rightText, a + 5)}</g>`,
		'</svg>\n',
	].join('');
}

/**
 * Shows a figure only for a slower row: the lowest of many level rows is noise. Negative is worse. The badge is grey
 * while it is open whether a row is slower; one noisy row of a hundred does not count.
 */
function wordsOf({ rows, eras }: Pick<Trend, 'rows' | 'eras'>): { readonly right: string; readonly colour: string } {
	const start = eras.at(-1)?.first ?? 0;
	const standings = rows.flatMap(({ standing }) => standing ?? []);
	const unmeasured = rows.filter(({ standing, gaps }) => !standing && gaps.some(({ commit }) => commit >= start));
	if (standings.length === 0) return { right: 'no data yet', colour: COLOURS.unknown };
	const since = `since ${plainText((standings[0] as Standing).anchor.label, LABEL_LIMIT)}`;
	const isOpen = ({ place, failed }: Standing) => place === 'unsettled' || failed > 0;
	const slower = standings.filter((standing) => standing.place === 'below' && !isOpen(standing));
	if (slower.length > 0) {
		const worst = Math.min(...slower.map(({ theta }) => theta));
		return { right: `${formatChange(Math.expm1(worst))} ${since}`, colour: COLOURS.slower };
	}
	if (standings.some((standing) => isOpen(standing) && standing.mayBeSlower)) {
		return { right: `not settled ${since}`, colour: COLOURS.unknown };
	}
	const all = standings.length + unmeasured.length;
	const unsure = standings.filter(({ place, failed }) => place === 'unsure' || failed > 0).length + unmeasured.length;
	if (unsure > MOST_UNSURE * all)
		return { right: `not sure in ${unsure} of ${all} rows ${since}`, colour: COLOURS.unknown };
	const where = unsure === 0 ? '' : `in ${all - unsure} of ${all} rows `;
	return { right: `no slowdown ${where}${since}`, colour: COLOURS.good };
}

/** Allows only the page's own files. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

export const VIEWS = [
	['now', 'Now'],
	['changes', 'Changes'],
	['rows', 'All rows'],
	['compare', 'Compare'],
	['releases', 'Releases'],
	['ranking', 'Ranking'],
	['quality', 'Quality'],
] as const;

/** The only page. Its script draws the view in the URL. */
function renderSitePage({ project }: Pick<SiteInfo, 'project'>): string {
	const title = escapeHtml(project);
	const links = VIEWS.map(([view, name]) => `<a href="#/${view}">${name}</a>`).join('\n\t\t');
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}: speed of the main branch</title>
<link rel="stylesheet" href="site.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
	<p class="name"><a href="#/now">${title}</a></p>
	<nav aria-label="Views">
		${links}
	</nav>
</header>
<main id="main" tabindex="-1"><p>Loading …</p></main>
<footer><p id="status" role="status"></p></footer>
<noscript><p>The dashboard draws its curves with a script. The numbers are in <a href="data/all.json">data/all.json</a>.</p></noscript>
<script src="site.js" defer></script>
</body>
</html>
`;
}
