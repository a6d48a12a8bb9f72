/** Whether the workflow that measures and the one that reports fit together. */
import { asList } from '../../config/file/check-scenario.ts';
import type { Finding } from '../../types/finding.ts';
import { rolesOf } from './call-roles.ts';
import { nameCall, noteOn, problemIn } from './check-call.ts';
import type { WorkflowCall } from './workflow-calls.ts';

/** Both sides of the pair have it, unless they say otherwise: the name of the artifact. */
const ARTIFACT = 'benchgate';
/** The file `/benchgate` starts again, unless the command's workflow names another one. */
const MEASURING = 'benchgate.yml';

/** Returns what does not fit together: the workflow that measures, the one that reports what it left, and the one for commands. */
export function checkPairOf(
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

/** What one version leaves in the artifact another one may not read. */
function checkVersions(call: WorkflowCall, source: WorkflowCall): readonly Finding[] {
	if (call.ref === source.ref || call.ref === null || source.ref === null) return [];
	const text = `${nameCall(source)} measures with benchgate@${source.ref}, and ${nameCall(call)} reads its artifact with benchgate@${call.ref}`;
	return [problemIn(text, 'name the same version in both')];
}

function checkArtifact(call: WorkflowCall, source: WorkflowCall): readonly Finding[] {
	const [wanted = ARTIFACT, left = ARTIFACT] = [call, source].map(({ inputs }) => inputs['artifact-name']);
	const isKnown = [wanted, left].every((name) => typeof name === 'string' && !name.includes('${{'));
	if (!isKnown || String(left).startsWith(String(wanted))) return [];
	const text = `${nameCall(source)} leaves the artifact ${left}, and ${nameCall(call)} reads ${wanted}`;
	return [problemIn(text, 'give both the same artifact-name, or the reporting one what all names begin with')];
}

function checkCommand(call: WorkflowCall, workflows: readonly { readonly file: string }[]): readonly Finding[] {
	const { workflow = MEASURING } = call.inputs;
	if (typeof workflow !== 'string' || workflow.includes('${{')) return [];
	if (workflows.some(({ file }) => file.endsWith(`/${workflow}`))) return [];
	const text = `${nameCall(call)} starts ${workflow} again, and no such workflow measures here`;
	return [problemIn(text, 'name the file that measures pull requests: with: { workflow: FILE }')];
}
