import { blameOf } from '../../judge/gate-row.ts';
import { isObject, parseDocument } from '../../measure/answers/answer.ts';
import { leftOutWarnings } from '../../plan/plan-cells.ts';
import { remedyFor } from '../../report/remedies.ts';
import { countOf, formatCount } from '../../text/numbers.ts';
import { EXIT } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import type { Cell } from '../../types/plan.ts';
import type { RefusedCell } from '../../types/result.ts';
import type { Fault } from '../../types/round.ts';
import type { VerifiedPair } from '../verify-pair.ts';

type Asked = Pick<VerifiedPair, 'plan' | 'planned' | 'refused'> & Partial<Pick<VerifiedPair, 'setup'>>;

/** Returns findings: notes if only base breaks, else problems; exit code 3 if no cell is left. */
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
	const errors = describeErrors(plan.cells, setup);
	const remarks = describeRemarks(setup);
	return [...answered, ...describeRefused(refused, exitCode), ...errors, ...remarks, ...oneSided, ...leftOut];
}

function describeRemarks(setup: Asked['setup']): Finding[] {
	const remarks = [...(setup?.answered ?? [])].flatMap(([cell, { remarks: ofCell }]) =>
		ofCell.map(({ message }) => ({ cell, message })),
	);
	return [...Map.groupBy(remarks, ({ message }) => message)].map(([message, same]) =>
		noteOf(`${same.map(({ cell }) => cell).join(', ')}: ${message.replace(/\.$/, '')}`),
	);
}

/** A note on each unchecked body that names an error. */
function describeErrors(cells: readonly Cell[], setup: Asked['setup']): Finding[] {
	return cells.flatMap(({ id, scenario: name }) => {
		const scenario = setup?.config.scenarios.find((one) => one.name === name);
		const body = setup?.answered?.get(id)?.body ?? '';
		if (scenario === undefined || scenario.expect.json !== undefined || scenario.expect.text !== undefined) return [];
		if (scenario.expect.status.some((status) => status >= 400) || !isErrorBody(body)) return [];
		const text = `${id} may measure an error: it answers ${body.replace(/\s+/g, ' ').slice(0, MOST_SHOWN)}`;
		return [{ ...noteOf(text), remedy: 'correct its request, or write what is right into json: or text: of expect' }];
	});
}

const MOST_SHOWN = 100;
const IS_FALSE = ['success', 'ok'];
const IS_SET = ['error', 'errors', 'err', 'errorCode', 'error_code'];
const IS_CODE = ['code', 'errcode', 'errno'];

function isErrorBody(body: string): boolean {
	const document = parseDocument(body)?.value;
	if (!isObject(document)) return false;
	const has = (keys: readonly string[], test: (value: unknown) => boolean) => keys.some((key) => test(document[key]));
	return (
		has(IS_FALSE, (value) => value === false) ||
		has(IS_SET, (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value))) ||
		has(IS_CODE, (value) => Number.isInteger(value) && !/^(?:[01]|2\d\d)$/.test(String(value))) ||
		has(['status'], (value) => /^(?:error|fail(?:ed|ure)?)$/i.test(String(value)))
	);
}

function describeRefused(refused: readonly RefusedCell[], exitCode: number): readonly Finding[] {
	const byReason = Map.groupBy(refused, (one) => JSON.stringify(faultsOf(one)));
	return [...byReason.values()].flatMap((same) => {
		const [first] = same;
		if (first === undefined) return [];
		const faults = faultsOf(first);
		const onlyBase = blameOf({ verdict: 'invalid', warnings: faults }) === 'base' && exitCode !== EXIT.nothingMeasured;
		const text = `${[...new Set(same.map(({ cell }) => cell))].join(', ')}: ${joinFaults(faults)}`;
		const remedy = remedyFor(faults) ?? "correct the scenario's expect in the config, or what the server answers";
		return [onlyBase ? { ...noteOf(text), remedy } : { kind: 'problem', about: 'answers', text, remedy, exitCode }];
	});
}

const SIDED = /^(?:base|head) (?=gave )|\b(?:base|head) (?=server )/;

function joinFaults(faults: readonly Fault[]): string {
	const messages = faults.map(({ message }) => message.replace(/\.$/, ''));
	const common = new Set(messages.map((message) => message.replace(SIDED, '')));
	const [only = ''] = common;
	if (faults.length < 2 || common.size > 1 || !messages.every((message) => SIDED.test(message)))
		return messages.join('; ');
	return only.startsWith('gave ') ? `both sides ${only}` : `on both sides ${only}`;
}

function faultsOf({ fault, others = [] }: RefusedCell): readonly Fault[] {
	return [fault, ...others];
}

function noteOf(text: string): Finding {
	return { kind: 'note', about: 'answers', text };
}
