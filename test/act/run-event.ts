/** Runs the bench workflow on an event with equal work on both sides. */
import assert from 'node:assert/strict';
import type { Payload } from '../support/act/events.ts';
import { type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import { ownWorkflow } from '../support/act/workflows.ts';
import { startGithub, type World } from '../support/act/world.ts';
import type { DoubleState } from '../support/github/types.ts';

const MAIN = 'refs/heads/main';

interface Run {
	readonly payload: Payload;
	readonly sha: string;
	readonly ref?: string;
	readonly inputs?: Readonly<Record<string, string>>;
	readonly state?: Partial<DoubleState>;
}

/** Returns a workflow that `event` starts: ours measures pushes and schedules as baselines, this one compares. */
function startedBy(event: string, workflow: string): string {
	return new RegExp(`^  ${event}:`, 'm').test(workflow) ? workflow : workflow.replace(/^on:$/m, `on:\n  ${event}:`);
}

/** Runs `event` on `world` and returns its outcome; fails on any comment. */
export async function runEvent(
	t: Scope,
	world: World,
	event: string,
	{ payload, sha, ref = MAIN, inputs = {}, state = {} }: Run,
): Promise<ActRun> {
	const double = await startGithub(t, world, 'equal', state);
	const run = await runAct(t, {
		event,
		payload,
		workflow: startedBy(event, ownWorkflow('bench', inputs)),
		repository: { folder: world.tiny.folder, sha },
		double,
		actions: world.actions,
		ref,
	});
	assert.deepEqual(double.state.comments, [], 'only pull requests get comments');
	return run;
}
