import type { Fraction } from '../../types/units.ts';

/** Negative is worse in every metric. A null end is unbounded. */
export interface Span {
	readonly low: Fraction | null;
	readonly mid: Fraction;
	readonly high: Fraction | null;
	/** D1 as a positive fraction. The picture marks `-threshold`. */
	readonly threshold: Fraction;
}

export interface Scale {
	readonly low: Fraction;
	readonly high: Fraction;
}

/** The scale ends so many thresholds from zero; arrows mark values outside it. */
const REACH = 8;
/** An interval stretches the scale at most so many thresholds beyond its estimate. */
const END_REACH = 3;

/** A crossed mark shows that the bar covers a line. */
const PICTURE_MARKS = { zero: '│', crossedZero: '┼', threshold: '╎', crossedThreshold: '╫', estimate: '●' } as const;

export const PICTURE_LEGEND = `${PICTURE_MARKS.estimate} measured, ├─┤ 90 % interval, ${PICTURE_MARKS.threshold}${PICTURE_MARKS.crossedThreshold} limit, ${PICTURE_MARKS.zero}${PICTURE_MARKS.crossedZero} no change`;

/** Returns a scale for all spans and thresholds, limited by `REACH` and `END_REACH`. */
export function chooseScale(spans: readonly Span[]): Scale {
	const widest = Math.max(...spans.map((span) => span.threshold), 0.001);
	const lows = spans.map((span) => Math.max(span.low ?? -Infinity, span.mid - END_REACH * widest));
	const highs = spans.map((span) => Math.min(span.high ?? Infinity, span.mid + END_REACH * widest));
	const low = Math.max(Math.min(-1.5 * widest, ...lows), -REACH * widest);
	const high = Math.min(Math.max(0.5 * widest, ...highs), REACH * widest);
	return { low: Math.floor(low * 100) / 100, high: Math.ceil(high * 100) / 100 };
}

/**
 * Returns exactly `width` characters: `├──●──┤`, `╎` at the threshold, `│` at zero (`╫` and `┼` under the bar), `◄` and
 * `►` where the bar leaves the picture. A null span shows only both lines.
 */
export function drawInterval(span: Span | null, threshold: Fraction, scale: Scale, width: number): string {
	const column = (value: Fraction): number =>
		Math.round(((value - scale.low) / (scale.high - scale.low)) * (width - 1));
	const cells = Array.from({ length: width }, () => ' ');
	const put = (at: number, mark: string): void => {
		if (at >= 0 && at < width) cells[at] = mark;
	};
	put(column(-threshold), PICTURE_MARKS.threshold);
	put(column(0), PICTURE_MARKS.zero);
	if (span === null) return cells.join('');
	const low = span.low === null ? -1 : column(span.low);
	const high = span.high === null ? width : column(span.high);
	for (let at = Math.max(low, 0); at <= Math.min(high, width - 1); at++) {
		if (cells[at] === ' ') cells[at] = '─';
		else cells[at] = cells[at] === PICTURE_MARKS.zero ? PICTURE_MARKS.crossedZero : PICTURE_MARKS.crossedThreshold;
	}
	put(low, '├');
	put(high, '┤');
	if (low < 0) put(0, '◄');
	if (high >= width) put(width - 1, '►');
	put(Math.min(Math.max(column(span.mid), 0), width - 1), PICTURE_MARKS.estimate);
	return cells.join('');
}
