/** The badge of the dashboard. */
import { escapeHtml, plainText } from '../text/escape.ts';
import { formatChange } from '../text/numbers.ts';
import type { Standing, Trend } from '../types/trend.ts';

const HEIGHT = 20;
/** Approximate width of a letter in Verdana at 11 px. */
const LETTER = 6.6;
const LABEL_LIMIT = 40;
/** Largest share of unsure rows in a green badge. */
const MOST_UNSURE = 0.05;
const COLOURS = { good: '#2c7a3f', slower: '#b3261e', unknown: '#5f6b7a' };

/** Renders the badge: `benchgate: −3.1 % since v5.2.0` for the slowest row, else that no row is, or that it is open. */
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
 * Shows a figure only for a slower row: the lowest of many level rows is noise. Negative is worse in every metric. The
 * badge is grey while one baseline or a failed measurement leaves open whether a row is slower. One noisy row of a
 * hundred does not.
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
