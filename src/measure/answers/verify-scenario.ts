import { setTimeout as delay } from 'node:timers/promises';
import { fillExpectation, fillRequest } from '../../text/placeholders.ts';
import {
	type DataRow,
	type Expectation,
	type HttpRequest,
	type Learn,
	requestsOf,
	type Scenario,
} from '../../types/config.ts';
import { type Fault, OTHER_HEADERS } from '../../types/round.ts';
import { otherSide, SIDES, type Side, type Sides } from '../../types/units.ts';
import type { Answer } from './answer.ts';
import { type AtRest, describeAtRest, describeRow, UNKNOWN } from './answers-at-rest.ts';
import { ask, isCompressing, NoAnswer } from './ask.ts';
import { compareAnswers, describeOtherHeaders } from './compare-answers.ts';
import { mayExpire, nameLearnt, readLearnt, withLearnt } from './learnt.ts';
import { findMismatch, type Mismatch } from './match-answer.ts';
import { type RevisionNames, withoutOwnOrigin } from './own-texts.ts';

/** Longest wait for an answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** Per question. */
const MOST_KEPT = 6;
/** A random order of two items repeats half the time. */
const MOST_REPEATS = 2;
/** Lets a clock in whole seconds tick. */
const TICK_MS = 1_100;
/** RFC 9110, 9.2.1. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

export interface Verification extends AtRest {
	readonly faults: readonly Fault[];
	/** Of the first request with one. */
	readonly remarks?: readonly Fault[];
	/** Contains the value learnt from that side. */
	readonly request: Sides<HttpRequest>;
	/** One per request of a mix, with unfilled placeholders. */
	readonly mix?: readonly Omit<Verification, 'faults' | 'remarks' | 'mix'>[];
	/** Base's answers to questions on which the sides disagreed, now or in earlier processes. */
	readonly disputed?: BaseAnswers;
}

/** Answers by question, without server addresses. */
export type BaseAnswers = ReadonlyMap<string, readonly Answer[]>;

interface Question {
	readonly label: string;
	readonly request: Sides<HttpRequest>;
	readonly expect: Expectation;
	readonly order: readonly Side[];
	/** If true, asking again does not affect later questions. */
	readonly isRepeatable?: boolean;
	readonly findMore?: (answer: Answer) => Mismatch | null;
	/** Whether bodies with this status are compared. If absent, not even statuses are compared. */
	readonly comparesBody?: (status: number) => boolean;
}

type Answers = Sides<Answer[]>;

export interface Asking {
	readonly first?: Side;
	/** Resolves when neither server is working. */
	readonly rest?: () => Promise<void>;
	readonly timeoutMs?: number;
	/** One per request of a mix; null for a request without placeholders. */
	readonly rows?: readonly (DataRow | null)[];
	/** Answers of other base processes. */
	readonly earlier?: BaseAnswers;
	readonly names?: RevisionNames;
	readonly unrelated?: boolean | undefined;
}

interface Manner extends Required<Omit<Asking, 'rows'>> {
	readonly once: readonly Side[];
	/** The outer two answers come from one side. Parts equal in both did not tick in between. */
	readonly twice: readonly Side[];
}

/**
 * Returns the faults of a scenario on two running servers, and the requests to load them with. Answers must match
 * `expect` and, except for `learn`, agree between the sides; error answers to checks only in status. While the sides
 * disagree, a repeatable request is asked up to twice more, because varying parts may have been equal by chance. Never
 * rejects because of the servers.
 *
 * To measure these servers later, pass `rest` (docs/evaluation.md, question 3).
 */
