/** Our measurement of a published ratio. */

import { nameStep } from '../../src/config/ranking/ramp-steps.ts';
import { isRate, type LogShare, ratioOf } from '../../src/rank/ratios.ts';
import { STATE_WORDS } from '../../src/report/ranking/ranking-words.ts';
import { METRICS } from '../../src/types/metric.ts';
import { stepsOf } from './built-in.ts';
import type { Measured, MeasuredRow, MeasuredRun } from './measured-run.ts';
import type { RatioKey } from './published-pages.ts';

/** A ratio of ours; the ends are null without an interval. */
export interface OurRatio {
	readonly value: number;
	readonly low: number | null;
	readonly high: number | null;
	/** A ratio of CPU time per request, because the generator was at its limit in one of the two rows. */
	readonly byCpu: boolean;
	/** Version of Node that ran the servers. */
	readonly node: string;
}

/** A ratio, or the reason why it is missing. */
export type Lookup =
	| { readonly ours: OurRatio; readonly reason: null }
	| { readonly ours: null; readonly reason: string };

/** Returns our ratio from the newest run that has one. */
export function ourRatio(key: RatioKey, { runs }: Measured): Lookup {
	const lookups = [...runs].reverse().map((run) => lookUp(key, run));
	return lookups.find(({ ours }) => ours !== null) ?? lookups[0] ?? { ours: null, reason: 'not in this run' };
}

function lookUp(key: RatioKey, run: MeasuredRun): Lookup {
	const { metric, server, scenario, of, ofScenario } = key;
	const reason =
		reasonOf(run, server, scenario) ??
		(of === server ? null : reasonOf(run, of, scenario)) ??
		reasonOf(run, of, ofScenario);
	if (reason !== null) return { ours: null, reason };
	const [one, other] = [rowOf(run, server, scenario), rowOf(run, of, ofScenario)];
	const isInverse = METRICS[metric].better === 'lower';
	if (scenario === ofScenario && one?.share && other?.share && isJudged(one, key) && isJudged(other, key)) {
		const pair = isInverse ? ratioOf(other.share, one.share) : ratioOf(one.share, other.share);
		const byCpu = [one, other].some(({ judgedBy }) => judgedBy === 'cpu-per-request');
		return { ours: { ...pair, byCpu, node: run.node }, reason: null };
	}
	if (metric === 'throughput' && scenario !== ofScenario && one?.alone && other?.alone)
		return { ours: { ...ratioOf(one.alone, other.alone), byCpu: false, node: run.node }, reason: null };
	const [own, others] = [one?.medians[metric], other?.medians[metric]];
	if (own !== undefined && others !== undefined && others > 0)
		return { ours: { value: own / others, low: null, high: null, byCpu: false, node: run.node }, reason: null };
	return { ours: null, reason: 'no figure of both yet' };
}

/** Whether the share of a row is in the ratio's metric. */
function isJudged({ judgedBy }: MeasuredRow, { metric }: RatioKey): boolean {
	return judgedBy === metric || (metric === 'throughput' && isRate(judgedBy));
}

function reasonOf(run: MeasuredRun, server: string, scenario: string): string | null {
	const row = rowOf(run, server, scenario);
	if (row === undefined) {
		if (!run.rows.some((one) => one.server === server)) return `${server} not in this run`;
		const isKnown = run.rows.some((one) => one.scenario.split('@')[0] === scenario);
		return isKnown ? `${server} not in this scenario` : `${scenario} not in this run`;
	}
	if (row.oversubscribed) return `${scenario} has more workers than the machine has CPUs for`;
	return row.state === 'measured' ? null : `${server} ${STATE_WORDS[row.state]}`;
}

/**
 * Returns a row; for a ramp the mean of all its steps: the page has one figure over all steps, which are equally long.
 */
function rowOf({ rows }: MeasuredRun, server: string, scenario: string): MeasuredRow | undefined {
	const find = (name: string) => rows.find((row) => row.server === server && row.scenario === name);
	const whole = find(scenario);
	if (whole !== undefined) return whole;
	const connections = stepsOf(scenario);
	const steps = connections.flatMap((step) => find(nameStep(scenario, step)) ?? []);
	const [first] = steps;
	if (first === undefined || steps.length < connections.length) return undefined;
	const worst = steps.find(({ state }) => state !== 'measured') ?? first;
	const shares = steps.flatMap(({ share }) => share ?? []);
	const judgedBy = steps.find((step) => step.judgedBy !== 'throughput')?.judgedBy ?? first.judgedBy;
	return { ...worst, scenario, judgedBy, share: shares.length < steps.length ? null : meanOf(shares), alone: null };
}

/** Mean of independent shares, with Welch and Satterthwaite's degrees of freedom. */
function meanOf(shares: readonly LogShare[]): LogShare {
	const sum = (of: (share: LogShare) => number) => shares.reduce((total, share) => total + of(share), 0);
	const variance = sum(({ se }) => se ** 2);
	return {
		theta: sum(({ theta }) => theta) / shares.length,
		se: Math.sqrt(variance) / shares.length,
		df: variance === 0 ? 1 : variance ** 2 / sum(({ se, df }) => se ** 4 / df),
	};
}
