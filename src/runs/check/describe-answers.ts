import { blameOf } from '../../judge/gate-row.ts';
import { leftOutWarnings } from '../../plan/plan-cells.ts';
import { countOf, formatCount } from '../../text/numbers.ts';
import { EXIT } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import type { RefusedCell } from '../../types/result.ts';
import { DIFFERENCES, type Fault, START_FAULTS } from '../../types/round.ts';
import type { VerifiedPair } from '../verify-pair.ts';

type Asked = Pick<VerifiedPair, 'plan' | 'planned' | 'refused'> & Partial<Pick<VerifiedPair, 'setup'>>;

/**
 * Returns the number of measurable cells, and a finding per reason for others: a note if only base breaks, else a
 * problem; exit code 3 if no cell is left.
 */
export function describeAnswers({ plan, planned, refused, setup }: Asked): readonly Finding[] {
	const fine = plan.cells.length - new Set(refused.map(({ cell }) => cell)).size;
	const exitCode = fine === 0 ? EXIT.nothingMeasured : EXIT.gateFailed;
	const cells = countOf(plan.cells.length, 'cell');
	const answered: Finding[] =
		fine === 0
			? []
			: [
					{
						kind: 'ok',
						about: 'answers',
						text: `${fine === plan.cells.length ? cells : `${fine} of ${cells}`} answered as expected, and alike on both sides${setup?.burst ? `, also in a burst of up to ${formatCount(setup.burst.requests)} requests` : ''}`,
					},
				];
	const oneSided = planned.oneSided.map(({ reason }) => noteOf(`${reason.replace(/\.$/, '')}, so it is not measured`));
	const leftOut = leftOutWarnings(planned.leftOut).map(({ message }) => noteOf(message));
	return [...answered, ...describeRefused(refused, exitCode), ...oneSided, ...leftOut];
}

function describeRefused(refused: readonly RefusedCell[], exitCode: number): readonly Finding[] {
	const byReason = Map.groupBy(refused, (one) => JSON.stringify(faultsOf(one)));
	return [...byReason.values()].flatMap((same) => {
		const [first] = same;
		if (first === undefined) return [];
		const faults = faultsOf(first);
		const onlyBase = blameOf({ verdict: 'invalid', warnings: faults }) === 'base' && exitCode !== EXIT.nothingMeasured;
		const text = `${[...new Set(same.map(({ cell }) => cell))].join(', ')}: ${joinFaults(faults)}`;
		const remedy = remedyFor(faults);
		return [onlyBase ? { ...noteOf(text), remedy } : { kind: 'problem', about: 'answers', text, remedy, exitCode }];
	});
}

function joinFaults(faults: readonly Fault[]): string {
	const messages = faults.map(({ message }) => message.replace(/\.$/, ''));
	const common = new Set(messages.map((message) => message.replace(/^(?:base|head) (?=gave )/, '')));
	const [only = ''] = common;
	return faults.length > 1 && common.size === 1 && only.startsWith('gave ')
		? `both sides ${only}`
		: messages.join('; ');
}

function faultsOf({ fault, others = [] }: RefusedCell): readonly Fault[] {
	return [fault, ...others];
}

/** By code of a fault; the first that applies. */
const REMEDIES: readonly (readonly [codes: readonly string[], remedy: string])[] = [
	[['server-missing'], 'rebase head on its base branch, or name a base that has the server'],
	[
		['wrong-protocol'],
		'let the server listen without TLS and HTTP/2 when it is measured, for example by a variable in env, and leave both to a proxy',
	],
	[
		START_FAULTS,
		"see that the server's command starts it from a fresh checkout, and that it listens on HOST and PORT: both sides run at once",
	],
	[
		DIFFERENCES,
		'if it may differ, write <any> in its place in expect.json, or beside expect a pattern in ignore (for text), or compare: status; else head changed it',
	],
	[
		['endless-answer'],
		'leave the scenario out if its answer is a stream: only answers that end within 10 s can be measured. Else give the answer a content-length, or close its connection',
	],
	[
		['limited'],
		'a comparison sends tens of thousands of requests from one address: switch the limiter off, or raise its limit, by a variable in env of the server',
	],
	[
		['unexpected-answers'],
		"see the server's log for what runs out under load (connections of a pool, a queue), or load it less: load: { connections: 4 }",
	],
	[['no-answer'], 'send this request to the server by hand, and see why it does not answer it'],
];
const TO_HTTPS = /with location "https:/;
const PORT_TAKEN = /cannot listen on .*, which (?:another process has|is) taken/;

function remedyFor(faults: readonly Fault[]): string {
	const says = (text: RegExp) => faults.some(({ message }) => text.test(message));
	if (says(PORT_TAKEN)) {
		return 'base and head run at the same time: listen on HOST and PORT. A second port (metrics, a debugger) needs a variable that turns it off, or that differs for each process, as in command: METRICS_PORT=$((PORT + 10000)) node server.js';
	}
	const found = REMEDIES.find(([codes]) => faults.some(({ code }) => codes.includes(code)));
	if (found !== undefined) return found[1];
	if (says(TO_HTTPS)) {
		return 'the server sends plain HTTP on to HTTPS: send headers: { x-forwarded-proto: https } with the request, as a proxy does, or switch that off by a variable in env';
	}
	return "correct the scenario's expect in the config, or what the server answers";
}

function noteOf(text: string): Finding {
	return { kind: 'note', about: 'answers', text };
}
