import { fillExpectation, fillRequest } from '../../text/placeholders.ts';
import { type DataRow, type Expectation, type HttpRequest, requestsOf, type Scenario } from '../../types/config.ts';
import type { Fault } from '../../types/round.ts';
import { otherSide, SIDES, type Side, type Sides } from '../../types/units.ts';
import type { Answer } from './answer.ts';
import { type AtRest, describeAtRest, describeRow, UNKNOWN } from './answers-at-rest.ts';
import { ask, NoAnswer } from './ask.ts';
import { compareAnswers } from './compare-answers.ts';
import { isCompressing } from './compression.ts';
import { findMismatch } from './match-answer.ts';

/** Longest wait for an answer. */
export const ANSWER_TIMEOUT_MS = 10_000;

export interface Verification extends AtRest {
	/** Empty when both sides answer everything as expected and alike. */
	readonly faults: readonly Fault[];
	/** What to load each side with: the scenario's request, with what was learnt from that side. */
	readonly request: Sides<HttpRequest>;
	/** The same for each request of a mix, placeholders not filled yet; no body is usual where each row has its own. */
	readonly mix?: readonly Omit<Verification, 'faults' | 'mix'>[];
}

/** One request of the scenario, with what its answers are held to. */
interface Question {
	/** How faults name it. */
	readonly label: string;
	readonly request: Sides<HttpRequest>;
	readonly expect: Expectation;
	readonly order: readonly Side[];
	/** Whether bodies are compared between the sides; statuses always are. */
	readonly comparesBody: (status: number) => boolean;
}

type Answers = Sides<Answer[]>;

/** How two running servers are asked. */
export interface Asking {
	/** Side that is asked first. */
	readonly first?: Side;
	/** Called before each request: resolves when neither server is at work. */
	readonly rest?: () => Promise<void>;
	readonly timeoutMs?: number;
	/** For each request of a mix the row it is asked with; null for one without placeholders. */
	readonly rows?: readonly (DataRow | null)[];
}

interface Manner extends Required<Omit<Asking, 'rows'>> {
	readonly once: readonly Side[];
	/** Whatever both answers of the outer side agree on did not tick over while the inner side answered. */
	readonly twice: readonly Side[];
}

/**
 * Returns the faults of a scenario on a pair of running servers, and the request to load each side with. Asks `learn`, then the
 * scenario's request twice per side, or each of a mix, then every check; each answer is held to its `expect` in full and compared
 * between the sides. Of a check that is answered with an error only the status is compared: the words of an error may change. Stops after
 * the first question without a complete answer and after a `learn` that failed. Fault codes: `wrong-status`, `wrong-header`,
 * `wrong-body`, `bodies-differ`, `no-answer`, `endless-answer`. Never rejects because of the servers.
 *
 * A server whose first request comes while the other one is at work is faster or slower for the rest of its life, by up to 10 %
 * (docs/evaluation.md, question 3): whoever measures these servers afterwards must let them `rest`.
 */
