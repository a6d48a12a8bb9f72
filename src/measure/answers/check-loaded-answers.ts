import { fillExpectation, placeholdersIn } from '../../text/placeholders.ts';
import { type DataRow, type Expectation, requestsOf, type Scenario, type StatusLimit } from '../../types/config.ts';
import { type Fault, MOST_UNEXPECTED, type Window, type WindowSide } from '../../types/round.ts';
import { type Seconds, SIDES, type Side } from '../../types/units.ts';
import type { HeadersOfStatus, RequestReport, SampledAnswer, SeenHeaders, TurnReport } from '../generator/messages.ts';
import { MOST_NAMES } from '../generator/reading/answer-head.ts';
import { MAX_BODY } from '../generator/reading/body-keeper.ts';
import { show } from './answer.ts';
import { type AtRest, UNKNOWN } from './answers-at-rest.ts';
import { findAlikeChanges, findChangedAnswers, type LoadedRequest, shareOther } from './find-changed-answers.ts';
import { isHeaderKind, isOptional, matchAnswer } from './match-answer.ts';
import { nameOf, placeInMix } from './verify-scenario.ts';

/** Answers from before load (`verifyScenario`). */
type KnownAnswers = Pick<AtRest, 'usual'> & Partial<AtRest>;

export interface Known extends KnownAnswers {
	readonly mix?: readonly KnownAnswers[];
	readonly data?: readonly DataRow[];
}

interface Loaded extends LoadedRequest {
	readonly expect: Expectation;
	readonly data: readonly DataRow[];
}

/**
 * Returns the faults of a turn: restarts, connection errors, missing or unexpected answers, a broken limit, and
 * statuses, bodies or headers that changed since before load. Samples must be text.
 */
export function checkLoadedAnswers(scenario: Scenario, report: TurnReport, knownAnswers: Known): Fault[] {
	const loaded = listLoaded(scenario, report, knownAnswers);
	const faults = SIDES.flatMap((side) => checkSide(scenario, loaded, report, side));
	if (faults.length > 0 || scenario.statusLimit !== undefined) return faults;
	return loaded.flatMap(findChangedAnswers);
}

/** Returns the changes that both sides share in a turn without faults. */
export function remarkOnLoadedAnswers(scenario: Scenario, report: TurnReport, knownAnswers: Known): Fault[] {
	if (scenario.statusLimit !== undefined) return [];
	return listLoaded(scenario, report, knownAnswers).flatMap((loaded) => findAlikeChanges(loaded, loaded.expect));
}

function listLoaded(scenario: Scenario, report: TurnReport, { mix, data = [], ...requestAnswers }: Known): Loaded[] {
	const single = (side: Side): RequestReport => {
		const { samples, lengths } = report;
		const counted = report.headers?.[side];
		const others = report.headersOf?.[side];
		return {
			...sumWindows(report.windows, side),
			statuses: report.windows.flatMap((window) => window[side] ?? []).map(({ statuses }) => statuses),
			...{ samples: samples[side], lengths: lengths[side], watched: [] },
			...(counted && { headers: counted }),
			...(others && { headersOf: others }),
		};
	};
	return requestsOf(scenario).map(({ request, expect }, index) => {
		const of = (side: Side) => report.mix?.[side][index] ?? single(side);
		return {
			to: scenario.mix === undefined ? '' : ` to ${nameOf(request)}${placeInMix(scenario, index)}`,
			status: expect.status[0],
			expect,
			atRest: { ...UNKNOWN, ...(mix?.[index] ?? requestAnswers) },
			seen: { base: of('base'), head: of('head') },
			data,
		};
	});
}

