/** The badge of the dashboard. */
import { escapeHtml, plainText } from '../text/escape.ts';
import { formatChange } from '../text/numbers.ts';
import type { Standing, Trend } from '../types/trend.ts';

const HEIGHT = 20;
/** Verdana at 11 px, near enough for a box around it. */
const LETTER = 6.6;
const LABEL_LIMIT = 40;
const COLOURS = { good: '#2c7a3f', slower: '#b3261e', unknown: '#5f6b7a' };

/** Renders the badge: `benchgate: −3.1 % since v5.2.0` for the slowest row, else that no row is slower, or that a row is unsettled. */
export function renderBadge({ rows }: Pick<Trend, 'rows'>): string {
	const { right, colour } = wordsOf(rows.flatMap(({ standing }) => standing ?? []));
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

/** Shows a figure only for a slower row: the lowest of many level rows is noise. Negative is worse in every metric. */
function wordsOf(standings: readonly Standing[]): { readonly right: string; readonly colour: string } {
	const [lowest] = standings.toSorted((a, b) => a.theta - b.theta);
	if (lowest === undefined) return { right: 'no data yet', colour: COLOURS.unknown };
	const slowest = standings.filter(({ place }) => place === 'below').toSorted((a, b) => a.theta - b.theta)[0];
	const since = `since ${plainText((slowest ?? lowest).anchor.label, LABEL_LIMIT)}`;
	if (slowest) return { right: `${formatChange(Math.expm1(slowest.theta))} ${since}`, colour: COLOURS.slower };
	const isUnsettled = standings.some(({ place, theta }) => place === 'unsettled' && theta < 0);
	if (isUnsettled) return { right: `not settled ${since}`, colour: COLOURS.unknown };
	return { right: `no slowdown ${since}`, colour: COLOURS.good };
}
