import type { TestContext } from 'node:test';
import type { ModeOutcome } from '../../../src/action/modes/mode-outcome.ts';
import { runReportMode } from '../../../src/action/modes/report-mode.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { renderPublication } from '../../../src/formats/publication/publication-file.ts';
import { renderRaw } from '../../../src/formats/raw/raw-file.ts';
import type { MeasuredRun, Publication, RunnerContext } from '../../../src/types/action-run.ts';
import type { Raw } from '../../../src/types/result.ts';
import type { Janitor } from '../../../src/types/run-services.ts';
import { HEAD } from '../../formats/publication-cases.ts';
import { connect, runOf } from '../../github/support.ts';
import { examplePull } from '../../support/github/state.ts';
import type { Double, DoubleState, StoredArtifact } from '../../support/github/types.ts';
import { zipOf } from './artifact-archives.ts';
import { configText, MERGE_BASE, SLOWER, STEADY } from './raw-cases.ts';

/** The measuring run; the reporting run is a later one. */
export const MEASURED = runOf(70);

/** Newest commit of the base branch; the pull request names an older one. */
export const TIP = MERGE_BASE;
export const WORKFLOW = '.github/workflows/bench.yml';

/** Returns a workflow that measures in one step with these inputs. */
export function workflowText(inputs: Readonly<Record<string, string>> = {}): string {
	const lines = Object.entries(inputs).map(([name, value]) => `          ${name}: ${value}`);
	return [
		'name: bench',
		'on: pull_request',
		'jobs:',
		'  measure:',
		'    runs-on: ubuntu-latest',
		'    steps:',
		'      - uses: actions/checkout@v7',
		'      - uses: benchgate/benchgate@v0',
		...(lines.length > 0 ? ['        with:', ...lines] : []),
		'',
	].join('\n');
}

/** Fields of the event of a merge group on the newest commit of the base branch. */
export const QUEUED = { event: 'merge_group', headRepository: 'o/r', headBranch: `gh-readonly-queue/main/pr-1-${TIP}` };

/** Files of the repository: of its base branch and, in the double, of every commit. */
export const CONTENTS = { 'benchgate.yml': configText(), [WORKFLOW]: workflowText() };

/** The pull request of a fork, in the API's form. */
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

/** A report leaves only the private repository of a store, which it removes itself. */
const JANITOR = { guardDirectory: () => () => {} } as unknown as Janitor;

/** Returns the run of a fork's pull request, in the event's form. */
export function measuredRun(given: Partial<MeasuredRun> = {}): MeasuredRun {
	return {
		run: MEASURED,
		workflow: WORKFLOW,
		startedAt: null,
		headSha: HEAD,
		headRepository: 'fork/r',
		headBranch: 'topic',
		event: 'pull_request',
		conclusion: 'success',
		pullRequests: [],
		...given,
	};
}

/**
 * Returns an artifact of the measured run with `content` as its publication, and raw data that agree with it unless
 * given; null for none.
 */
export async function artifactOf(
	content: Publication | string,
	given: Partial<StoredArtifact> = {},
	raw: Raw | string | null = usualRaw(content),
): Promise<StoredArtifact> {
	const text = typeof content === 'string' ? content : renderPublication(content);
	const data = typeof raw === 'string' || raw === null ? raw : renderRaw(raw);
	const zip = await zipOf({ 'publication.json': text, ...(data !== null && { 'raw.json': data }) });
	return { id: 5, name: 'benchgate', runId: MEASURED.id, zip, ...given };
}

function usualRaw(content: Publication | string): Raw {
	if (typeof content === 'string' || content.conclusion.kind !== 'compared') return STEADY;
	return content.conclusion.result.gate.outcome === 'fail' ? SLOWER : STEADY;
}

export interface Reporting {
	readonly artifacts?: readonly StoredArtifact[];
	readonly measured?: Partial<MeasuredRun>;
	readonly inputs?: Readonly<Record<string, string>>;
	readonly state?: Partial<DoubleState>;
	readonly runner?: Partial<RunnerContext>;
	/** Receives the double before the first request. */
	readonly prepare?: (double: Double) => void;
}

/** Runs the report mode against a double in which the fork's pull request is open. */
export async function report(
	t: TestContext,
	{ artifacts = [], measured, inputs = {}, state, runner, prepare }: Reporting,
): Promise<{ readonly reported: ModeOutcome; readonly double: Double }> {
	const repository = { contents: { ...CONTENTS }, refs: { 'heads/main': TIP }, compare: { [`${TIP}...${HEAD}`]: TIP } };
	const { github, double } = await connect(t, {
		pulls: [FORK_PULL],
		artifacts: [...artifacts],
		...repository,
		...state,
	});
	prepare?.(double);
	const session = {
		inputs: parseInputs(inputs),
		runner: { ...RUNNER, ...runner },
		github,
		janitor: JANITOR,
		signal: new AbortController().signal,
	};
	return { reported: await runReportMode(session, { kind: 'report', measured: measuredRun(measured) }), double };
}
