/** The badge of the dashboard. */
import { escapeHtml, plainText } from '../text/escape.ts';
import { formatChange } from '../text/numbers.ts';
import type { RowTrend, Standing, Trend } from '../types/trend.ts';

const HEIGHT = 20;
/** Verdana at 11 px, near enough for a box around it. */
const LETTER = 6.6;
const LABEL_LIMIT = 40;
const COLOURS = { good: '#2c7a3f', slower: '#b3261e', unknown: '#5f6b7a' };

/** Returns the badge: `benchgate: −0.3 % since v5.2.0`, of the lowest row. */
export function renderBadge({ rows }: Pick<Trend, 'rows'>): string {
	const lowest = lowestStanding(rows);
	const right =
		lowest === null
			? 'no data yet'
			: `${formatChange(Math.expm1(lowest.theta))} since ${plainText(lowest.anchor.label, LABEL_LIMIT)}`;
	const colour = lowest === null ? COLOURS.unknown : lowest.high < 0 ? COLOURS.slower : COLOURS.good;
	const left = 'benchgate';
	const [a, b] = [left, right].map((text) => Math.round(text.length * LETTER) + 10) as [number, number];
	const label = escapeHtml(`${left}: ${right}`);
	const text = (words: string, x: number) =>
		`<text x="${x}" y="14" textLength="${Math.round(words.length * LETTER)}">${escapeHtml(words)}</text>`;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="${HEIGHT}" role="img" aria-label="${label}">`,
		`<title>${label}</title>`,
		`<clipPath id="r"><rect width="${a + b}" height="${HEIGHT}" rx="3"/></clipPath>`,
		`<g clip-path="url(#r)"><rect width="${a}" height="${HEIGHT}" fill="#3a4350"/><rect x="${a}" width="${b}" height="${HEIGHT}" fill="${colour}"/></g>`,
		`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left, 5)}${text(right, a + 5)}</g>`,
		'</svg>\n',
	].join('');
}

/** Rows in which less is better cannot be told apart here: levels are turned so that negative is worse. */
function lowestStanding(rows: readonly RowTrend[]): Standing | null {
	const standings = rows.flatMap(({ standing }) => standing ?? []);
	return standings.toSorted((a, b) => a.theta - b.theta)[0] ?? null;
}