export async function verifyScenario(
	origins: Sides<string>,
	scenario: Scenario,
	asking: Asking = {},
): Promise<Verification> {
	const manner = mannerOf(asking);
	const faults: Fault[] = [];
	const remarks: Fault[] = [];
	const disputed = new Map<string, readonly Answer[]>();
	const put = async (question: Question) => {
		const { answers, faults: questionFaults } = await examine(origins, question, scenario, manner);
		faults.push(...questionFaults);
		const earlierAnswers = manner.earlier.get(question.label);
		if (answers !== null && (earlierAnswers || questionFaults.some(({ code }) => code === 'bodies-differ'))) {
			const base = answers.base.map((answer) => withoutOwnOrigin(answer, origins.base));
			disputed.set(question.label, keepDistinct([...(earlierAnswers ?? []), ...base]));
		}
		return answers;
	};
	const outcome = (fields: Omit<Verification, 'faults'>): Verification => ({
		...fields,
		faults,
		...(remarks.length > 0 && { remarks }),
		...(disputed.size > 0 && { disputed }),
	});
	const { learn } = scenario;
	const learnt = learn && (await learnValues(origins, learn, manner));
	if (learnt && 'faults' in learnt) return { faults: learnt.faults, request: both(scenario.request), ...UNKNOWN };
	const withValue = (plainRequest: HttpRequest): Sides<HttpRequest> =>
		learn && learnt
			? { base: withLearnt(plainRequest, learn, learnt.base), head: withLearnt(plainRequest, learn, learnt.head) }
			: both(plainRequest);
	const request = withValue(scenario.request);
	const mix: Omit<Verification, 'faults' | 'remarks' | 'mix'>[] = [];
	for (const [index, { request: plainRequest, expect }] of requestsOf(scenario).entries()) {
		const row = asking.rows?.[index] ?? null;
		const sideRequests = withValue(plainRequest);
		const fill = (one: HttpRequest) => (row === null ? one : fillRequest(one, row));
		const label = `${nameOf(fill(plainRequest))}${placeInMix(scenario, index)}`;
		const answers = await put({
			label,
			request: { base: fill(sideRequests.base), head: fill(sideRequests.head) },
			expect: row === null ? expect : fillExpectation(expect, row),
			order: manner.twice,
			isRepeatable: true,
			comparesBody: () => true,
		});
		if (answers === null) return outcome({ request, ...UNKNOWN });
		if (remarks.length === 0) remarks.push(...remarkOnHeaders(label, answers, manner));
		const atRest =
			row === null
				? describeAtRest(answers, expect.status[0], isCompressing(plainRequest))
				: describeRow(answers, isCompressing(plainRequest));
		mix.push({ request: sideRequests, ...atRest });
	}
	for (const check of scenario.checks) {
		const answers = await put({
			label: `${nameOf(check.request)} (check ${JSON.stringify(check.name)})`,
			request: both(check.request),
			expect: check.expect,
			order: manner.once,
			isRepeatable: SAFE_METHODS.includes(check.request.method),
			comparesBody: (status) => status < 400,
		});
		if (answers === null) break;
	}
	return outcome({ ...(mix[0] ?? UNKNOWN), request, ...(scenario.mix && { mix }) });
}

/** Tokens always differ, so the sides' answers are not compared. */
async function learnValues(
	origins: Sides<string>,
	learn: Learn,
	manner: Manner,
): Promise<Sides<string> | { readonly faults: readonly Fault[] }> {
	const read = (answer: Answer | undefined) => answer && readLearnt(learn, answer, Date.now());
	const question = {
		label: `${nameOf(learn.request)} (asked for its ${nameLearnt(learn)})`,
		request: both(learn.request),
		expect: learn.expect,
		order: manner.once,
		findMore: (answer: Answer) => {
			const reading = read(answer);
			return typeof reading === 'object' ? reading : null;
		},
	};
	const { answers, faults } = await examine(origins, question, {}, manner);
	const [base, head] = [read(answers?.base[0]), read(answers?.head[0])];
	return typeof base === 'string' && typeof head === 'string' && faults.length === 0 ? { base, head } : { faults };
}

/**
 * Returns a function that renews the learnt value and returns new requests, or null after faults (passed to `note`);
 * undefined if the value cannot expire.
 */
export function learnerOf(
	origins: Sides<string>,
	scenario: Scenario,
	note: (faults: readonly Fault[]) => void,
): (() => Promise<Sides<readonly HttpRequest[]> | null>) | undefined {
	const { learn } = scenario;
	if (learn === undefined || !mayExpire(learn)) return undefined;
	return async () => {
		const values = await learnValues(origins, learn, mannerOf({}));
		if ('faults' in values) {
			note(values.faults);
			return null;
		}
		const of = (value: string) => requestsOf(scenario).map(({ request }) => withLearnt(request, learn, value));
		return { base: of(values.base), head: of(values.head) };
	};
}

export function placeInMix({ mix = [] }: Scenario, index: number): string {
	return mix.length < 2 ? '' : ` (request ${index + 1} of ${mix.length})`;
}

async function examine(
	origins: Sides<string>,
	question: Question,
	limits: Pick<Scenario, 'statusLimit'>,
	manner: Manner,
): Promise<{ answers: Answers | null; faults: Fault[] }> {
	const { answers, silent } = await askInOrder(origins, question, manner);
	const findWrong = (someAnswers: Answers) => SIDES.flatMap((side) => findFault(question, side, someAnswers[side]));
	const wrong = findWrong(answers);
	if (silent.length > 0) return { answers: null, faults: [...silent, ...wrong] };
	if (wrong.length > 0) return { answers, faults: wrong };
	let faults = compare(question, answers, origins, limits, manner);
	for (let repeat = 1; faults.length > 0 && question.isRepeatable && repeat <= MOST_REPEATS; repeat++) {
		if (repeat === MOST_REPEATS) await delay(TICK_MS);
		const more = await askInOrder(origins, question, manner);
		if (more.silent.length > 0 || findWrong(more.answers).length > 0) break;
		for (const side of SIDES) answers[side].push(...more.answers[side]);
		faults = compare(question, answers, origins, limits, manner);
	}
	return { answers, faults };
}

