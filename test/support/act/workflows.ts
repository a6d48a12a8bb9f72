/** Workflows of other repositories: those in the documentation, and benchgate's own, adapted. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';

/** The action's name for consumers. */
export const ACTION = 'benchgate/benchgate@v0';
/** benchgate's own workflows use the action of their commit by a name act does not know; its replacement follows. */
export const SELF = '$/.github/action';
export const SELF_RELEASED = 'benchgate/benchgate/.github/action@v0';
/** Step whose outputs tests read. */
export const STEP = 'benchgate';
export type Inputs = Readonly<Record<string, string>>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const WORKFLOWS = `${ROOT}.github/workflows/`;

/** Page and mark of each documented workflow. */
const SHOWN = {
	/** One workflow that measures and writes, for pull requests by people with write access. */
	simple: { page: 'docs/action.md', mark: /^on: pull_request$[\s\S]*pull-requests: write[\s\S]*steps:/m },
	/** The default pair. */
	measure: { page: 'README.md', mark: /^on: pull_request$[\s\S]*\/benchmark\.yml@v0$/m },
	report: { page: 'README.md', mark: /workflow_run:[\s\S]*\/report\.yml@v0$/m },
	command: { page: 'docs/action.md', mark: /issue_comment:[\s\S]*\/command\.yml@v0$/m },
	baseline: { page: 'docs/baselines.md', mark: /\/baseline\.yml@v0$/m },
	/** The pair in steps. */
	measureSteps: { page: 'docs/fork-pull-requests.md', mark: /^on: pull_request$[\s\S]*comment: never/m },
	reportSteps: { page: 'docs/fork-pull-requests.md', mark: /workflow_run:[\s\S]*mode: report/ },
} as const;

/** Returns a page's YAML blocks with jobs. */
export function workflowsIn(page: string): string[] {
	const text = readFileSync(`${ROOT}${page}`, 'utf8');
	const blocks = [...text.matchAll(/^```ya?ml\n(.*?)^```/gms)].map(([, block = '']) => block);
	return blocks.filter((block) => /^jobs:/m.test(block));
}

/** Returns a documented workflow, with additional inputs. */
export function shownWorkflow(name: keyof typeof SHOWN, more: Inputs = {}): string {
	const { page, mark } = SHOWN[name];
	const [block, ...others] = workflowsIn(page).filter((text) => mark.test(text));
	assert.ok(block && others.length === 0, `${page} has not just one workflow of the kind ${name}`);
	return withInputs(block, more);
}

/**
 * Returns this repository's `.github/workflows/NAME.yml` with the action's released name, without its config, and with
 * additional inputs.
 */
export function ownWorkflow(name: string, more: Inputs = {}): string {
	return withInputs(readFileSync(`${WORKFLOWS}${name}.yml`, 'utf8'), more);
}

/** Returns a reusable workflow with the action's released name. */
export function releasedWorkflow(text: string): string {
	return text.replaceAll(`uses: ${SELF}`, `uses: ${SELF_RELEASED}`);
}

/** Returns all `uses:` of steps in a workflow of this repository. */
export function listUses(file: string): string[] {
	const document = parseDocument(readFileSync(`${WORKFLOWS}${file}`, 'utf8'));
	return stepsOf(document.get('jobs')).flatMap((step) => {
		const uses = step.get('uses');
		return typeof uses === 'string' ? [uses] : [];
	});
}

function withInputs(workflow: string, more: Inputs): string {
	const document = parseDocument(workflow);
	const [call] = callsOf(document.get('jobs'));
	if (call !== undefined) {
		for (const [input, value] of Object.entries(more)) call.setIn(['with', input], value);
		return document.toString();
	}
	const [step, ...others] = stepsOf(document.get('jobs')).filter((each) =>
		['./', SELF, ACTION].includes(each.get('uses') as string),
	);
	assert.ok(step && others.length === 0, 'a workflow with not just one step of ours');
	step.set('uses', ACTION);
	step.set('id', STEP);
	if (step.has('with')) step.deleteIn(['with', 'config']);
	for (const [input, value] of Object.entries(more)) step.setIn(['with', input], value);
	return document.toString();
}

/** Jobs that call a reusable workflow. */
function callsOf(jobs: unknown): YAMLMap[] {
	if (!isMap(jobs)) return [];
	return jobs.items.flatMap(({ value }) => (isMap(value) && value.has('uses') ? [value] : []));
}

function stepsOf(jobs: unknown): YAMLMap[] {
	if (!isMap(jobs)) return [];
	return jobs.items.flatMap(({ value }) => {
		const steps = isMap(value) ? value.get('steps') : null;
		return isSeq(steps) ? steps.items.filter((step) => isMap(step)) : [];
	});
}
