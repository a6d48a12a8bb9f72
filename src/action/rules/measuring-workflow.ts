import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { parseWorkflow, type Surroundings, usesBenchgate } from '../../init/workflows/executed-files.ts';
import { DEFAULT_KEY } from '../../types/action-run.ts';
import { INPUT_NAMES, type InputName } from '../request/inputs.ts';

/** How a workflow calls benchgate once: in a step, or through one of the reusable workflows. */
export interface Call {
	/** Inputs that stand there as plain values. */
	readonly inputs: Readonly<Partial<Record<InputName, string>>>;
	/** Inputs whose value is an expression, so that only the run knew it; not those that are empty except for a run by hand. */
	readonly open: readonly InputName[];
}

const EXPRESSION = /\$\{\{/;
/** An input that somebody types when they start the workflow by hand: a pull request and a merge group leave it empty. */
const TYPED = /^\s*\$\{\{\s*(?:inputs|github\.event\.inputs)\.[\w-]+\s*\}\}\s*$/;
/** What other modes do is none of a comparison. */
const OTHER_MODES: readonly string[] = ['report', 'selftest'];

/**
 * Returns every place in which a workflow compares with benchgate, and with which inputs; empty when it calls benchgate in a
 * way that cannot be read from this file alone, or is no workflow.
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
 * Returns the one call whose report has this comment key: the only one there is, the one that names the key, or the only one
 * whose key is an expression; null when that does not single one out.
 */
export function chooseCall(calls: readonly Call[], key: string): Call | null {
	if (calls.length < 2) return calls[0] ?? null;
	const open = calls.filter((call) => call.open.includes('comment-key'));
	const named = calls.filter((call) => !open.includes(call) && (call.inputs['comment-key'] ?? DEFAULT_KEY) === key);
	const [only, ...others] = named.length > 0 ? named : open;
	return only && others.length === 0 ? only : null;
}

function callOf(given: Readonly<Record<string, unknown>>): Call {
	const inputs: Partial<Record<InputName, string>> = {};
	const open: InputName[] = [];
	for (const name of INPUT_NAMES) {
		const value = Object.hasOwn(given, name) ? given[name] : undefined;
		if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
		if (TYPED.test(String(value))) continue;
		if (EXPRESSION.test(String(value))) open.push(name);
		else inputs[name] = String(value);
	}
	return { inputs, open };
}
