/** Pure: what the generator saw during a turn → the faults that make the cell invalid. */
import { fillExpectation } from '../../text/placeholders.ts';
import { type DataRow, type Expectation, requestsOf, type Scenario, type StatusLimit } from '../../types/config.ts';
import { type Fault, MOST_UNEXPECTED, type Window, type WindowSide } from '../../types/round.ts';
import { type Fraction, otherSide, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import type { RequestReport, SampledAnswer, TurnReport } from '../generator/messages.ts';
import { show } from './answer.ts';
import { matchAnswer } from './match-answer.ts';
import { nameOf, placeInMix } from './verify-scenario.ts';

/** What both sides have alike is counted seldom, and in clusters: only what one has so many times as often is its own. */
const ALIKE = 10;

/** What the answers under load are held to. */
export interface Known {
	/** What each side answered before load (`verifyScenario`); null where that varies. */
	readonly usual: Sides<string | null>;
	/** Names of the headers that each side's answers had then, as they were looked for under load. */
	readonly headers?: Sides<readonly string[]>;
	/** The same for each request of a mix. */
	readonly mix?: readonly Pick<Known, 'usual' | 'headers'>[];
	/** The rows that a mix was filled from. */
	readonly data?: readonly DataRow[];
}

/** One request under load. */
interface Loaded {
	/** ` to GET /users (request 2 of 3)`; empty for the only one. */
	readonly to: string;
	readonly expect: Expectation;
	readonly usual: Sides<string | null>;
	readonly headers: Sides<readonly string[]>;
	readonly seen: Sides<RequestReport>;
	readonly data: readonly DataRow[];
}

/**
 * Returns the faults of a turn: unexpected answers, connection errors, no answers, a broken limit, a restart, a body that is
 * another one than before load, and headers that are gone. Each request of a mix is judged by its own answers.
 */
export function checkLoadedAnswers(scenario: Scenario, report: TurnReport, known: Known): Fault[] {
	const loaded = listLoaded(scenario, report, known);
	const faults = SIDES.flatMap((side) => checkSide(scenario, loaded, report, side));
	if (faults.length > 0 || scenario.statusLimit !== undefined) return faults;
	return loaded.flatMap((one) => [...findChanged(one), ...findBare(one)]);
}

function listLoaded(scenario: Scenario, report: TurnReport, { usual, headers, mix, data = [] }: Known): Loaded[] {
	const single = (side: Side): RequestReport => {
		const { samples, lengths } = report;
		const counted = report.headers?.[side];
		return {
			...sumWindows(report.windows, side),
			...{ samples: samples[side], lengths: lengths[side], watched: [] },
			...(counted && { headers: counted }),
		};
	};
	return requestsOf(scenario).map(({ request, expect }, index) => {
		const of = (side: Side) => report.mix?.[side][index] ?? single(side);
		return {
			to: scenario.mix === undefined ? '' : ` to ${nameOf(request)}${placeInMix(scenario, index)}`,
			expect,
			usual: mix?.[index]?.usual ?? usual,
			headers: mix?.[index]?.headers ?? headers ?? { base: [], head: [] },
			seen: { base: of('base'), head: of('head') },
			data,
		};
	});
}

/**
 * Whether what changed in this share of a side's answers is its own doing, and not that of the time, which changes the other side's
 * about as often. A few of those, as any busy server may have, excuse nothing. Null where the other side's were not looked at.
 */
export function isItsOwn(share: Fraction, other: Fraction | null): boolean {
	return other !== null && share > MOST_UNEXPECTED && share > ALIKE * other;
}

/** A side that answered right when asked and otherwise under load, while the other side kept to its answer. */
function findChanged({ to, expect, usual, seen }: Loaded): Fault[] {
	const shares = { base: shareChanged('base'), head: shareChanged('head') };
	return SIDES.flatMap((side) => {
		const share = shares[side];
		if (share === null || !isItsOwn(share, shares[otherSide(side)])) return [];
		const other = seen[side].samples.find(({ status, body }) => status === expect.status[0] && body !== usual[side]);
		const shown = other ? `; e.g. ${show(other.body)}` : '';
		const message = `${(100 * share).toFixed(2)} % of the bodies of ${side}${to} under load were not the answer it gave before, ${show(usual[side])}${shown}`;
		return [fault('changed-under-load', side, message)];
	});

	/** Share of bodies that are not the usual one, by length or, of those sampled, by text; null when there is no usual one. */
	function shareChanged(side: Side): Fraction | null {
		const body = usual[side];
		if (body === null) return null;
		const lengths = Object.entries(seen[side].lengths).map(([length, count]) => ({
			same: +length === body.length,
			count,
		}));
		const samples = seen[side].samples.filter(({ status }) => status === expect.status[0]);
		return Math.max(
			shareOther(lengths),
			shareOther(samples.map((one) => ({ same: one.body === body, count: one.count }))),
		);
	}
}

/** A side that leaves out headers once it is loaded, while the other side keeps its own. */
function findBare({ to, headers, seen }: Loaded): Fault[] {
	const shareOf = (side: Side): Fraction => {
		const { answers = 0, bare = 0 } = seen[side].headers ?? {};
		return answers === 0 ? 0 : bare / answers;
	};
	return SIDES.flatMap((side) => {
		const share = shareOf(side);
		if (!isItsOwn(share, shareOf(otherSide(side)))) return [];
		const missing = seen[side].headers?.missing ?? 0;
		const names = headers[side].filter((_, at) => (missing & (1 << at)) !== 0).join(', ');
		const message = `${(100 * share).toFixed(2)} % of the answers of ${side}${to} under load were without a header that they had before: ${show(names)}`;
		return [fault('changed-under-load', side, message)];
	});
}

function shareOther(counts: readonly { readonly same: boolean; readonly count: number }[]): Fraction {
	const sum = (list: typeof counts) => list.reduce((total, { count }) => total + count, 0);
	const all = sum(counts);
	return all === 0 ? 0 : sum(counts.filter(({ same }) => !same)) / all;
}

function checkSide(scenario: Scenario, loaded: readonly Loaded[], report: TurnReport, side: Side): Fault[] {
	const faults: Fault[] = [];
	const totals = sumWindows(report.windows, side);
	const error = report.firstError[side];
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
				`the ${side} server had ${totals.errors} connection errors beside ${totals.completed} answers${error === undefined ? '' : `; first: ${error}`}`,
			),
		);
	}
	faults.push(...loaded.flatMap((one) => checkRequest(one, side)));
	const broken = scenario.statusLimit && brokenLimit(scenario.statusLimit, report, side);
	if (broken) faults.push(fault('status-limit', side, `${side} gave ${broken}`));
	return faults;
}

