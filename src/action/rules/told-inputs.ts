import { inputOf } from '../../config/option-names.ts';
import type { BenchCommand } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import { SIDES, type Warning } from '../../types/units.ts';
import {
	type ActionInputs,
	DECIDING,
	DRIFT_INPUTS,
	type InputName,
	optionsIn,
	parseInputs,
} from '../request/inputs.ts';
import type { BaseBranch } from './base-branch.ts';
import { type Call, chooseCall } from './measuring-workflow.ts';

export type Wishes = Pick<ActionInputs, 'gate' | 'onInconclusive' | 'options'>;

export interface Asked {
	/** Key of the measuring job, also for a command's report. */
	readonly key: string;
	readonly command?: BenchCommand | null;
	/** The reporting job's clock, because a measuring run could lie. */
	readonly now?: Date;
}

/** Trusted inputs of the measuring job. */
export interface Told {
	readonly inputs: ActionInputs;
	/** Includes the reporting job's overrides. */
	readonly options: ActionInputs['options'];
	/** True if a revision is an expression, which is known only at run time. */
	readonly computed: boolean;
	/** True if revisions are named or computed: the changed files are then not the sides' difference. */
	readonly revisionsGiven: boolean;
	readonly notes: readonly Warning[];
	readonly doubts: readonly string[];
}

/** An open question, as a sentence. */
export interface Doubt {
	readonly doubt: string;
	/** The base branch has no valid config, so nothing is blocked. */
	readonly adoption?: boolean;
}

/**
 * Returns the inputs of the reporting job, else those in the base branch's workflow, or a doubt if these are unclear.
 */
export function readTold(
	{ branch, workflow, calls }: BaseBranch,
	wishes: Wishes,
	{ key, command }: Required<Asked>,
): Told | Doubt {
	const call = chooseCall(calls ?? [], key);
	const wished = DECIDING.filter((name) => wishes.options[name] !== undefined);
	if (call === null && wished.every((name) => DRIFT_INPUTS.includes(name))) {
		const file = workflow === null ? 'the measuring workflow' : workflow;
		const why =
			calls === null
				? `${branch.name} has no ${file}`
				: `${file} on ${branch.name} does not show how it calls benchgate`;
		return { doubt: `The rows to measure are unknown: ${why}. ${HELP}` };
	}
	const commanded = optionsIn(command);
	const open = openIn(call, [...wished, ...Object.keys(commanded)]);
	if (open.length > 0) {
		const names = open.join(', ');
		return { doubt: `The rows to measure are unknown: ${workflow} computes ${names}. ${HELP}` };
	}
	try {
		const inputs = parseInputs({ ...call?.inputs });
		const options = { ...inputs.options };
		for (const name of [...wished, ...SIDES]) options[name] = wishes.options[name] ?? options[name];
		Object.assign(options, commanded);
		if (wishes.onInconclusive !== undefined) options.onInconclusive = wishes.onInconclusive;
		const named = SIDES.some((name) => [inputs.options[name], wishes.options[name]].some(isSaid));
		const computed = SIDES.some((name) => wishes.options[name] === undefined && call?.open.includes(name) === true);
		const revisionsGiven = named || SIDES.some((name) => call?.open.includes(name) === true);
		return { inputs, options, computed, revisionsGiven, ...describeComputed(call?.open ?? [], wishes, workflow) };
	} catch (error) {
		if (!isUserError(error)) throw error;
		return { doubt: `The inputs in ${workflow} on ${branch.name} cannot be read: ${error.message}` };
	}
}

function isSaid(text: string | undefined): boolean {
	return text !== undefined;
}

const HELP = 'Give the reporting job the same inputs as the measuring job (docs/fork-pull-requests.md).';

function openIn(call: Call | null, overrides: readonly string[]): readonly InputName[] {
	const deciding = DECIDING.filter((name) => !overrides.includes(name)).map((name): InputName => inputOf(name));
	return call?.open.filter((name) => deciding.includes(name) || name === 'config-from') ?? [];
}

/** Describes inputs that affect the check, not the measurement. */
function describeComputed(
	open: readonly InputName[],
	{ gate, onInconclusive }: Wishes,
	workflow: string | null,
): Pick<Told, 'notes' | 'doubts'> {
	const notes: Warning[] = [];
	const doubts: string[] = [];
	const where = workflow ?? 'The measuring workflow';
	if (gate === undefined && open.includes('gate')) {
		const message = `${where} computes gate, so enforce applied here. ${HELP}`;
		notes.push({ code: 'gate-unknown', message });
	}
	if (onInconclusive === undefined && open.includes('on-inconclusive')) {
		doubts.push(`The effect of an undecided row is unknown: ${where} computes on-inconclusive. ${HELP}`);
	}
	return { notes, doubts };
}
