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

/** The inputs of the reporting job that say what it expects. */
export type Wishes = Pick<ActionInputs, 'gate' | 'onInconclusive' | 'options'>;

/** Whose rules are asked for. */
export interface Asked {
	/** Comment key of the measuring job, also where a comment gave its report another one. */
	readonly key: string;
	/** What a comment asked of the attempt; null when none did. */
	readonly command?: BenchCommand | null;
	/** The reporting job's own clock: what a measuring run says of the time is its own word. */
	readonly now?: Date;
}

/** What the measuring job is to be told, by those who may say so. */
export interface Told {
	readonly inputs: ActionInputs;
	/** With what the reporting job says on top. */
	readonly options: ActionInputs['options'];
	/** Whether a revision is an expression, known only at run time. */
	readonly computed: boolean;
	/** Whether a revision is named or computed: then the files of the change are not what base and head differ in. */
	readonly revisionsGiven: boolean;
	/** What is said, without consequence. */
	readonly notes: readonly Warning[];
	/** What is left open, although it is known what was to be measured. */
	readonly doubts: readonly string[];
}

/** An open question, as a sentence. */
export interface Doubt {
	readonly doubt: string;
	/** Whether the base branch has no config that could hold: then the report informs, and blocks nothing. */
	readonly adoption?: boolean;
}

/**
 * Returns what the measuring job should have been told: by the reporting job's own inputs, else by the base branch's version of the
 * measuring workflow; the doubt where that does not show.
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
		return { doubt: `Nobody can tell what should have been measured: ${why}. ${HELP}` };
	}
	const commanded = optionsIn(command);
	const open = openIn(call, [...wished, ...Object.keys(commanded)]);
	if (open.length > 0) {
		const names = open.join(', ');
		return { doubt: `Nobody can tell what should have been measured: ${workflow} computes ${names}. ${HELP}` };
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

function openIn(call: Call | null, known: readonly string[]): readonly InputName[] {
	const deciding = DECIDING.filter((name) => !known.includes(name)).map((name): InputName => inputOf(name));
	return call?.open.filter((name) => deciding.includes(name) || name === 'config-from') ?? [];
}

/** Both decide how the check ends, and nothing of what is measured. */
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
		doubts.push(`Nobody can tell what an undecided row comes to: ${where} computes on-inconclusive. ${HELP}`);
	}
	return { notes, doubts };
}
