/** What is wrong with the workflows of a repository that use benchgate. */
import { isUserError } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import { checkCall, noteOn, problemIn } from './check-call.ts';
import { checkPairOf } from './check-workflow-pair.ts';
import type { WorkflowText } from './read-workflows.ts';
import { readWorkflowCalls, type WorkflowCall } from './workflow-calls.ts';

/** Only such files are read on. */
const NAMED = /\bbenchgate\/benchgate\b/i;

/** Returns what is wrong with the workflows that use benchgate, as far as their files tell, or that all is well. */
export function checkWorkflows(workflows: readonly WorkflowText[]): readonly Finding[] {
	const calls: WorkflowCall[] = [];
	const findings: Finding[] = [];
	for (const { file, text } of workflows.filter(({ text }) => NAMED.test(text))) {
		try {
			calls.push(...readWorkflowCalls(file, text));
		} catch (error) {
			if (!isUserError(error)) throw error;
			findings.push(problemIn(error.message, 'correct the file: GitHub runs nothing of it'));
		}
	}
	if (calls.length + findings.length === 0) {
		const text = 'no workflow uses benchgate, so no pull request is measured';
		return [noteOn('workflows', text, 'write them with benchgate init')];
	}
	findings.push(...calls.flatMap((call) => checkCall(call, calls)), ...checkPairOf(calls, workflows));
	const files = [...new Set(calls.map(({ file }) => file))].join(', ');
	return findings.length === 0 ? [{ kind: 'ok', about: 'workflows', text: files }] : findings;
}
