import type { Fraction } from '../../types/units.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { Scale, Span } from '../compare/interval-picture.ts';

/**
 * Returns an inline SVG of an interval on the common scale, as wide as its place: bar, estimate, lines at zero, tolerance and
 * threshold. It needs no script; colours come from classes.
 */
export function drawIntervalSvg(
	span: Span,
	limits: { readonly threshold: Fraction; readonly tolerance: Fraction },
	verdict: Verdict,
	scale: Scale,
): string {
	const at = (value: Fraction | null, edge: number): string => {
		const share = value === null ? edge : (value - scale.low) / (scale.high - scale.low);
		return `${(2 + 96 * Math.min(Math.max(share, 0), 1)).toFixed(2)}%`;
	};
	const line = (name: string, value: Fraction): string =>
		`<line class="${name}" x1="${at(value, 0)}" x2="${at(value, 0)}" y1="0" y2="20"/>`;
	return [
		`<svg class="picture ${verdict}" width="100%" height="20" aria-hidden="true">`,
		line('zero', 0),
		line('tolerance', -limits.tolerance),
		line('threshold', -limits.threshold),
		`<line class="bar" x1="${at(span.low, 0)}" x2="${at(span.high, 1)}" y1="10" y2="10"/>`,
		`<circle class="dot" cx="${at(span.mid, 0)}" cy="10" r="4.5"/>`,
		'</svg>',
	].join('');
}