export async function verifyScenario(
	origins: Sides<string>,
	scenario: Scenario,
	asking: Asking = {},
): Promise<Verification> {
	const manner = mannerOf(asking);
	const faults: Fault[] = [];
	const put = async (question: Question) => {
		const { answers, faults: found } = await examine(origins, question, scenario, manner);
		faults.push(...found);
		return answers;
	};
	let withLearnt = (own: HttpRequest): Sides<HttpRequest> => both(own);
	const { learn } = scenario;
	if (learn) {
		const answers = await put({
			label: `${nameOf(learn.request)} (asked for its ${learn.header})`,
			request: both(learn.request),
			expect: { ...learn.expect, headers: { [learn.header]: '<any>', ...learn.expect.headers } },
			order: manner.once,
			comparesBody: () => true,
		});
		if (answers === null || faults.length > 0) return { faults, request: both(scenario.request), ...UNKNOWN };
		withLearnt = (own) => ({
			base: withHeader(own, learn.sendAs, answers.base[0]?.headers[learn.header]),
			head: withHeader(own, learn.sendAs, answers.head[0]?.headers[learn.header]),
		});
	}
	const request = withLearnt(scenario.request);
	const mix: Omit<Verification, 'faults' | 'mix'>[] = [];
	for (const [index, { request: own, expect }] of requestsOf(scenario).entries()) {
		const row = asking.rows?.[index] ?? null;
		const learnt = withLearnt(own);
		const fill = (one: HttpRequest) => (row === null ? one : fillRequest(one, row));
		const answers = await put({
			label: `${nameOf(fill(own))}${placeInMix(scenario, index)}`,
			request: { base: fill(learnt.base), head: fill(learnt.head) },
			expect: row === null ? expect : fillExpectation(expect, row),
			order: manner.twice,
			comparesBody: () => true,
		});
		if (answers === null) return { faults, request, ...UNKNOWN };
		const atRest =
			row === null
				? describeAtRest(answers, expect.status[0], isCompressing(own))
				: describeRow(answers, isCompressing(own));
		mix.push({ request: learnt, ...atRest });
	}
	for (const check of scenario.checks) {
		const answers = await put({
			label: `${nameOf(check.request)} (check ${JSON.stringify(check.name)})`,
			request: both(check.request),
			expect: check.expect,
			order: manner.once,
			comparesBody: (status) => status < 400,
		});
		if (answers === null) break;
	}
	return { ...(mix[0] ?? UNKNOWN), faults, request, ...(scenario.mix && { mix }) };
}

/** Returns how faults tell a request of a mix from the others: ` (request 2 of 3)`; nothing where there is only one. */
export function placeInMix({ mix = [] }: Scenario, index: number): string {
	return mix.length < 2 ? '' : ` (request ${index + 1} of ${mix.length})`;
}

/** Asks one question; answers are null when a side gave none. */
async function examine(
	origins: Sides<string>,
	question: Question,
	scenario: Scenario,
	{ rest, timeoutMs }: Manner,
): Promise<{ answers: Answers | null; faults: Fault[] }> {
	const answers: Answers = { base: [], head: [] };
	const silent: Fault[] = [];
	for (const side of question.order) {
		// The other side is asked all the same: it may be as silent.
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
	const wrong = SIDES.flatMap((side) => findFault(question, side, answers[side]));
	if (silent.length > 0) return { answers: null, faults: [...silent, ...wrong] };
	return { answers, faults: wrong.length > 0 ? wrong : compare(question, answers, scenario) };
}

function mannerOf({ first = 'base', rest = async () => {}, timeoutMs = ANSWER_TIMEOUT_MS }: Asking): Manner {
	const second = otherSide(first);
	return { first, rest, timeoutMs, once: [first, second], twice: [first, second, second, first] };
}

function findFault(question: Question, side: Side, answers: readonly Answer[]): Fault[] {
	for (const answer of answers) {
		const mismatch = findMismatch(question.expect, answer);
		if (mismatch) return [fault(mismatch.code, side, question.label, mismatch.message)];
	}
	return [];
}

function compare(question: Question, { base, head }: Answers, scenario: Scenario): Fault[] {
	// Which of several requests a limiter lets through depends on when they come, not on the side.
	const limited = scenario.statusLimit !== undefined && base[0]?.status !== head[0]?.status;
	if (limited) return [];
	const judged = (answer: Answer) =>
		question.comparesBody(answer.status) ? answer : { ...answer, body: '', bytes: 0 };
	const difference = compareAnswers(base.map(judged), head.map(judged));
	return difference === null ? [] : [fault('bodies-differ', null, question.label, difference)];
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

/** Returns how faults name a request: `GET /users`. */
export function nameOf(request: HttpRequest): string {
	return `${request.method} ${request.path}`;
}

function withHeader(request: HttpRequest, name: string, value = ''): HttpRequest {
	return { ...request, headers: { ...request.headers, [name]: value } };
}
