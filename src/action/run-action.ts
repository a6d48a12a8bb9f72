/** Runs the step: inputs, secrets, event, mode, outcome. A failure is set last. */
import { getInput, setSecret } from '@actions/core';
import { withInterrupt } from '../process/interrupt.ts';
import { startJanitor } from '../process/janitor.ts';
import { requirePlatform } from '../process/platforms.ts';
import type { ActionMode, ActionRequest, RequestOf, RunnerContext } from '../types/action-run.ts';
import { type ActionSession, remember } from './action-session.ts';
import { runAnnounceMode } from './modes/announce-mode.ts';
import { runBaselineMode } from './modes/baseline-mode.ts';
import { runBisectMode } from './modes/bisect-mode.ts';
import { runCommandMode } from './modes/command-mode.ts';
import { runCompareMode } from './modes/compare-mode.ts';
import { runGatherMode } from './modes/gather-mode.ts';
import { type ModeOutcome, SILENT } from './modes/mode-outcome.ts';
import { runPlanMode } from './modes/plan-mode.ts';
import { runReportMode } from './modes/report-mode.ts';
import { runSelftestMode } from './modes/selftest-mode.ts';
import { runShardMode } from './modes/shard-mode.ts';
import { findDirectoryStore } from './publish/artifact-store.ts';
import { describeFailure } from './publish/describe-failure.ts';
import { createLogProgress, endStep, sayFailure, sayOutcome, sayWarnings } from './publish/speak.ts';
import { runRecord, sitePlaceOf, storeRequestOf } from './record/record-mode.ts';
import { type ActionInputs, readInputs } from './request/inputs.ts';
import { readRequest } from './request/request.ts';
import { readRunner } from './request/runner.ts';
import { findKeptCredentials, type TakenSecrets, takeSecrets } from './secrets.ts';
import { openGitHub } from './services/open-github.ts';
import { warnAboutServer } from './services/open-services.ts';

/**
 * A shard is never red: "Re-run failed jobs" would repeat it, and let someone re-measure only the result they dislike.
 */
const NEVER_RED: ActionMode = 'shard';

/** Never throws: errors are logged and fail the step. */
export async function runAction(): Promise<void> {
	try {
		requirePlatform(process.platform);
		const inputs = readInputs();
		if (inputs.token !== '') setSecret(inputs.token);
		const runner = readRunner(process.env);
		const secrets = takeSecrets();
		const request = readRequest(runner, inputs);
		const warning = warnAboutServer(runner, inputs, request, findDirectoryStore(process.env) !== null);
		// At once, because measuring takes minutes.
		if (warning !== null) sayWarnings([warning]);
		const progress = createLogProgress(process.stderr);
		await withInterrupt(progress, async (signal) => {
			const session = await openSession(inputs, runner, secrets, { progress, signal });
			let outcome = SILENT;
			try {
				outcome = await runMode(session, request);
				await sayOutcome(session, outcome);
				const later = (await outcome.later?.()) ?? null;
				if (later !== null) await sayOutcome(session, { ...SILENT, ...later }, true);
			} finally {
				await session.janitor.close();
				sayWarnings(session.warnings);
			}
			endStep(outcome);
		});
	} catch (error) {
		const failure = describeFailure(error);
		// Invalid inputs do not fail a shard either, because the gathering job reports the missing shard.
		const fails = getInput('mode').trim() !== NEVER_RED;
		sayFailure(failure, fails);
		endStep({ fail: fails ? [failure.message] : [], failure, cutOff: false });
	}
}

async function openSession(
	inputs: ActionInputs,
	runner: RunnerContext,
	secrets: TakenSecrets,
	tools: Pick<ActionSession, 'progress' | 'signal'>,
): Promise<ActionSession> {
	const kept = await findKeptCredentials(runner.workspace);
	return {
		inputs,
		runner,
		github: await openGitHub(inputs, runner, (text) => tools.progress.step(text)),
		runtime: secrets.runtime,
		withheld: secrets.withheld,
		janitor: await startJanitor(),
		warnings: [...secrets.warnings, ...(kept ? [kept] : [])],
		remember,
		...tools,
	};
}

const MODES: {
	readonly [Kind in ActionRequest['kind']]: (session: ActionSession, request: RequestOf<Kind>) => Promise<ModeOutcome>;
} = {
	compare: runCompareMode,
	plan: runPlanMode,
	shard: runShardMode,
	gather: runGatherMode,
	baseline: runBaselineMode,
	command: runCommandMode,
	report: runReportMode,
	announce: runAnnounceMode,
	bisect: runBisectMode,
	selftest: runSelftestMode,
	record: (session) =>
		runRecord({
			...storeRequestOf(session),
			site: sitePlaceOf(session),
			folder: session.inputs.records,
			github: session.github,
			warn: (warning) => session.warnings.push(warning),
		}),
	nothing: async (_, { reason }) => ({ ...SILENT, log: `Nothing to do: ${reason}.` }),
};

function runMode<Kind extends ActionRequest['kind']>(
	session: ActionSession,
	request: RequestOf<Kind>,
): Promise<ModeOutcome> {
	return MODES[request.kind as Kind](session, request);
}
