import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { Audience, WorkflowFiles } from './audience.ts';

/** Returns `run benchgate.yml again`, or `fallback` if the file is unknown. */
export function runAgain(file: WorkflowFiles[keyof WorkflowFiles], fallback: string): Phrase {
	return file ? phrase`run ${{ code: plainText(file, NAME_LIMIT) }} again` : [fallback];
}

export function adviseAdoption({ adoption }: Pick<Audience, 'adoption'>): readonly Phrase[] {
	if (adoption === undefined) return [];
	const required = phrase`Then require the check ${{ code: plainText(adoption.check, NAME_LIMIT) }} in the rules of the base branch.`;
	return [
		adoption.reportsLater
			? phrase`After merging, comment and check appear from the next pull request on: GitHub runs the workflow that writes them only from the default branch. ${required}`
			: phrase`After merging, this gate applies to every pull request. ${required}`,
	];
}
