/** Checks workflows that use benchgate. */
import { asList } from '../../config/file/check-scenario.ts';
import { nameAll } from '../../text/phrase.ts';
import { isUserError } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import { checkCall, nameCall, noteOn, problemIn } from './check-call.ts';

import { checkJob, type Wanted } from './check-job.ts';
import { noteEnterprise } from './enterprise-server.ts';
import { type Executed, findExecuted } from './executed-files.ts';

import type { Repository, WorkflowText } from './read-workflows.ts';
import { readWorkflowCalls, rolesOf, type WorkflowCall } from './workflow-calls.ts';

/** Default artifact name of both workflows. */
const ARTIFACT = 'benchgate';

/** Default workflow file that `/benchgate` starts again. */
const MEASURING = 'benchgate.yml';

/** Events after which the report is checked by the base branch's rules. */
const MERGING: readonly string[] = ['pull_request', 'merge_group'];
const NAMED = /\bbenchgate\/benchgate\b/i;

const MOST_NAMED = 3;

/** Returns the workflows that name benchgate. */
export function naming(workflows: readonly WorkflowText[]): readonly WorkflowText[] {
	return workflows.filter(({ text }) => NAMED.test(text));
}

/** Returns problems, or that all is well. */
export async function checkWorkflows(
	{ workflows, read, isLinked, origin, isGit = true }: Repository,
	wanted: Wanted,
): Promise<readonly Finding[]> {
	const calls: WorkflowCall[] = [];
	const findings: Finding[] = [];
	for (const { file, text } of naming(workflows)) {
		try {
			calls.push(...readWorkflowCalls(file, text));
		} catch (error) {
			if (!isUserError(error)) throw error;
			findings.push(problemIn(error.message, 'correct the file: GitHub runs nothing of it'));
		}
	}
	if (calls.length + findings.length === 0) {
		const text = 'no workflow uses benchgate, so no pull request is measured';
		const first = isGit ? '' : 'put the folder into a git repository (git init), and ';
		return [noteOn('workflows', text, `${first}write them with benchgate init`)];
	}
	findings.push(...calls.flatMap((call) => [...checkCall(call, calls), ...checkJob(call, wanted)]));
	findings.push(...checkPairOf(calls, workflows), ...noteEnterprise(calls, origin ?? null));
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

/**
 * Notes files of a pull request that run beside benchgate, because such code could forge data that the report trusts.
 */
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

/** Measuring, reporting and commands must fit together. */
function checkPairOf(
	calls: readonly WorkflowCall[],
	workflows: readonly { readonly file: string }[],
): readonly Finding[] {
	const measuring = calls.filter((call) => rolesOf(call).includes('compare') && call.events.has('pull_request'));
	const reporting = calls.filter((call) => rolesOf(call).includes('report'));
	const commands = calls.filter((call) => rolesOf(call).includes('command'));
	const unreported = measuring.filter(({ reusable }) => reusable !== null && reporting.length === 0);
	return [
		...unreported.map((call) =>
			noteOn(
				'workflows',
				`${nameCall(call)} measures, and no workflow reports, so there is no comment and no check`,
				'write one with benchgate init in a repository without, or take it from the README',
			),
		),
		...reporting.flatMap((call) => checkReporting(call, measuring)),
		...commands.flatMap((call) => checkCommand(call, workflows)),
	];
}

function checkReporting(call: WorkflowCall, measuring: readonly WorkflowCall[]): readonly Finding[] {
	const run = call.events.get('workflow_run');
	if (run === undefined || measuring.length === 0) return [];
	const waitsFor = asList(run.workflows);
	const source = measuring.find(({ workflow }) => waitsFor.includes(workflow));
	if (source === undefined) {
		const names = [...new Set(measuring.map(({ workflow }) => workflow))].join(', ');
		const remedy = `write workflows: [${names}], the name of the workflow that measures`;
		return [
			problemIn(`${nameCall(call)} waits for ${waitsFor.join(', ') || 'no workflow'}, which measures nothing`, remedy),
		];
	}
	const types = asList(run.types);
	return [
		...(types.length > 0 && !types.includes('completed')
			? [problemIn(`${nameCall(call)} does not wait for the end of the run`, 'write types: [completed]')]
			: []),
		...checkVersions(call, source),
		...checkArtifact(call, source),
	];
}

/** Different versions may be unable to read each other's artifacts. */
function checkVersions(call: WorkflowCall, source: WorkflowCall): readonly Finding[] {
	if (call.ref === source.ref || call.ref === null || source.ref === null) return [];
	const text = `${nameCall(source)} measures with benchgate@${source.ref}, and ${nameCall(call)} reads its artifact with benchgate@${call.ref}`;
	return [problemIn(text, 'name the same version in both')];
}

function checkArtifact(call: WorkflowCall, source: WorkflowCall): readonly Finding[] {
	const [wantedName = ARTIFACT, uploadedName = ARTIFACT] = [call, source].map(({ inputs }) => inputs['artifact-name']);
	const isKnown = [wantedName, uploadedName].every((name) => typeof name === 'string' && !name.includes('${{'));
	if (!isKnown || String(uploadedName).startsWith(String(wantedName))) return [];
	const text = `${nameCall(source)} leaves the artifact ${uploadedName}, and ${nameCall(call)} reads ${wantedName}`;
	return [problemIn(text, 'give both the same artifact-name, or the reporting one what all names begin with')];
}

function checkCommand(call: WorkflowCall, workflows: readonly { readonly file: string }[]): readonly Finding[] {
	const { workflow = MEASURING } = call.inputs;
	if (typeof workflow !== 'string' || workflow.includes('${{')) return [];
	if (workflows.some(({ file }) => file.endsWith(`/${workflow}`))) return [];
	const text = `${nameCall(call)} starts ${workflow} again, and no such workflow measures here`;
	return [problemIn(text, 'name the file that measures pull requests: with: { workflow: FILE }')];
}
