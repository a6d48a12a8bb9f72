/**
 * Rounds that missed a fixed rate. The machine causes a few of them, the server most. Source: docs/statistics.md 14.1.
 */
import { flagOf } from '../config/option-names.ts';
import { RATE_FAULTS } from '../judge/fixed-rate-faults.ts';
import { countOf } from '../text/numbers.ts';
import type { RankingSample } from '../types/ranking/ranking.ts';
import type { Warning } from '../types/units.ts';

export function isMissedRate({ code }: Warning): boolean {
	return RATE_FAULTS.some((one) => one === code);
}

/**
 * Returns samples with only the faults that count. A machine that pauses misses a rate in one round, a server that
 * cannot hold it in all: missed rates count if at least half of a row's rounds have one.
 */
export function countedSamples(samples: readonly RankingSample[]): readonly RankingSample[] {
	const rows = Map.groupBy(samples, ({ server, scenario, shard }) => `${shard}/${server}/${scenario}`);
	const chance = new Set([...rows.values()].filter(isChance).flat());
	return samples.map((sample) =>
		chance.has(sample) ? { ...sample, faults: sample.faults.filter((fault) => !isMissedRate(fault)) } : sample,
	);
}

export function missedNotes(samples: readonly RankingSample[]): readonly Warning[] {
	const missed = missesOf(samples);
	if (missed === 0) return [];
	const message = `The rate was not held in ${missed} of ${countOf(samples.length, 'round')}. That is taken for chance, because a server that cannot hold it misses it in most.`;
	return [{ code: 'rate-missed', message }];
}

/** Returns samples whose faults name flags instead of config keys. */
export function nameRateFlags(samples: readonly RankingSample[]): RankingSample[] {
	const words = (message: string) =>
		message.replace('load.rate', flagOf('rate')).replace('load.connections', flagOf('connections'));
	return samples.map((sample) => ({
		...sample,
		faults: sample.faults.map((fault) => (isMissedRate(fault) ? { ...fault, message: words(fault.message) } : fault)),
	}));
}

function isChance(samples: readonly RankingSample[]): boolean {
	return 2 * missesOf(samples) < samples.length;
}

function missesOf(samples: readonly RankingSample[]): number {
	return samples.filter(({ faults }) => faults.some(isMissedRate)).length;
}
