import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../servers/http-server.ts';
import { type Answer, refuse } from './answer.ts';
import { explain } from './description/check-request.ts';
import { complete } from './description/complete.ts';
import { findOperation, type Operation } from './description/description.ts';
import { validatorOf } from './description/schemas.ts';
import { type RawRequest, respond } from './respond.ts';
import { initialState } from './state.ts';
import { createStorage } from './storage.ts';
import type { Call, Double, DoubleState, Fault } from './types.ts';

/**
 * Returns a double of GitHub's API on its own port, holding `state`. Every request and every answer is checked against
 * GitHub's own description; a request that GitHub would reject, or an answer it would never give, makes `close()`
 * throw.
 */
export async function startDouble(state: Partial<DoubleState> = {}): Promise<Double> {
	const current = initialState(state);
	const calls: Call[] = [];
	const invalidRequests: string[] = [];
	const invalidAnswers: string[] = [];
	const storage = await listen(createStorage(current, calls, invalidRequests));

	async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const raw = await readRequest(incoming, api.origin, storage.origin);
		const match = findOperation(raw.method, raw.url.pathname);
		const fault = strike(`${raw.method} ${raw.url.pathname}`, current);
		const answer = fault && !fault.applied ? null : respond(raw, match, current);
		const label = `${raw.method} ${raw.url.pathname}${raw.url.search}`;
		if (answer?.invalid) invalidRequests.push(`${label}: ${JSON.stringify(answer.body)}`);
		if (answer && match)
			invalidAnswers.push(...answerProblems(match.operation, answer).map((problem) => `${label}: ${problem}`));
		const sent = fault ? answerOf(fault) : filled(match?.operation, answer as Answer);
		calls.push(callOf(raw, sent.status, match?.operation.id ?? null));
		send(sent, current, outgoing);
	}

	const api = await listen(
		createServer((incoming, outgoing) => {
			serve(incoming, outgoing).catch((error: unknown) => {
				invalidAnswers.push(`${incoming.method} ${incoming.url}: ${error instanceof Error ? error.stack : error}`);
				send(refuse(500, 'Server Error'), current, outgoing);
			});
		}),
	);
	return {
		url: api.origin,
		state: current,
		calls,
		get problems() {
			return [...invalidRequests, ...invalidAnswers];
		},
		async close() {
			await Promise.all([api[Symbol.asyncDispose](), storage[Symbol.asyncDispose]()]);
			const problems = [...(current.allowInvalid ? [] : invalidRequests), ...invalidAnswers];
			if (problems.length > 0) throw new Error(`not as GitHub's description says:\n${problems.join('\n')}`);
		},
	};
}

async function readRequest(incoming: IncomingMessage, origin: string, storageUrl: string): Promise<RawRequest> {
	return {
		method: incoming.method ?? '',
		url: new URL(incoming.url ?? '/', origin),
		headers: incoming.headers,
		text: await text(incoming),
		token: /^(?:token|bearer) (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1] ?? null,
		storageUrl,
	};
}

function callOf(raw: RawRequest, status: number, operationId: string | null): Call {
	let body: unknown;
	try {
		body = raw.text === '' ? undefined : JSON.parse(raw.text);
	} catch {
		body = raw.text;
	}
	const query = Object.fromEntries(raw.url.searchParams);
	return { method: raw.method, path: raw.url.pathname, query, body, status, operationId, token: raw.token };
}

function strike(request: string, state: DoubleState): Fault | undefined {
	const fault = state.faults.find(({ match, times }) => times > 0 && match.test(request));
	if (fault) fault.times--;
	return fault;
}

function answerOf(fault: Fault): Answer {
	const body = fault.body ?? refuse(fault.status, fault.status < 500 ? 'Forbidden' : 'Server Error').body;
	return { status: fault.status, body, ...(fault.headers && { headers: fault.headers }) };
}

/** The answer, completed with required properties that the handler left out. */
function filled(operation: Operation | undefined, answer: Answer): Answer {
	const schema = answer.status < 400 ? operation?.answers.get(answer.status) : undefined;
	return schema ? { ...answer, body: complete(schema, answer.body) } : answer;
}

function answerProblems(operation: Operation, answer: Answer): string[] {
	// Refusals have GitHub's words; their other properties differ from the description, on GitHub too.
	if (answer.status >= 400) return [];
	if (!operation.answers.has(answer.status)) return [`answered ${answer.status}, which is not described`];
	const schema = operation.answers.get(answer.status);
	if (!schema) return answer.body === undefined ? [] : ['answered a body where none is described'];
	const validate = validatorOf(schema);
	return validate(filled(operation, answer).body) ? [] : explain(validate.errors).map((text) => `answered: ${text}`);
}

function send(answer: Answer, { rateLimit }: DoubleState, outgoing: ServerResponse): void {
	if (answer.status === 0) {
		outgoing.destroy();
		return;
	}
	const headers = {
		'x-ratelimit-limit': String(rateLimit.limit),
		'x-ratelimit-remaining': String(rateLimit.remaining),
		'x-ratelimit-reset': String(rateLimit.reset),
		'x-ratelimit-used': String(rateLimit.limit - rateLimit.remaining),
		'x-ratelimit-resource': 'core',
		'x-github-media-type': 'github.v3; format=json',
		...(answer.body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
		...answer.headers,
	};
	outgoing.writeHead(answer.status, headers);
	outgoing.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}
