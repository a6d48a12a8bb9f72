import { mean } from 'simple-statistics';
import { WRAPPER_LIMITS } from '../../../rank/comparisons.ts';
import { formatPercent, INTERVAL_95, NONE } from '../../../text/numbers.ts';
import { type Phrase, phrase } from '../../../text/phrase.ts';
import type { Comparison, RankingResult } from '../../../types/ranking/ranking.ts';
import type { WordedTable } from '../../document/document.ts';
import { own } from '../ranking-figures.ts';
import { nameOf } from '../ranking-words.ts';
import { type ComparedRates, type WrapperPair, wrapperPairs } from './compared-rates.ts';

const GRADES: Readonly<Record<NonNullable<Comparison['grade']>, string>> = {
	good: '✓ good',
	borderline: '~ borderline',
	bad: '✗ bad',
};

export function wrapperTables(result: RankingResult): readonly WordedTable[] {
	const pairs = wrapperPairs(result);
	if (pairs.length === 0) return [];
	const isTimed = pairs.some(({ scenarios }) => scenarios.some(({ loss }) => loss.low !== null));
	return [overheads(pairs, isTimed), analysis(pairs)];
}

function overheads(pairs: readonly WrapperPair[], isTimed: boolean): WordedTable {
	const [good, borderline] = WRAPPER_LIMITS.map((limit) => formatPercent(limit, 0));
	return {
		title: 'Overhead of wrappers',
		columns: [
			...columns('left', 'wrapper', 'host', 'scenario'),
			...columns('right', 'host, requests/s', 'wrapper, requests/s', 'overhead', INTERVAL_95),
			...columns('left', 'grade'),
		],
		rows: pairs.flatMap(({ scenarios }) =>
			scenarios.map(({ row, against, loss, texts, grade }) => [
				nameOf(row.server),
				nameOf(against.server),
				nameOf(row.scenario),
				own(texts.against),
				own(texts.row),
				own(writeLoss(loss.value)),
				own(writeInterval(loss)),
				own(grade === null ? NONE : GRADES[grade]),
			]),
		),
		note: `${isTimed ? 'Wrapper and host were measured with the same reference; the overhead comes from that. Requests/s are those of each server alone. ' : ''}Up to ${good} is good, up to ${borderline} borderline.`,
	};
}

function analysis(pairs: readonly WrapperPair[]): WordedTable {
	const target = WRAPPER_LIMITS[0];
	return {
		title: 'Overhead in short',
		columns: [
			...columns('left', 'wrapper', 'host'),
			...columns('right', 'scenarios', 'mean', 'least', 'most'),
			...columns('left', 'target'),
		],
		rows: pairs.map(({ wrapper, host, scenarios }) => {
			const sorted = scenarios.toSorted((one, other) => one.loss.value - other.loss.value);
			const met = scenarios.filter(({ loss }) => loss.value <= target).length;
			return [
				nameOf(wrapper),
				nameOf(host),
				own(String(scenarios.length)),
				own(writeLoss(mean(scenarios.map(({ loss }) => loss.value)))),
				writeExtreme(sorted[0]),
				writeExtreme(sorted.at(-1)),
				own(met === scenarios.length ? 'met' : `met in ${met} of ${scenarios.length}`),
			];
		}),
		note: `The target is an overhead of at most ${formatPercent(target, 0)} in every scenario.`,
	};
}

function writeExtreme(compared: ComparedRates | undefined): Phrase {
	if (compared === undefined) return own(NONE);
	return phrase`${writeLoss(compared.loss.value)} in ${nameOf(compared.row.scenario)}`;
}

/** Returns a loss in percent: 0.2 becomes `20.0 %`, a gain is negative. */
export function writeLoss(loss: number): string {
	return `${writePercent(loss)} %`;
}

export function writeInterval({ low, high }: Comparison['loss']): string {
	if (low === null || high === null) return NONE;
	return `[${writePercent(low)} … ${writePercent(high)}]`;
}

function writePercent(loss: number): string {
	const text = (100 * loss).toFixed(1);
	return text === '-0.0' ? '0.0' : text.replace('-', '−');
}

function columns(align: 'left' | 'right', ...labels: readonly string[]) {
	return labels.map((label) => ({ label, align }));
}