/** A fault of the answers to one request: a mix hides a rare one that is always answered wrongly. */
function checkRequest({ to, expect, seen, data }: Loaded, side: Side): Fault[] {
	const { completed, unexpected, samples } = seen[side];
	const judged = judgeSamples(expect, samples, data);
	const share = completed === 0 ? 0 : unexpected / completed;
	if (share > MOST_UNEXPECTED) {
		const first = judged.find(({ why }) => why !== null);
		const message = `${(100 * share).toFixed(2)} % of the answers of ${side}${to} under load were unexpected${first ? `; first: ${first.why}` : ''}`;
		return [fault('unexpected-answers', side, message)];
	}
	// Every answer with another status is kept, and few others: among the samples there are far more of these than there were.
	const bodies = judged.filter(({ status }) => expect.status.includes(status));
	const wrong = bodies.filter(({ why }) => why !== null);
	const shareWrong = shareOther(bodies.map(({ why, count }) => ({ same: why === null, count })));
	if (shareWrong <= MOST_UNEXPECTED) return [];
	const message = `${(100 * shareWrong).toFixed(2)} % of the sampled bodies of ${side}${to} under load were wrong; first: ${wrong[0]?.why}`;
	return [fault('wrong-body', side, message)];
}

function fault(code: string, side: Side, message: string): Fault {
	return { code, side, message };
}

function sumWindows(windows: readonly Window[], side: Side) {
	const counted = windows.flatMap((window) => window[side] ?? []);
	const sum = (of: 'completed' | 'unexpected' | 'errors') => counted.reduce((total, window) => total + window[of], 0);
	return { completed: sum('completed'), unexpected: sum('unexpected'), errors: sum('errors') };
}

/** Returns the sampled answers, each with what is wrong with it; null for nothing. */
function judgeSamples(expect: Expectation, samples: readonly SampledAnswer[], data: readonly DataRow[]) {
	// Headers and sizes were checked in full before the load; here only status and text are known.
	const { headers: _headers, bodyBytes: _bodyBytes, ...textOnly } = expect;
	return samples.map(({ status, body, count, row }) => {
		const values = row === undefined ? undefined : data[row];
		const expected = values === undefined ? textOnly : fillExpectation(textOnly, values);
		return { status, count, why: matchAnswer(expected, { status, headers: {}, body, bytes: body.length }) };
	});
}

/** By the time of each answer, and by the counts of windows where another program told nothing else. */
function brokenLimit(limit: StatusLimit, { statusTimes, windows }: TurnReport, side: Side): string | null {
	const stretch = findBrokenLimit(limit, statusTimes[side][limit.status] ?? []);
	return (
		stretch ??
		windows.flatMap((window) => window[side] ?? []).flatMap((own) => findExceeded(limit, own) ?? [])[0] ??
		null
	);
}

/** Says that a window had more answers of a status than all fixed windows of the limit together that it can have touched, or null. */
export function findExceeded(
	{ status, max, seconds: per }: StatusLimit,
	{ seconds, statuses }: Pick<WindowSide, 'seconds' | 'statuses'>,
): string | null {
	const count = statuses[status] ?? 0;
	const most = max * (Math.ceil(seconds / per) + 1);
	if (count <= most) return null;
	return `${count} answers with status ${status} in ${seconds.toFixed(1)} s; a limit of ${max} in ${per} s lets at most ${most} through`;
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
