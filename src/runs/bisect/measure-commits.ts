import { failureKind } from '../../judge/consequence.ts';
import { judgeSamples } from '../../judge/judging-metric.ts';
import { samplesByCell } from '../../judge/looks/samples.ts';
import { summarise } from '../../judge/summarise.ts';
import type { Config } from '../../types/config.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import type { MetricName } from '../../types/metric.ts';
import type { CellResult, Raw } from '../../types/result.ts';
import type { Fault } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
import { proofConfig, seedOf } from '../proof-config.ts';
import { type RunOptions, runComparison } from '../run-comparison.ts';
import type { Probed, Proven } from './bisect-loop.ts';

export type MeasureOptions = Omit<RunOptions, 'revisions' | 'keep' | 'skipUnchanged' | 'labels'>;

export interface Target {
	readonly cell: string;
	readonly metric: MetricName;
	/** Commits by number, good first. */
	readonly shas: readonly string[];
}

/** Returns d of fresh rounds of `commit` against good. Throws UserError when good cannot be measured. */
export async function probeCommit(
	options: MeasureOptions,
	target: Target,
	{ commit, rounds, turn }: { readonly commit: number; readonly rounds: number; readonly turn: number },
): Promise<Probed> {
	const config = { ...options.config, rounds, seed: seedOf(options.config, commit * 100 + turn) };
	const revisions = { base: `git:${target.shas[0]}`, head: `git:${target.shas[commit]}` };
	try {
		const raw = await runComparison({ ...options, config, revisions, keep: async () => {}, skipUnchanged: true });
		if ('unchanged' in raw) return { kind: 'same' };
		options.signal.throwIfAborted();
		const d = differencesOf(raw, target);
		if (d.length > 0) return { kind: 'rounds', d, ...secondsOf(raw) };
		return { kind: 'broken', reason: whyBroken(raw, target) };
	} catch (error) {
		if (!isUserError(error) || !isOfHead(error)) throw error;
		return { kind: 'broken', reason: error.message };
	}
}

/** Compares two commits. The threshold is half of the change. */
export async function proveChange(
	options: MeasureOptions,
	target: Target,
	{ before, after, theta, budgetSeconds }: { before: number; after: number; theta: number; budgetSeconds: Seconds },
): Promise<Proven> {
	const config: Config = {
		...proofConfig(options.config, -Math.expm1(-Math.abs(theta)), [target.metric]),
		budgetSeconds,
		seed: seedOf(options.config, after * 100 + 99),
	};
	const revisions = { base: `git:${target.shas[before]}`, head: `git:${target.shas[after]}` };
	const raw = await runComparison({ ...options, config, revisions, keep: async () => {} });
	options.signal.throwIfAborted();
	const row = summarise(raw).cells.find(({ metric }) => metric === target.metric) as CellResult;
	const { seconds, buildSeconds } = secondsOf(raw);
	return {
		d: differencesOf(raw, target),
		outcome: outcomeOf(row, theta),
		figures: { before, after, judgedBy: row.judgedBy, change: row.change, interval: row.interval, rounds: row.rounds },
		seconds: seconds + buildSeconds,
	};
}

/** A gain is proven like a loss. */
function outcomeOf({ verdict }: Pick<CellResult, 'verdict'>, theta: number): Proven['outcome'] {
	if (verdict === (theta < 0 ? 'regressed' : 'improved')) return 'shown';
	return verdict === 'unchanged' || verdict === (theta < 0 ? 'improved' : 'regressed') ? 'refuted' : 'open';
}

/**
 * Returns d of rounds without faults. At a fixed rate, or a generator's limit, CPU per request replaces
 * throughput; other reasons vary between commits and are ignored.
 */
export function differencesOf(
	{ rounds, plan }: Pick<Raw, 'rounds' | 'plan'>,
	{ cell, metric }: Pick<Target, 'cell' | 'metric'>,
	purpose: 'main' | 'confirm' = 'main',
): number[] {
	const all = samplesByCell(rounds, purpose).get(cell) ?? [];
	const samples = all.filter(({ cellRound }) => cellRound.faults.length === 0);
	const { by, because } = judgeSamples(metric, samples, purpose === 'main' ? plan.design : 'alternating');
	const decidingMetric = because === 'fixed-rate' || because === 'generator-bound' ? by : metric;
	return samples.flatMap(({ d }) => d[decidingMetric] ?? []);
}

function secondsOf({ timing }: Raw): { readonly seconds: Seconds; readonly buildSeconds: Seconds } {
	return { seconds: timing.measuringSeconds, buildSeconds: timing.totalSeconds - timing.measuringSeconds };
}

/** Throws for faults of good, which end the search. */
function whyBroken({ refused, rounds }: Raw, { cell }: Target): string {
	const faults: readonly Fault[] = [
		...refused.filter((one) => one.cell === cell).map(({ fault }) => fault),
		...rounds.flatMap(({ cells }) => cells.filter((one) => one.cell === cell).flatMap((one) => one.faults)),
	];
	const ofGood = faults.find(({ side }) => side === 'base');
	if (ofGood !== undefined) {
		throw new UserError({
			code: 'good-broken',
			where: '--good',
			message: `the good commit cannot be measured: ${ofGood.message}`,
			remedy: 'give another commit as --good',
		});
	}
	return faults[0]?.message ?? 'no round of it could be used';
}

/** Whether an error is head's own, not the machine's or network's: a commit stored as broken is not retried. */
export function isOfHead({ where, code }: Pick<UserError, 'where' | 'code'>): boolean {
	if (code === 'different-subjects' || code === 'server-on-no-side') return true;
	return where?.startsWith('head') === true && failureKind({ code, side: 'head', usage: false }) === 'head';
}
