import { blameOf } from '../../judge/gate-row.ts';
import { leftOutWarnings } from '../../plan/plan-cells.ts';
import { countOf } from '../../text/numbers.ts';
import { EXIT } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import type { RefusedCell } from '../../types/result.ts';
import { DIFFERENCES, type Fault, START_FAULTS } from '../../types/round.ts';
import type { VerifiedPair } from '../verify-pair.ts';

type Asked = Pick<VerifiedPair, 'plan' | 'planned' | 'refused'>;

/**
 * Returns the number of measurable cells, and a finding per reason why others are not measurable. A cell that only base
 * breaks is a note, because a run continues without it. Otherwise it is a problem, with exit code 3 if no cell is left.
 */
export function describeAnswers({ plan, planned, refused }: Asked): readonly Finding[] {
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
						text: `${fine === plan.cells.length ? cells : `${fine} of ${cells}`} answered as expected, and alike on both sides`,
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

/** Merges a fault that both sides share. */
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

function remedyFor(faults: readonly Fault[]): string {
	const has = (codes: readonly string[]) => faults.some(({ code }) => codes.includes(code));
	if (has(['server-missing'])) return 'rebase head on its base branch, or name a base that has the server';
	if (has(START_FAULTS)) {
		return "see that the server's command starts it from a fresh checkout, and that it listens on HOST and PORT: both sides run at once";
	}
	if (has(DIFFERENCES)) {
		return 'if it may differ, write <any> in its place in expect.json, or beside expect a pattern in ignore (for text), or compare: status; else head changed it';
	}
	if (has(['endless-answer'])) {
		return 'leave the scenario out if its answer is a stream: only answers that end within 10 s can be measured. Else give the answer a content-length, or close its connection';
	}
	if (has(['no-answer'])) return 'send this request to the server by hand, and see why it does not answer it';
	return "correct the scenario's expect in the config, or what the server answers";
}

function noteOf(text: string): Finding {
	return { kind: 'note', about: 'answers', text };
}
