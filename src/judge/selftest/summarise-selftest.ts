/** Summarises the trials of a selftest. */
import type { Trial } from '../../plan/plan-trials.ts';
import { clopperPearson, studentQuantile } from '../../stats/distributions.ts';
import { changeOf } from '../../stats/estimate.ts';
import { type Moments, momentsOf, robustSdOf } from '../../stats/moments.ts';
import { countOf, formatPercent } from '../../text/numbers.ts';
import type { Config } from '../../types/config.ts';
import { EXIT } from '../../types/errors.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Cell, Plan } from '../../types/plan.ts';
import type { EndReason, Round } from '../../types/round.ts';
import {
	type DropResult,
	type Feature,
	type Figure,
	SELFTEST_SCHEMA_VERSION,
	type SelftestResult,
	type SelftestTrial,
	type ServerSpread,
	type Share,
} from '../../types/selftest.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import type { Interval, RowDecision } from '../../types/verdict.ts';
import { decide } from '../decide.ts';
import { supportOf } from './supported-threshold.ts';

export interface SelftestContext
	extends Pick<
		SelftestResult,
		| 'tool'
		| 'createdAt'
		| 'environment'
		| 'pinning'
		| 'instructionCounters'
		| 'warnings'
		| 'reproduce'
		| 'measuringSeconds'
		| 'lanes'
	> {
	readonly config: Config;
	readonly drops: readonly Fraction[];
}

/** Promises of docs/statistics.md. */
const PROMISED_ALARMS: Fraction = 0.05;
const PROMISED_COVERAGE: Fraction = 0.9;
/** Error of each end of a 95 % interval. */
const END_ERROR = 0.025;
/** Largest distance of an achieved drop from the intended one. */
const ON_TARGET: Fraction = 0.005;
/** Matrix sizes for which the smallest threshold is computed. */
const MATRICES: readonly number[] = [6, 24];
const USUAL_BUDGET: Seconds = 600;
const FEWEST_FOR_ADVICE = 8;
const MOST_REASONS = 3;

/** Returns the result of all trials. Interrupted trials count only for spread, bias and achieved drops. */
export function summariseSelftest(
	context: SelftestContext,
	trials: readonly SelftestTrial[],
	ended: SelftestResult['ended'],
): SelftestResult {
	const { config, drops: planned, ...facts } = context;
	const done = trials.filter(isComplete);
	const same = done.filter(({ drop }) => drop === 0);
	const decided = done.filter(({ verdict }) => verdict !== 'inconclusive').length;
	const injected = done.filter(({ drop }) => drop > 0);
	const spreads = residualsOf(trials);
	const drops = planned.map((drop) => dropResult(drop, trials));
	const offTarget = new Set(drops.filter((result) => !isOnTarget(result)).map(({ drop }) => drop));
	const falseAlarms = shareOf(same, ({ verdict }) => verdict === 'regressed');
	const coverage = { all: coverageOf(done), same: coverageOf(same), injected: coverageOf(injected) };
	return {
		...facts,
		schemaVersion: SELFTEST_SCHEMA_VERSION,
		kind: 'benchgate-selftest',
		seed: config.seed,
		threshold: config.threshold,
		tolerance: config.tolerance,
		budget: config.budgetSeconds,
		ended,
		cpuTime: cpuTimeOf(trials),
		...trustIn(
			trials,
			facts.warnings,
			falseAlarms,
			done.filter(({ drop }) => !offTarget.has(drop)),
		),
		falseAlarms,
		falseImprovements: same.filter(({ verdict }) => verdict === 'improved').length,
		drops,
		coverage,
		positionBias: figureOf(trials.filter(({ drop }) => drop === 0).flatMap(({ d }) => d)),
		servers: spreads,
		secondsPerDecision: decided === 0 ? null : sum(trials, ({ seconds }) => seconds) / decided,
		supports: supportsOf(
			spreads.filter(({ rounds }) => rounds >= FEWEST_FOR_ADVICE),
			config,
		),
		trials,
		warnings: [...facts.warnings, ...invalidServers(trials), ...drops.flatMap(describeOff)],
	};
}

function isComplete({ ended, verdict }: SelftestTrial): boolean {
	return (ended === 'decided' || ended === 'rounds') && verdict !== 'invalid';
}

