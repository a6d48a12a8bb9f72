/** Rounds in which a fixed rate was not held: a few are the machine's doing, most are the server's. Source: docs/statistics.md 14.1. */
import { flagOf } from '../config/option-names.ts';
import { RATE_FAULTS } from '../judge/fixed-rate-faults.ts';
import { countOf } from '../text/numbers.ts';
import type { MeasureSample } from '../types/ranking/measure.ts';
import type { Warning } from '../types/units.ts';

/** Returns whether a fault says that a rate was not held, whosever doing that was. */
export function isMissedRate({ code }: Warning): boolean {
	return RATE_FAULTS.some((one) => one === code);
}

/**
 * Returns samples with the faults that count. A machine that stands still for a moment misses a rate in one round; a server that
 * cannot hold it misses it in all. So rounds of a row that missed it are no fault where they are less than half.
 */
export function countedSamples(samples: readonly MeasureSample[]): readonly MeasureSample[] {
	const rows = Map.groupBy(samples, ({ server, scenario, shard }) => `${shard}/${server}/${scenario}`);
	const chance = new Set([...rows.values()].filter(isChance).flat());
	return samples.map((sample) =>
		chance.has(sample) ? { ...sample, faults: sample.faults.filter((fault) => !isMissedRate(fault)) } : sample,
	);
}

/** Says of a row whose rounds count how many of them missed the rate. */
export function missedNotes(samples: readonly MeasureSample[]): readonly Warning[] {
	const missed = missesOf(samples);
	if (missed === 0) return [];
	const message = `The rate was not held in ${missed} of ${countOf(samples.length, 'round')}. That is taken for chance, because a server that cannot hold it misses it in most.`;
	return [{ code: 'rate-missed', message }];
}

/** Returns faults with the flags in place of the keys of a config, for whoever gave the rate by `--rate`. */
export function nameRateFlags(samples: readonly MeasureSample[]): MeasureSample[] {
	const words = (message: string) =>
		message.replace('load.rate', flagOf('rate')).replace('load.connections', flagOf('connections'));
	return samples.map((sample) => ({
		...sample,
		faults: sample.faults.map((fault) => (isMissedRate(fault) ? { ...fault, message: words(fault.message) } : fault)),
	}));
}

function isChance(samples: readonly MeasureSample[]): boolean {
	return 2 * missesOf(samples) < samples.length;
}

function missesOf(samples: readonly MeasureSample[]): number {
	return samples.filter(({ faults }) => faults.some(isMissedRate)).length;
}
