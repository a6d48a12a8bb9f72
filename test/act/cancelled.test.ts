/** Interrupted runs: the comment and the check are concluded, and no process survives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundProcess } from '../support/act/processes.ts';
import { type RunningAct, startAct } from '../support/act/run-act.ts';
import { shownWorkflow } from '../support/act/workflows.ts';
import { makeWorld, pullRequestRun, startGithub } from '../support/act/world.ts';
import { until } from '../support/cli.ts';

const world = makeWorld();
const WORKFLOW = shownWorkflow('simple', { budget: '120s' });

/** Waits until both servers are up, and returns the process of the action. */
async function reachMeasuring(running: RunningAct): Promise<number> {
	const action = await running.waitFor(/dist\/action\.js/);
	// Pairs come and go while answers are checked, and a process that just starts has no variables yet.
	const isMarkedServer = ({ command, marker }: FoundProcess) => marker !== null && /node server\.mjs/.test(command);
	await until('a server that the janitor marked', () => running.processes().some(isMarkedServer));
	return action.pid;
}

/** The runner first sends SIGINT, and in the end SIGKILL, after which only the post step can report. */
for (const signal of ['SIGINT', 'SIGKILL'] as const) {
	test(`${signal} while measuring`, async (t) => {
		const double = await startGithub(t, world, 'slower');
		const running = await startAct(t, pullRequestRun(world, 'slower', { double, workflow: WORKFLOW }));
		const pid = await reachMeasuring(running);
		assert.match(double.state.comments[0]?.body ?? '', /measuring/i);
		assert.equal(double.state.checkRuns[0]?.status, 'in_progress');
		process.kill(pid, signal);
		// Fails if a process survives.
		const run = await running.ended;
		assert.equal(run.exitCode, 1, run.text);
		const [comment, ...others] = double.state.comments;
		assert.ok(comment && others.length === 0);
		assert.match(comment.body, /cancelled/i);
		assert.match(comment.body, /state=final/);
		const [check, ...more] = double.state.checkRuns;
		assert.ok(check && more.length === 0);
		assert.deepEqual([check.status, check.conclusion], ['completed', 'cancelled']);
	});
}