function dropResult(drop: Fraction, trials: readonly SelftestTrial[]): DropResult {
	const dropTrials = trials.filter((trial) => trial.drop === drop);
	const done = dropTrials.filter(isComplete);
	const count = (verdict: SelftestTrial['verdict']) => done.filter((trial) => trial.verdict === verdict).length;
	return {
		drop,
		regressed: shareOf(done, ({ verdict }) => verdict === 'regressed'),
		unchanged: count('unchanged'),
		inconclusive: count('inconclusive'),
		improved: count('improved'),
		achieved: figureOf(dropTrials.flatMap(({ dCpu }) => dCpu)),
		secondsPerTrial: done.length === 0 ? null : sum(done, ({ seconds }) => seconds) / done.length,
	};
}

function coverageOf(trials: readonly SelftestTrial[]): Share {
	return shareOf(
		trials.filter(({ covered }) => covered !== null),
		({ covered }) => covered === true,
	);
}

function shareOf(trials: readonly SelftestTrial[], holds: (trial: SelftestTrial) => boolean): Share {
	const count = trials.filter(holds).length;
	return { count, of: trials.length, ...clopperPearson(count, trials.length) };
}

/**
 * Returns the mean of d as a change; null without rounds. Pooling is unbiased although trials stop depending on their
 * data: the sum over a random number of rounds has the mean of that number times the mean of d (Wald).
 */
export function figureOf(d: readonly number[]): Figure | null {
	const moments = momentsOf(d);
	if (!moments) return null;
	const { rounds, mean, se, df } = moments;
	if (df === 0) return { value: Math.expm1(mean), low: null, high: null, rounds };
	const half = -studentQuantile(END_ERROR, df) * se;
	return { value: Math.expm1(mean), low: Math.expm1(mean - half), high: Math.expm1(mean + half), rounds };
}

/** Residuals are taken within trials and scaled by √(n / (n − 1)). */
function residualsOf(trials: readonly SelftestTrial[]): ServerSpread[] {
	const usable = trials.filter(({ d }) => d.length > 1);
	return [...Map.groupBy(usable, ({ server }) => server)].map(([server, serverTrials]) => {
		const d = serverTrials.flatMap((trial) => {
			const { mean, rounds } = momentsOf(trial.d) as Moments;
			return trial.d.map((value) => (value - mean) * Math.sqrt(rounds / (rounds - 1)));
		});
		const squares = sum(serverTrials, (trial) => {
			const { sd, df } = momentsOf(trial.d) as Moments;
			return sd * sd * df;
		});
		return {
			server,
			rounds: d.length,
			roundSd: Math.sqrt(squares / (d.length - serverTrials.length)),
			robustSd: robustSdOf(d),
			secondsPerRound: sum(serverTrials, ({ seconds }) => seconds) / sum(serverTrials, ({ rounds }) => rounds),
		};
	});
}

function supportsOf(spreads: readonly ServerSpread[], config: Config): SelftestResult['supports'] {
	if (spreads.length === 0) return [];
	const budgets = [...new Set([USUAL_BUDGET, config.budgetSeconds])].toSorted((first, second) => first - second);
	return budgets.flatMap((budget) => MATRICES.map((cells) => supportOf(spreads, cells, budget, config)));
}

function trustIn(
	trials: readonly SelftestTrial[],
	runWarnings: readonly Warning[],
	alarms: Share,
	counted: readonly SelftestTrial[],
): Pick<SelftestResult, 'trust' | 'reasons'> {
	if (trials.every(({ d }) => d.length === 0)) {
		const faults = new Set(
			[...runWarnings, ...trials.flatMap(({ warnings }) => warnings)].map(({ message }) => message),
		);
		return { trust: 'unmeasured', reasons: [...faults].slice(0, MOST_REASONS) };
	}
	const reasons: string[] = [];
	const coverage = coverageOf(counted);
	const same = counted.every(({ drop }) => drop === 0);
	if (alarms.low > PROMISED_ALARMS) {
		reasons.push(
			`Too many false alarms: ${alarms.count} of ${alarms.of} comparisons of a server with itself were called regressed; at most ${formatPercent(PROMISED_ALARMS, 1)} are allowed.`,
		);
	}
	if (coverage.high < PROMISED_COVERAGE) {
		reasons.push(
			`Wrong intervals: ${coverage.count === 0 ? 'none' : `only ${coverage.count}`} of ${coverage.of} contain the real change${same ? ' (0 %)' : ''}; at least ${formatPercent(PROMISED_COVERAGE, 1)} should.`,
		);
	}
	return { trust: reasons.length === 0 ? 'sound' : 'unsound', reasons };
}

