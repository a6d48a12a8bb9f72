/** What is wrong with the workflows of a repository that use benchgate. */
import { nameAll } from '../../text/name-all.ts';
import { isUserError } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import { rolesOf } from './call-roles.ts';
import { checkCall, noteOn, problemIn } from './check-call.ts';
import { checkPairOf } from './check-workflow-pair.ts';
import { type Executed, findExecuted } from './executed-files.ts';
import type { Repository } from './read-workflows.ts';
import { readWorkflowCalls, type WorkflowCall } from './workflow-calls.ts';

/** Events whose reports are checked against the base branch. */
const MERGING: readonly string[] = ['pull_request', 'merge_group'];
/** Only such files are read on. */
const NAMED = /\bbenchgate\/benchgate\b/i;

/** Files of the checkout listed in a finding; the rest is a count. */
const MOST_NAMED = 3;

/** Returns what is wrong with the workflows that use benchgate, as far as their files tell, or that all is well. */
export async function checkWorkflows({ workflows, read, isLinked }: Repository): Promise<readonly Finding[]> {
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
	const reported = calls.some((call) => rolesOf(call).includes('report'));
	const measuring = calls.filter(
		(call) => rolesOf(call).includes('compare') && MERGING.some((event) => call.events.has(event)),
	);
	for (const { file, text } of workflows) {
		if (!reported || !measuring.some((call) => call.file === file)) continue;
		findings.push(...noteExecuted(file, await findExecuted(text, { read, isLinked, isOwn: false })));
	}
	const files = [...new Set(calls.map(({ file }) => file))].join(', ');
	return findings.length === 0 ? [{ kind: 'ok', about: 'workflows', text: files }] : findings;
}

/** Steps by which a pull request could run its code beside benchgate, and so forge data that the report trusts. */
function noteExecuted(file: string, { places, packages, unread }: Executed): readonly Finding[] {
	const remedy =
		'start what measuring needs with prepare, with start, or in service containers, and run tests in a workflow of their own (docs/fork-pull-requests.md#steps-of-your-own)';
	if (unread.length > 0) {
		const steps = nameAll(unread, MOST_NAMED);
		const text = `${file} has steps that may execute any file of a pull request outside of isolation (${steps}), so a pull request that changes code gets a neutral check at best`;
		return [noteOn('workflows', text, remedy)];
	}
	const executed = [
		...places.filter((place) => !place.startsWith('.github/workflows/')),
		...(packages ? ['manifests and lockfiles'] : []),
	];
	if (executed.length === 0) return [];
	const text = `${file} executes files of a pull request outside of isolation, so one that changes ${nameAll(executed, MOST_NAMED)} gets a neutral check at best`;
	return [noteOn('workflows', text, remedy)];
}
