/** Workflows as another repository would have them: those of the README, and this repository's own, made theirs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';

/** How consumers name the action. */
export const ACTION = 'benchgate/benchgate@v1';
/** Id of the step whose outputs tests read. */
export const STEP = 'benchgate';
/** Inputs by name. */
export type Inputs = Readonly<Record<string, string>>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const WORKFLOWS = `${ROOT}.github/workflows/`;

/** What marks each workflow of the README. */
const IN_README = {
	/** One workflow that measures and writes. */
	simple: /^on: pull_request$[\s\S]*pull-requests: write[\s\S]*steps:/m,
	/** The pair for forks. */
	measure: /^on: pull_request$[\s\S]*comment: never/m,
	report: /workflow_run:[\s\S]*mode: report/,
} as const;

/** Returns the YAML blocks of a page that are workflows, whole or only their jobs. */
export function workflowsIn(page: string): string[] {
	const text = readFileSync(`${ROOT}${page}`, 'utf8');
	const blocks = [...text.matchAll(/^```ya?ml\n(.*?)^```/gms)].map(([, block = '']) => block);
	return blocks.filter((block) => /^jobs:/m.test(block));
}

/** Returns a workflow of the README, ready to run, with the inputs of `more` added. */
export function readmeWorkflow(name: keyof typeof IN_README, more: Inputs = {}): string {
	const [block, ...others] = workflowsIn('README.md').filter((text) => IN_README[name].test(text));
	assert.ok(block && others.length === 0, `the README has not just one workflow of the kind ${name}`);
	return withInputs(block, more);
}

/**
 * Returns this repository's `.github/workflows/NAME.yml` with the action's released name, without the config that only this
 * repository has, and with the inputs of `more` on top.
 */
export function ownWorkflow(name: string, more: Inputs = {}): string {
	return withInputs(readFileSync(`${WORKFLOWS}${name}.yml`, 'utf8'), more);
}

/** Returns a workflow of the five lines that call the reusable one. */
export function callingWorkflow(inputs: Inputs): string {
	const [lines] = workflowsIn('README.md').filter((text) => text.includes('/benchmark.yml@v1'));
	const document = parseDocument(`on: pull_request\n${lines}`);
	document.setIn(['jobs', 'bench', 'with'], inputs);
	return document.toString();
}

/** Returns the names in every `uses:` of a step of this repository's workflow `file`. */
export function listUses(file: string): string[] {
	const document = parseDocument(readFileSync(`${WORKFLOWS}${file}`, 'utf8'));
	return stepsOf(document.get('jobs')).flatMap((step) => {
		const uses = step.get('uses');
		return typeof uses === 'string' ? [uses] : [];
	});
}

function withInputs(workflow: string, more: Inputs): string {
	const document = parseDocument(workflow);
	const [step, ...others] = stepsOf(document.get('jobs')).filter((each) =>
		['./', ACTION].includes(each.get('uses') as string),
	);
	assert.ok(step && others.length === 0, 'a workflow with not just one step of ours');
	step.set('uses', ACTION);
	step.set('id', STEP);
	if (step.has('with')) step.deleteIn(['with', 'config']);
	for (const [input, value] of Object.entries(more)) step.setIn(['with', input], value);
	return document.toString();
}

function stepsOf(jobs: unknown): YAMLMap[] {
	if (!isMap(jobs)) return [];
	return jobs.items.flatMap(({ value }) => {
		const steps = isMap(value) ? value.get('steps') : null;
		return isSeq(steps) ? steps.items.filter((step) => isMap(step)) : [];
	});
}