function cpuTimeOf(trials: readonly SelftestTrial[]): Feature {
	const measured = trials.filter(({ d }) => d.length > 0);
	const cpuTrials = measured.filter(({ d, dCpu }) => dCpu.length === d.length);
	if (measured.length > 0 && cpuTrials.length === measured.length)
		return { available: true, note: 'read in every round' };
	const note = cpuTrials.length === 0 ? 'cannot be read here' : 'could not be read in every round';
	return { available: false, note: `${note}: where throughput is in doubt, nothing can confirm or replace it` };
}

function isOnTarget({ drop, achieved }: DropResult): boolean {
	return achieved !== null && Math.abs(achieved.value + drop) <= ON_TARGET;
}

function describeOff(result: DropResult): Warning[] {
	const { drop, achieved, regressed } = result;
	if (achieved === null || regressed.of === 0 || isOnTarget(result)) return [];
	const message = `Head should have been slowed by ${formatPercent(drop, 1)}, but by CPU time per request it was ${formatPercent(Math.abs(achieved.value), 1)} ${achieved.value > 0 ? 'faster' : 'slower'}. So an interval that misses ${formatPercent(drop, 1)} is not held against the gate.`;
	return [{ code: 'injection-off', message }];
}

function invalidServers(trials: readonly SelftestTrial[]): Warning[] {
	const invalid = trials.filter(({ verdict }) => verdict === 'invalid');
	return [...Map.groupBy(invalid, ({ server, scenario }) => `${server}/${scenario}`)].map(([cell, cellTrials]) => ({
		code: 'invalid-trials',
		message: `${cell} could not be measured in ${countOf(cellTrials.length, 'trial')}; first: ${cellTrials[0]?.warnings[0]?.message ?? 'no reason given'}`,
	}));
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}

export function selftestExitCode({ trust, ended }: Pick<SelftestResult, 'trust' | 'ended'>): number {
	if (ended === 'interrupted') return EXIT.interrupted;
	if (trust === 'unmeasured') return EXIT.nothingMeasured;
	return trust === 'unsound' ? EXIT.gateFailed : EXIT.passed;
}

interface Measured {
	readonly rounds: readonly Round[];
	readonly ended: EndReason;
	/** CPU time that the preload was asked to use, as a fraction of a request's own. */
	readonly amount: Fraction;
	readonly seconds: Seconds;
}

/** Returns the result of a trial, decided as by `compare`. `plan` has one row. */
export function readTrial(trial: Trial, plan: Plan, measured: Measured): SelftestTrial {
	const { rounds, ended, amount, seconds } = measured;
	const [row] = decide(plan, rounds, ended).rows as readonly [RowDecision];
	const [cell] = plan.cells as readonly [Cell];
	const { estimate } = row;
	return {
		trial: trial.number,
		drop: trial.drop,
		amount,
		server: cell.server,
		scenario: cell.scenario,
		seed: trial.seed,
		verdict: row.verdict,
		judgedBy: row.judgedBy,
		change: estimate?.change ?? null,
		interval: estimate?.interval ?? null,
		covered: estimate && covers(estimate.interval, injectedChange(row.judgedBy, trial.drop)),
		d: row.estimates.throughput?.d ?? [],
		dCpu: row.estimates['cpu-per-request']?.d ?? [],
		rounds: rounds.length,
		seconds,
		ended,
		warnings: row.warnings,
	};
}

/** Returns the change of a metric that equals a drop in throughput caused by CPU time alone. */
export function injectedChange(metric: MetricName, drop: Fraction): Fraction {
	return changeOf(metric, Math.log1p(-drop));
}

function covers({ low, high }: Interval, truth: Fraction): boolean {
	return (low === null || low <= truth) && (high === null || truth <= high);
}
