/**
 * Histories of baselines made of recorded rounds: every figure was measured; only the order and the steps are
 * synthetic.
 */
import { roundDifferences } from '../../src/stats/differences.ts';
import { createRandom, type Random } from '../../src/stats/random.ts';
import { roundsOf, type Series } from '../series.ts';

/** The d of throughput of one cell in one series, in order: the measurements of one job. */
export interface Session {
	readonly cell: string;
	readonly series: string;
	readonly d: readonly number[];
}

/** One baseline of a history: the mean of some rounds of one session, and the standard error from the spread pooled so far. */
export interface HistoryPoint {
	readonly theta: number;
	readonly se: number;
}

export interface History {
	readonly cell: string;
	readonly points: readonly HistoryPoint[];
	/** First point after the planted step; null without one. */
	readonly step: number | null;
}

export interface HistoryPlan {
	readonly points: number;
	/** Rounds of one baseline. */
	readonly rounds: number;
	/** Planted log ratio; 0 without a step. */
	readonly step: number;
	/** Index of the first changed point. */
	readonly at: number;
	/** Figure that replaces one point of the history, as a log ratio; null for no such point. */
	readonly wild: number | null;
}

/** Returns the sessions of servers against themselves in a duet, with at least `rounds` rounds. */
export function sessionsOf(series: readonly Series[], rounds: number): readonly Session[] {
	const sessions = series
		.filter(({ effect }) => effect.kind === 'same')
		.flatMap((one) => {
			const turns = roundsOf(one, 'duet').flatMap(({ cells }) => cells);
			const usable = turns.filter(({ design, faults }) => design === 'duet' && faults.length === 0);
			return [...Map.groupBy(usable, ({ cell }) => cell)].map(([cell, of]) => {
				return { cell, series: one.id, d: of.flatMap((turn) => roundDifferences(turn).throughput ?? []) };
			});
		});
	return sessions.filter(({ d }) => d.length >= rounds);
}

/** Returns one half of the sessions of each cell: one for tuning, one for testing. */
export function halfOf(sessions: readonly Session[], half: 'tuned' | 'tested'): readonly Session[] {
	const byCell = [...Map.groupBy(sessions, ({ cell }) => cell).values()];
	return byCell.flatMap((ofCell) => ofCell.filter((_, index) => (index % 2 === 0) === (half === 'tuned')));
}

/**
 * Returns `each` histories of every cell that has at least 4 sessions. A baseline is a run of consecutive rounds, once
 * around, of a session drawn with replacement, so that commits differ as jobs do; a step moves every later d.
 */
export function drawHistories(
	sessions: readonly Session[],
	plan: HistoryPlan,
	each: number,
	seed: number,
): readonly History[] {
	const byCell = [...Map.groupBy(sessions, ({ cell }) => cell)].filter(([, own]) => own.length >= 4);
	return byCell.flatMap(([cell, own], row) =>
		Array.from({ length: each }, (_, index) => drawHistory(cell, own, plan, createRandom(seed, row, index))),
	);
}

function drawHistory(cell: string, sessions: readonly Session[], plan: HistoryPlan, random: Random): History {
	let [squares, freedom] = [0, 0];
	const points = Array.from({ length: plan.points }, (_, at) => {
		const { d } = sessions[Math.floor(random.next() * sessions.length)] as Session;
		const start = Math.floor(random.next() * d.length);
		// With a server against itself either side can be head, so a coin decides.
		const sign = random.coin() ? 1 : -1;
		const values = Array.from({ length: plan.rounds }, (_, index) => sign * (d[(start + index) % d.length] as number));
		const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
		squares += values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
		freedom += values.length - 1;
		const theta = mean + (at >= plan.at ? plan.step : 0);
		return { theta, se: Math.sqrt(squares / freedom / values.length) };
	});
	if (plan.wild !== null) {
		const at = Math.floor(random.next() * points.length);
		points[at] = { ...(points[at] as HistoryPoint), theta: plan.wild };
	}
	return { cell, points, step: plan.step === 0 ? null : plan.at };
}
