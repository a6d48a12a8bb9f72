/** Shared by the tests of one file: tiny framework, released action, doubles of GitHub. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { startDouble } from '../github/double.ts';
import type { Double, DoubleState, StoredPull } from '../github/types.ts';
import { copyAction, stubThirdParties } from './actions.ts';
import { FORK, NUMBER, pullRequestEvent, REPOSITORY } from './events.ts';
import { type ActOptions, type ActRun, runAct } from './run-act.ts';
import type { Scope } from './scratch.ts';
import { CONFIG, type Head, makeTinyFramework, type TinyFramework } from './tiny-framework.ts';
import { STEP } from './workflows.ts';

export interface World {
	readonly tiny: TinyFramework;
	readonly actions: Readonly<Record<string, string>>;
}

/** GitHub's permissions for a pull request from a fork, whatever the workflow requests. */
export const READ_ONLY: DoubleState['permissions'] = {
	issues: 'read',
	'pull-requests': 'read',
	checks: 'read',
	contents: 'read',
	actions: 'read',
	statuses: 'read',
};

/** Removed after the file's last test. */
export function makeWorld(): World {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-world-'));
	after(() => rmSync(folder, { recursive: true }));
	return {
		tiny: makeTinyFramework(join(folder, 'tiny')),
		actions: { ...copyAction(join(folder, 'benchgate')), ...stubThirdParties(join(folder, 'stub')) },
	};
}

/** Has pull request 12; closing checks every request and answer. */
export async function startGithub(
	scope: Scope,
	{ tiny }: World,
	head: Head,
	state: Partial<DoubleState> & { readonly fork?: boolean } = {},
): Promise<Double> {
	const { fork = false, ...given } = state;
	const pull: StoredPull = {
		number: NUMBER,
		headSha: tiny.heads[head],
		baseSha: tiny.tip,
		headRepository: fork ? FORK : REPOSITORY,
		headRef: 'feature',
		baseRef: 'main',
		author: fork ? 'stranger' : 'o',
	};
	const repositoryState = { refs: { 'heads/main': tiny.tip }, contents: { 'benchgate.yml': CONFIG } };
	const double = await startDouble({ repository: REPOSITORY, pulls: [pull], ...repositoryState, ...given });
	scope.after(() => double.close());
	return double;
}

/** For pull request 12 at its merge commit, as on GitHub. */
export function runPullRequest(
	scope: Scope,
	{ tiny, actions }: World,
	head: Head,
	options: Pick<ActOptions, 'double' | 'workflow'> & { readonly runId?: number; readonly fork?: boolean },
): Promise<ActRun> {
	return runAct(scope, pullRequestRun({ tiny, actions }, head, options));
}

export function pullRequestRun(
	{ tiny, actions }: World,
	head: Head,
	{
		fork = false,
		...options
	}: Pick<ActOptions, 'double' | 'workflow'> & { readonly runId?: number; readonly fork?: boolean },
): ActOptions {
	return {
		event: 'pull_request',
		payload: pullRequestEvent(tiny.tip, tiny.heads[head], fork ? FORK : REPOSITORY),
		repository: { folder: tiny.folder, sha: tiny.merges[head] },
		actions,
		...options,
	};
}

/** Asserts the exit code and a subset of the action's outputs. */
export function assertEnded(run: ActRun, exitCode: number, outputs: Readonly<Record<string, string>> = {}): void {
	const all = outputsOf(run);
	const chosenOutputs = Object.fromEntries(Object.keys(outputs).map((name) => [name, all[name]]));
	assert.deepEqual({ exitCode: run.exitCode, ...chosenOutputs }, { exitCode, ...outputs }, run.text);
}

export function outputsOf(run: ActRun): Readonly<Record<string, string>> {
	return run.outputs[STEP] ?? {};
}
