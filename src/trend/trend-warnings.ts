/** What a reader must know about how eras hang together. */
import { formatPercent } from '../text/numbers.ts';
import type { Era, Link } from '../types/trend.ts';
import type { Warning } from '../types/units.ts';

/** A closure error is reported from this many standard errors on. */
const CLOSURE_SES = 3;

/** Returns what a reader must know about how eras hang together: rows that no link joins, and links that commits contradict. */
export function trendWarnings(
	assumed: readonly Pick<Link, 'cell' | 'metric' | 'era'>[],
	links: readonly Link[],
	eras: readonly Era[],
): readonly Warning[] {
	const labelOf = (era: number) => eras[era]?.anchor.label ?? '';
	const missing = [...Map.groupBy(assumed, ({ era }) => era)].map(([era, rows]): Warning => {
		const cells = [...new Set(rows.map(({ cell }) => cell))].join(', ');
		const against = labelOf(era - 1);
		return {
			code: 'link-missing',
			message: `${labelOf(era)} was not measured against ${against} in ${cells}: levels before and after it are drawn as if nothing had changed there.`,
		};
	});
	const open = links.flatMap(({ cell, era, closure }): Warning[] => {
		if (closure === null || Math.abs(closure.error) <= CLOSURE_SES * closure.se) return [];
		const size = formatPercent(Math.abs(Math.expm1(closure.error)));
		return [
			{
				code: 'link-contradicted',
				message: `${cell}: commits measured against both ${labelOf(era)} and an older anchor differ by ${size} from the link between the two, more than chance explains. Levels across ${labelOf(era)} are less sure than they look.`,
			},
		];
	});
	return [...missing, ...open];
}