function checkSide(scenario: Scenario, loaded: readonly Loaded[], report: TurnReport, side: Side): Fault[] {
	const faults: Fault[] = [];
	const totals = sumWindows(report.windows, side);
	const error = report.firstError[side];
	const lost = totals.errors + totals.resent;
	if (report.vanished[side] > 0 && lost > 0) {
		faults.push(
			fault(
				'restarted',
				side,
				`a process of the ${side} server ended and was replaced under load (${lost} requests or connections were lost)`,
			),
		);
	}
	if (totals.answers === 0 && totals.completed === 0) {
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
	faults.push(...loaded.flatMap(({ expect, to, seen }) => findWrongHeaders(expect, to, side, seen[side].headersOf)));
	const broken = scenario.statusLimit && brokenLimit(scenario.statusLimit, report, side);
	if (broken) faults.push(fault('status-limit', side, `${side} gave ${broken}`));
	return faults;
}

/** A mix would hide a rare request that is always answered wrongly. */
function checkRequest({ to, expect, seen, data }: Loaded, side: Side): Fault[] {
	const { completed, unexpected, samples } = seen[side];
	const judged = judgeSamples(expect, samples, data);
	const share = completed === 0 ? 0 : unexpected / completed;
	if (share > MOST_UNEXPECTED) {
		const first = judged.find(({ why }) => why !== null);
		const message = `${(100 * share).toFixed(2)} % of the answers of ${side}${to} under load were unexpected${first ? `; first: ${first.why}` : ''}`;
		return [fault('unexpected-answers', side, message)];
	}
	// Samples contain every wrong status but few other answers: these are counted above.
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
	const sum = (of: 'completed' | 'answers' | 'unexpected' | 'errors') =>
		counted.reduce((total, window) => total + (window[of] ?? 0), 0);
	const resent = counted.reduce((total, window) => total + (window.resent ?? 0), 0);
	// Windows that share an answer count a part of it each.
	return {
		completed: sum('completed'),
		answers: sum('answers'),
		unexpected: sum('unexpected'),
		errors: sum('errors'),
		resent,
	};
}

function judgeSamples(expect: Expectation, samples: readonly SampledAnswer[], data: readonly DataRow[]) {
	// Headers and sizes were checked before load.
	const { headers: _headers, headersOf: _headersOf, bodyBytes: _bodyBytes, ...textOnly } = expect;
	return samples.map(({ status, body, count, row }) => {
		const values = row === undefined ? undefined : data[row];
		const expected = values === undefined ? textOnly : fillExpectation(textOnly, values);
		// Only the length of a truncated body is known.
		const sampleExpectation = body.length < MAX_BODY ? expected : { status: expected.status };
		return { status, count, why: matchAnswer(sampleExpectation, { status, headers: {}, body, bytes: body.length }) };
	});
}

/** Uses arrival times, or window counts for external drivers. */
function brokenLimit(limit: StatusLimit, { statusTimes, windows }: TurnReport, side: Side): string | null {
	const stretch = findBrokenLimit(limit, statusTimes[side][limit.status] ?? []);
	return (
		stretch ??
		windows.flatMap((window) => window[side] ?? []).flatMap((windowSide) => findExceeded(limit, windowSide) ?? [])[0] ??
		null
	);
}

/** Returns a phrase if a window has more answers than the fixed windows that it can touch allow. */
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
 * Returns a phrase if a stretch exceeded the limit. It may span two fixed windows, so a right limiter lets through
 * twice as much. `times` ascend.
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

/**
 * Returns headers to look for in right answers with an unusual status (others are compared with answers before load).
 * Those matched by kind, or filled from a row, only have to be present.
 */
export function headersUnderLoad({ status: [usual], headersOf = {} }: Expectation): HeadersOfStatus {
	const others = Object.entries(headersOf).filter(([status]) => Number(status) !== usual);
	return Object.fromEntries(
		others.map(([status, headers]) => {
			const required = Object.entries(headers).filter(([, text]) => !isOptional(text));
			const wanted = required.slice(0, MOST_NAMES);
			const exact = (text: string) => (isHeaderKind(text) || placeholdersIn(text).length > 0 ? null : text);
			return [status, Object.fromEntries(wanted.map(([name, text]) => [name, exact(text)]))];
		}),
	);
}

export function findWrongHeaders(
	expect: Expectation,
	to: string,
	side: Side,
	seen: Readonly<Record<string, SeenHeaders>> = {},
): Fault[] {
	return Object.entries(headersUnderLoad(expect)).flatMap(([status, headers]) => {
		const { answers = 0, bare = 0, missing = 0, changed = [] } = seen[status] ?? {};
		const isMany = (count: number) => count > MOST_UNEXPECTED * answers;
		const names = Object.keys(headers);
		const faultOf = (count: number, what: string): Fault => ({
			code: 'wrong-header',
			side,
			message: `${((100 * count) / answers).toFixed(2)} % of the answers of ${side}${to} under load with status ${status} ${what}`,
		});
		const lacking = names.filter((_, at) => (missing & (1 << at)) !== 0);
		return [
			...(isMany(bare) ? [faultOf(bare, `were without a header that they must have: ${lacking.join(', ')}`)] : []),
			...Object.entries(headers).flatMap(([name, value], at) => {
				const count = changed[at] ?? 0;
				return value !== null && isMany(count)
					? [faultOf(count, `had a header ${name} that is not ${show(value)}`)]
					: [];
			}),
		];
	});
}