async function askInOrder(
	origins: Sides<string>,
	question: Question,
	{ rest, timeoutMs }: Manner,
): Promise<{ answers: Answers; silent: Fault[] }> {
	const answers: Answers = { base: [], head: [] };
	const silent: Fault[] = [];
	for (const side of question.order) {
		// The other side is still asked, because it may be silent too.
		if (silent.some((one) => one.side === side)) continue;
		await rest();
		try {
			answers[side].push(await ask(origins[side], question.request[side], { timeoutMs }));
		} catch (error) {
			if (!(error instanceof NoAnswer)) throw error;
			const { isUnasked, isEndless, message } = error;
			silent.push(
				isUnasked
					? { code: 'no-answer', side: null, message: `${side} could not be asked: ${message}` }
					: fault(isEndless ? 'endless-answer' : 'no-answer', side, question.label, message),
			);
		}
	}
	return { answers, silent };
}

function remarkOnHeaders(label: string, { base, head }: Answers, { unrelated }: Manner): Fault[] {
	const differences = unrelated ? null : describeOtherHeaders(base, head);
	if (differences === null) return [];
	const message = `Head ${differences} in its answers to ${label}; the change includes the cost of these headers.`;
	return [{ code: OTHER_HEADERS, side: null, message }];
}

function mannerOf({ first = 'base', rest = async () => {}, timeoutMs = ANSWER_TIMEOUT_MS, ...more }: Asking): Manner {
	const second = otherSide(first);
	const { earlier = new Map(), names = [], unrelated = false } = more;
	return {
		first,
		rest,
		timeoutMs,
		earlier,
		names,
		unrelated,
		once: [first, second],
		twice: [first, second, second, first],
	};
}

function findFault(question: Question, side: Side, answers: readonly Answer[]): Fault[] {
	for (const answer of answers) {
		const mismatch = findMismatch(question.expect, answer) ?? question.findMore?.(answer);
		if (mismatch) return [fault(mismatch.code, side, question.label, mismatch.message)];
	}
	return [];
}

function compare(
	{ label, expect, comparesBody }: Question,
	answers: Answers,
	origins: Sides<string>,
	{ statusLimit }: Pick<Scenario, 'statusLimit'>,
	{ earlier, names, unrelated }: Manner,
): Fault[] {
	// A limiter depends on times, not on the side.
	const statuses = new Set([...answers.base, ...answers.head].map(({ status }) => status));
	const limited = statusLimit !== undefined && statuses.size > 1;
	if (comparesBody === undefined || limited) return [];
	const judged = (answer: Answer) =>
		comparesBody(answer.status) ? answer : { ...answer, headers: {}, body: '', bytes: 0 };
	const of = (side: Side) => answers[side].map((answer) => judged(withoutOwnOrigin(answer, origins[side])));
	const earlierAnswers = earlier.get(label)?.map(judged);
	const difference = compareAnswers(of('base'), of('head'), {
		expect,
		names,
		unrelated,
		...(earlierAnswers && { earlier: earlierAnswers }),
	});
	return difference === null ? [] : [fault('bodies-differ', null, label, difference)];
}

function keepDistinct(answers: readonly Answer[]): readonly Answer[] {
	const distinctAnswers = new Map<string, Answer>();
	for (const answer of answers) {
		const { date: _, ...headers } = answer.headers;
		const key = JSON.stringify([answer.status, headers, answer.body]);
		if (distinctAnswers.size < MOST_KEPT && !distinctAnswers.has(key)) distinctAnswers.set(key, answer);
	}
	return [...distinctAnswers.values()];
}

function fault(code: string, side: Side | null, label: string, message: string): Fault {
	const who = side ?? 'base and head';
	const what: Readonly<Record<string, string>> = {
		'no-answer': 'did not answer',
		'endless-answer': 'did not finish its answer to',
		'bodies-differ': 'disagree on',
	};
	return { code, side, message: `${who} ${what[code] ?? 'gave a wrong answer to'} ${label}: ${message}` };
}

function both<T>(value: T): Sides<T> {
	return { base: value, head: value };
}

export function nameOf(request: HttpRequest): string {
	return `${request.method} ${request.path}`;
}
