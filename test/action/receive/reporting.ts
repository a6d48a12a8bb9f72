import type { TestContext } from 'node:test';
import type { ModeOutcome } from '../../../src/action/modes/mode-outcome.ts';
import { runReportMode } from '../../../src/action/modes/report-mode.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { renderPublication } from '../../../src/formats/publication/publication-file.ts';
import type { MeasuredRun, Publication, RunnerContext } from '../../../src/types/action-run.ts';
import { HEAD } from '../../formats/publication-cases.ts';
import { connect, runOf } from '../../github/support.ts';
import { examplePull } from '../../support/github/state.ts';
import type { Double, DoubleState, StoredArtifact } from '../../support/github/types.ts';
import { zipOf } from './artifact-archives.ts';

/** Run that measured; the reporting run is a later one. */
export const MEASURED = runOf(70);

/** The pull request of a fork, as the API tells it. */
export const FORK_PULL = examplePull({ headRepository: 'fork/r', headRef: 'topic', headSha: HEAD });

const RUNNER: RunnerContext = {
	eventName: 'workflow_run',
	payload: {},
	repository: { owner: 'o', repo: 'r' },
	sha: 'f'.repeat(40),
	ref: 'refs/heads/main',
	run: runOf(71),
	serverUrl: 'https://github.example',
	apiUrl: 'http://127.0.0.1:9',
	workspace: '/nowhere',
	tempFolder: '/nowhere',
};

/** Returns the run of a fork's pull request, as the event tells it. */
export function measuredRun(given: Partial<MeasuredRun> = {}): MeasuredRun {
	return {
		run: MEASURED,
		headSha: HEAD,
		headRepository: 'fork/r',
		headBranch: 'topic',
		event: 'pull_request',
		conclusion: 'success',
		pullRequests: [],
		...given,
	};
}

/** Returns an artifact of the measured run with `content` as its publication. */
export async function artifactOf(
	content: Publication | string,
	given: Partial<StoredArtifact> = {},
): Promise<StoredArtifact> {
	const text = typeof content === 'string' ? content : renderPublication(content);
	const zip = await zipOf({ 'publication.json': text, 'raw.json': '{}' });
	return { id: 5, name: 'benchgate', runId: MEASURED.id, zip, ...given };
}

export interface Reporting {
	readonly artifacts?: readonly StoredArtifact[];
	readonly measured?: Partial<MeasuredRun>;
	readonly inputs?: Readonly<Record<string, string>>;
	readonly state?: Partial<DoubleState>;
	/** Is told the double before anything is asked of it. */
	readonly prepare?: (double: Double) => void;
}

/** Runs the report mode against a double in which the fork's pull request is open. */
export async function report(
	t: TestContext,
	{ artifacts = [], measured, inputs = {}, state, prepare }: Reporting,
): Promise<{ readonly reported: ModeOutcome; readonly double: Double }> {
	const { github, double } = await connect(t, { pulls: [FORK_PULL], artifacts: [...artifacts], ...state });
	prepare?.(double);
	const session = { inputs: parseInputs(inputs), runner: RUNNER, github };
	return { reported: await runReportMode(session, { kind: 'report', measured: measuredRun(measured) }), double };
}
