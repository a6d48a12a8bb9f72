import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { parseWorkflow, type Surroundings, usesBenchgate } from '../../init/workflows/executed-files.ts';
import { DEFAULT_KEY } from '../../types/action-run.ts';
import { INPUT_NAMES, type InputName } from '../request/inputs.ts';

/** A call of benchgate in a step or through a reusable workflow. */
export interface Call {
	/** Literal inputs. */
	readonly inputs: Readonly<Partial<Record<InputName, string>>>;
	/** Inputs that are expressions, except those that only a manual start fills. */
	readonly open: readonly InputName[];
}

const EXPRESSION = /\$\{\{/;
/** Inputs of a manual start. They are empty for pull requests and merge groups. */
const TYPED = /^\s*\$\{\{\s*(?:inputs|github\.event\.inputs)\.[\w-]+\s*\}\}\s*$/;
const OTHER_MODES: readonly string[] = ['report', 'selftest'];

/**
 * Returns all calls of benchgate that compare. Returns none for an invalid workflow, or if the calls are not in this
 * file.
 */
export function readCalls(text: string, where: Pick<Surroundings, 'isOwn'>): readonly Call[] {
	const jobs = Object.values(asMapping(asMapping(parseWorkflow(text)).jobs));
	return jobs
		.flatMap((job) => [asMapping(job), ...asList(asMapping(job).steps).map(asMapping)])
		.filter(({ uses }) => typeof uses === 'string' && usesBenchgate(uses, where))
		.map((caller) => callOf(asMapping(caller.with)))
		.filter(({ inputs }) => !OTHER_MODES.includes(inputs.mode ?? ''));
}

/**
 * Returns the call with a key: the only call, else the only one with this key, else the only one whose key is an
 * expression.
 */
export function chooseCall(calls: readonly Call[], key: string): Call | null {
	if (calls.length < 2) return calls[0] ?? null;
	const open = calls.filter((call) => call.open.includes('comment-key'));
	const named = calls.filter((call) => !open.includes(call) && (call.inputs['comment-key'] ?? DEFAULT_KEY) === key);
	const [only, ...others] = named.length > 0 ? named : open;
	return only && others.length === 0 ? only : null;
}

function callOf(inputValues: Readonly<Record<string, unknown>>): Call {
	const inputs: Partial<Record<InputName, string>> = {};
	const open: InputName[] = [];
	for (const name of INPUT_NAMES) {
		const value = Object.hasOwn(inputValues, name) ? inputValues[name] : undefined;
		if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
		if (TYPED.test(String(value))) continue;
		if (EXPRESSION.test(String(value))) open.push(name);
		else inputs[name] = String(value);
	}
	return { inputs, open };
}
