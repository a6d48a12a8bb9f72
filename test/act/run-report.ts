/** Runs the reporting workflow for a measuring run. */
import { workflowRunEvent } from '../support/act/events.ts';
import { type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import type { World } from '../support/act/world.ts';
import type { Double } from '../support/github/types.ts';

export const MEASURED = 4000;

interface Reported {
	readonly double: Double;
	readonly measured: Pick<ActRun, 'artifacts' | 'exitCode'>;
	readonly workflow: string;
	readonly headSha: string;
	readonly headRepository: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly home?: Readonly<Record<string, string>>;
}

/** Stores the artifact of a run, as GitHub does, and runs the other workflow for it with a token that may write. */
export async function runReport(
	t: Scope,
	world: World,
	{ double, measured, workflow, headSha, headRepository, env = {}, home = {} }: Reported,
): Promise<ActRun> {
	const conclusion = measured.exitCode === 0 ? 'success' : 'failure';
	double.state.permissions = {};
	double.state.runs = [
		{ id: MEASURED, headSha, headBranch: 'feature', headRepository, event: 'pull_request', conclusion },
	];
	double.state.artifacts = Object.entries(measured.artifacts).map(([name, zip], index) => ({
		id: 1 + index,
		name,
		runId: MEASURED,
		zip,
	}));
	return runAct(t, {
		event: 'workflow_run',
		payload: workflowRunEvent(MEASURED, headSha, headRepository, conclusion),
		workflow,
		repository: { folder: world.tiny.folder, sha: world.tiny.tip },
		double,
		actions: world.actions,
		runId: MEASURED + 1,
		env,
		home,
	});
}
