/** What to know of a share: how the two servers it was measured between were in each other's way. */
import { median } from 'simple-statistics';
import { formatPercent } from '../text/numbers.ts';
import type { MeasureSample } from '../types/ranking/measure.ts';
import type { Fraction, Warning } from '../types/units.ts';
import { logShareOf, ratioOf, shareOf } from './log-share.ts';

/** What is not worth a word: a share may be off by that part of itself. */
const SLIGHT: Fraction = 0.03;

/** Says how much CPU a server or its reference used while the other was counted, where that is enough to be seen in the share. */
export function notIdle(samples: readonly MeasureSample[]): readonly Warning[] {
	const usedBy = (who: 'server' | 'reference'): Fraction => {
		const known = samples.flatMap(({ guards }) => guards.resting?.[who] ?? []);
		return known.length === 0 ? 0 : median(known);
	};
	const [server, reference] = [usedBy('server'), usedBy('reference')];
	const messages = [
		...(server > SLIGHT
			? [
					`It used ${formatPercent(server, 1)} of a CPU while the reference was loaded and nothing was asked of it. That slows the reference, so the share of this server is too high${atMost(server, server)}.`,
				]
			: []),
		...(reference > SLIGHT
			? [
					`The reference used ${formatPercent(reference, 1)} of a CPU while nothing was asked of it. That slows this server, so its share is too low${atMost(reference, reference / (1 - reference))}.`,
				]
			: []),
	];
	return messages.map((message) => ({ code: 'not-idle', message }));
}

/** Who has 1 − u of a CPU answers that much less, so a share is too high by u of itself at most, or too low by u / (1 − u). */
function atMost(used: Fraction, reach: Fraction): string {
	return used < 1 ? `, by at most ${formatPercent(reach, 1)} of itself` : '';
}

/**
 * For servers that were loaded at the same time, as in runs of older versions: says how much a server answers
 * alone in percent of the reference alone, where that is surely another share than beside it.
 */
export function unlikeAlone(samples: readonly MeasureSample[], d: readonly number[]): readonly Warning[] {
	const ratios = samples.flatMap(({ alone: { server, reference } }) => {
		const [own, others] = [server?.metrics.throughput, reference?.metrics.throughput];
		return own && others ? [Math.log(own / others)] : [];
	});
	const [beside, alone] = [logShareOf(d, []), logShareOf(ratios, [])];
	if (beside === null || alone === null) return [];
	const apart = ratioOf(alone, beside);
	if (apart.low <= 1 + SLIGHT && apart.high >= 1 - SLIGHT) return [];
	const { low, high } = shareOf(alone);
	const [middle, ...ends] = [Math.exp(alone.theta), low, high].map((share) => (share * 100).toFixed(0));
	const message = `Measured alone it answers ${middle} % [${ends.join(' … ')}] of what the reference answers alone. The share differs from that, because two servers that are not alike do not share a CPU evenly.`;
	return [{ code: 'unlike-alone', message }];
}
