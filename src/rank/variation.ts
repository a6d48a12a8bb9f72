/** Bands of the coefficient of variation. */
import { mean, sampleStandardDeviation, standardDeviation } from 'simple-statistics';
import type { Preset } from '../config/ranking/presets.ts';
import {
	BANDS,
	type Band,
	type RankingRow,
	type RUN_VERDICTS,
	type RunVariation,
	type Variation,
} from '../types/ranking/ranking.ts';
import type { Fraction } from '../types/units.ts';

/** Upper ends of the bands; the last band has no end. 3 % is no longer excellent, but 10 % is still noisy. */
const BAND_ENDS: readonly [Fraction, Fraction, Fraction] = [0.03, 0.05, 0.1];

/**
 * Returns SD and coefficient of variation of rounds, as a sample (n − 1) or, if a preset's page does so, as a
 * population (n). Null below two values.
 */
export function variationOf(values: readonly number[], deviation: Preset['deviation'] = 'sample'): Variation {
	const centre = values.length < 2 ? 0 : mean(values as number[]);
	if (values.length < 2 || centre === 0) return { sd: null, cov: null, band: null };
	const sdOf = deviation === 'sample' ? sampleStandardDeviation : standardDeviation;
	const sd = sdOf(values as number[]);
	const cov = sd / centre;
	return { sd, cov, band: bandOf(cov) };
}

export function bandOf(cov: Fraction): Band {
	const [excellent, acceptable, noisy] = BAND_ENDS;
	if (cov < excellent) return BANDS[0];
	if (cov < acceptable) return BANDS[1];
	return cov <= noisy ? BANDS[2] : BANDS[3];
}

/** Returns the verdict on the mean coefficient of variation of throughput, and the noisy rows, worst first. */
export function runVariationOf(rows: readonly Pick<RankingRow, 'server' | 'scenario' | 'variation'>[]): RunVariation {
	const covRows = rows.flatMap(({ server, scenario, variation: { throughput, p99 } }) =>
		throughput.cov === null ? [] : [{ server, scenario, throughput: throughput.cov, p99: p99.cov }],
	);
	const [, acceptable, unreliable] = BAND_ENDS;
	const meanCov = covRows.length === 0 ? null : mean(covRows.map(({ throughput }) => throughput));
	return {
		verdict: meanCov === null ? null : verdictOf(meanCov),
		meanCov,
		rows: covRows.length,
		noisy: covRows
			.filter(({ throughput }) => throughput >= acceptable)
			.toSorted((one, other) => other.throughput - one.throughput),
		unreliable: covRows.filter(({ throughput }) => throughput > unreliable).length,
	};
}

function verdictOf(cov: Fraction): (typeof RUN_VERDICTS)[number] {
	const [clean, acceptable, noisy] = BAND_ENDS;
	if (cov < clean) return 'CLEAN RUN';
	if (cov < acceptable) return 'ACCEPTABLE';
	return cov < noisy ? 'NOISY' : 'UNRELIABLE';
}
