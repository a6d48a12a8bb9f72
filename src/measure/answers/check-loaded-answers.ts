/** Pure: what the generator saw during a turn → the faults that make the cell invalid. */
import type { Expectation, Scenario, StatusLimit } from '../../types/config.ts';
import { type Fault, MOST_UNEXPECTED, type Window } from '../../types/round.ts';
import { type Fraction, otherSide, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import type { SampledAnswer, TurnReport } from '../generator/messages.ts';
import { show } from './answer.ts';
import { matchAnswer } from './match-answer.ts';

/**
 * Returns the faults of a turn: unexpected answers, connection errors, no answers, a broken limit, a restart, and a body that
 * is another one than before load. `usual` is what each side answered then (`verifyScenario`).
 */
export function checkLoadedAnswers(scenario: Scenario, report: TurnReport, usual: Sides<string | null>): Fault[] {
	const faults = SIDES.flatMap((side) => checkSide(scenario, report, side));
	return faults.length > 0 || scenario.statusLimit !== undefined ? faults : findChanged(scenario, report, usual);
}

/**
 * A side that answered right when asked and otherwise under load, while the other side kept to its answer. Where both change,
 * the body is one that changes with time.
 */
function findChanged({ expect }: Scenario, report: TurnReport, usual: Sides<string | null>): Fault[] {
	const shares = { base: shareChanged('base'), head: shareChanged('head') };
	return SIDES.flatMap((side) => {
		const share = shares[side];
		if (share === null || share <= MOST_UNEXPECTED || shares[otherSide(side)] !== 0) return [];
		const other = report.samples[side].find(({ status, body }) => status === expect.status[0] && body !== usual[side]);
		const shown = other ? `; e.g. ${show(other.body)}` : '';
		const message = `${(100 * share).toFixed(2)} % of the bodies of ${side} under load were not the answer it gave before, ${show(usual[side])}${shown}`;
		return [fault('changed-under-load', side, message)];
	});

	/** Share of bodies that are not the usual one, by length or, of those sampled, by text; null when there is no usual one. */
	function shareChanged(side: Side): Fraction | null {
		const body = usual[side];
		if (body === null) return null;
		const lengths = Object.entries(report.lengths[side]).map(([length, count]) => ({
			same: +length === body.length,
			count,
		}));
		const samples = report.samples[side].filter(({ status }) => status === expect.status[0]);
		return Math.max(
			shareOther(lengths),
			shareOther(samples.map((one) => ({ same: one.body === body, count: one.count }))),
		);
	}
}

function shareOther(counts: readonly { readonly same: boolean; readonly count: number }[]): Fraction {
	const sum = (list: typeof counts) => list.reduce((total, { count }) => total + count, 0);
	const all = sum(counts);
	return all === 0 ? 0 : sum(counts.filter(({ same }) => !same)) / all;
}

function checkSide(scenario: Scenario, report: TurnReport, side: Side): Fault[] {
	const faults: Fault[] = [];
	const totals = sumWindows(report.windows, side);
	const error = report.firstError[side];
	const wrong = findWrong(scenario.expect, report.samples[side]);
	const unexpected = totals.completed === 0 ? 0 : totals.unexpected / totals.completed;
	if (report.vanished[side] > 0 && totals.errors > 0) {
		faults.push(
			fault(
				'restarted',
				side,
				`a process of the ${side} server ended and was replaced under load (${totals.errors} connection errors)`,
			),
		);
	}
	if (totals.completed === 0) {
		faults.push(fault('no-answer', side, `the ${side} server did not answer under load${error ? `: ${error}` : ''}`));
	} else if (totals.errors > MOST_UNEXPECTED * totals.completed) {
		faults.push(
			fault(
				'connection-errors',
				side,
				`the ${side} server had ${totals.errors} connection errors beside ${totals.completed} answers; first: ${error}`,
			),
		);
	}
	if (unexpected > MOST_UNEXPECTED) {
		const share = `${(100 * unexpected).toFixed(2)} % of the answers of ${side} under load were unexpected`;
		faults.push(fault('unexpected-answers', side, wrong ? `${share}; first: ${wrong.why}` : share));
	} else if (wrong && wrong.share > MOST_UNEXPECTED) {
		faults.push(
			fault(
				'wrong-body',
				side,
				`${(100 * wrong.share).toFixed(2)} % of the sampled bodies of ${side} under load were wrong; first: ${wrong.why}`,
			),
		);
	}
	const broken =
		scenario.statusLimit &&
		findBrokenLimit(scenario.statusLimit, report.statusTimes[side][scenario.statusLimit.status] ?? []);
	if (broken) faults.push(fault('status-limit', side, `${side} gave ${broken}`));
	return faults;
}

function fault(code: string, side: Side, message: string): Fault {
	return { code, side, message };
}

function sumWindows(windows: readonly Window[], side: Side) {
	const counted = windows.flatMap((window) => window[side] ?? []);
	const sum = (of: 'completed' | 'unexpected' | 'errors') => counted.reduce((total, window) => total + window[of], 0);
	return { completed: sum('completed'), unexpected: sum('unexpected'), errors: sum('errors') };
}

/** The first wrong sampled answer and the share of sampled answers that are wrong. */
function findWrong(expect: Expectation, samples: readonly SampledAnswer[]): { why: string; share: number } | null {
	// Headers and sizes were checked in full before the load; here only status and text are known.
	const { headers: _headers, bodyBytes: _bodyBytes, ...textOnly } = expect;
	const judged = samples.map((sample) => ({
		count: sample.count,
		why: matchAnswer(textOnly, { status: sample.status, headers: {}, body: sample.body, bytes: sample.body.length }),
	}));
	const wrong = judged.filter((sample) => sample.why !== null);
	if (wrong[0]?.why == null) return null;
	const count = (list: typeof judged) => list.reduce((sum, sample) => sum + sample.count, 0);
	return { why: wrong[0].why, share: count(wrong) / count(judged) };
}

/**
 * Says which stretch had more answers of a status than a limit per window of `limit.seconds` allows, or null. A stretch may
 * span the edge of two fixed windows, so twice the limit is the most a right limiter lets through. Times ascend, in seconds.
 */
export function findBrokenLimit(limit: StatusLimit, times: readonly Seconds[]): string | null {
	const most = 2 * limit.max;
	for (let last = most; last < times.length; last++) {
		const stretch = (times[last] as Seconds) - (times[last - most] as Seconds);
		if (stretch < limit.seconds) {
			return `${most + 1} answers with status ${limit.status} within ${stretch.toFixed(1)} s; a limit of ${limit.max} in ${limit.seconds} s lets at most ${most} through`;
		}
	}
	return null;
}
