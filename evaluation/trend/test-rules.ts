/** Our change points on recorded rounds: chosen on one half of the sessions, tested on the other. */
import { LEVEL_RULE, type LevelRule } from '../../src/trend/find-levels.ts';
import type { Series } from '../series.ts';
import { changesAfterEach } from './judge-history.ts';
import { drawHistories, type History, halfOf, sessionsOf } from './recorded-histories.ts';
import { type Score, scoreOf } from './score.ts';

/** Baselines of a history, rounds of each, and index of the step. */
export const PLAN = { points: 60, rounds: 6, at: 30 };
/** Planted drops; 0 for a history without one. */
export const DROPS = [0, 0.02, 0.03, 0.04] as const;
const SEEDS = { tuned: 101, tested: 202 };
/** A level, as a log ratio, that only a broken job can give. */
const WILD = -3;
/** Name, rule, drops, and the wild level of one point of each history; null for no such point. */
const RULES: readonly (readonly [string, LevelRule, readonly number[], number | null])[] = [
	['benchgate', LEVEL_RULE, DROPS, null],
	['benchgate, outliers not clipped', { ...LEVEL_RULE, clip: false }, [0, 0.03], null],
	['benchgate, one level wild', LEVEL_RULE, [0, 0.03], WILD],
	['benchgate, one level wild, τ² not robust', { ...LEVEL_RULE, robust: false }, [0, 0.03], WILD],
];
/** Histories of a cell. */
const EACH = { tuned: 3, tested: 13 };
const CHOICES = [
	[14, 0.003],
	[17, 0.003],
	[20, 0.003],
	[25, 0.003],
	[20, 0.001],
	[20, 0.006],
] as const;

export interface TunedRule {
	readonly penalty: number;
	readonly tauPrior: number;
	readonly none: Score;
	readonly drop: Score;
}

export interface TestedRule {
	readonly rule: string;
	/** By planted drop. */
	readonly scores: readonly { readonly drop: number; readonly score: Score; readonly covered: number | null }[];
}

/** Returns the histories of one half with a planted drop, and a wild level unless `wild` is null. */
export function historiesOf(
	series: readonly Series[],
	half: 'tuned' | 'tested',
	drop: number,
	wild: number | null = null,
): readonly History[] {
	const sessions = halfOf(sessionsOf(series, PLAN.rounds), half);
	return drawHistories(sessions, { ...PLAN, step: Math.log1p(-drop), wild }, EACH[half], SEEDS[half]);
}

/** Returns the scores of the choices on the tuning half, on histories without a step and with −3 %. */
export function tuneRule(series: readonly Series[]): readonly TunedRule[] {
	const [none, drop] = [historiesOf(series, 'tuned', 0), historiesOf(series, 'tuned', 0.03)];
	return CHOICES.map(([penalty, tauPrior]) => {
		const rule = { ...LEVEL_RULE, penalty, tauPrior };
		return { penalty, tauPrior, none: judge(none, rule).score, drop: judge(drop, rule).score };
	});
}

/** Returns the scores of the rule on the other half, with and without clipping. */
export function testRules(series: readonly Series[]): readonly TestedRule[] {
	return RULES.map(([rule, of, drops, wild]) => ({
		rule,
		scores: drops.map((drop) => ({ drop, ...judge(historiesOf(series, 'tested', drop, wild), of) })),
	}));
}

function judge(
	histories: readonly History[],
	rule: LevelRule,
): { readonly score: Score; readonly covered: number | null } {
	const reports = histories.map(({ points }) => changesAfterEach(points, rule));
	const score = scoreOf(
		histories,
		reports.map((each) => each.map((changes) => changes.map(({ at }) => at))),
	);
	const covered = histories.filter(({ step }, index) => {
		const last = reports[index]?.at(-1) ?? [];
		return step !== null && last.some(({ places }) => places.includes(step));
	}).length;
	return { score, covered: histories[0]?.step === null ? null : covered };
}
