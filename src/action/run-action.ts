/** The step: inputs → secrets out of reach → what the event asks for → do it → say it → fail last. */
import { setFailed, setSecret } from '@actions/core';
import { withInterrupt } from '../process/interrupt.ts';
import { startJanitor } from '../process/janitor.ts';
import type { ActionInputs, ActionRequest, RunnerContext } from '../types/action-run.ts';
import type { ActionSession } from './action-session.ts';
import { runCompare } from './modes/compare-mode.ts';
import { runReportRequest } from './modes/report-request.ts';
import { runSelftestRequest } from './modes/selftest-mode.ts';
import { describeFailure } from './publish/describe-failure.ts';
import { finish } from './publish/finish.ts';
import { createLogProgress, sayFailure, sayWarnings } from './publish/speak.ts';
import { readCommand } from './request/command-request.ts';
import { readInputs } from './request/read-inputs.ts';
import { readRequest } from './request/request.ts';
import { readRunner } from './request/runner.ts';
import { type TakenSecrets, takeSecrets } from './secrets/secrets.ts';
import { findKeptCredentials } from './secrets/secrets-checkout.ts';
import { openGitHub } from './services/open-github.ts';
import { openServices } from './services/open-services.ts';
import { remember } from './step-state.ts';

/** Runs the step to its end. Never throws: what goes wrong is said in the log and fails the step. */
export async function runAction(): Promise<void> {
	try {
		const inputs = readInputs();
		if (inputs.token !== '') setSecret(inputs.token);
		const runner = readRunner(process.env);
		const secrets = takeSecrets();
		remember('started', 'true');
		const request = readRequest(runner, inputs);
		const progress = createLogProgress(process.stderr);
		await withInterrupt(progress, async (signal) => {
			const session = await openSession(inputs, runner, secrets, { progress, signal });
			try {
				await runRequest(session, request);
			} finally {
				await session.janitor.close();
				sayWarnings(session.warnings);
			}
		});
	} catch (error) {
		const failure = describeFailure(error);
		sayFailure(failure, true);
		setFailed(`benchgate: ${failure.message}`);
	}
}

async function openSession(
	inputs: ActionInputs,
	runner: RunnerContext,
	secrets: TakenSecrets,
	rest: Pick<ActionSession, 'progress' | 'signal'>,
): Promise<ActionSession> {
	const kept = await findKeptCredentials(runner.workspace);
	return {
		inputs,
		runner,
		github: await openGitHub(inputs, runner, (text) => rest.progress.step(text)),
		runtime: secrets.runtime,
		janitor: await startJanitor(),
		warnings: [...secrets.warnings, ...(kept ? [kept] : [])],
		remember,
		...rest,
	};
}

async function runRequest(session: ActionSession, request: ActionRequest): Promise<void> {
	switch (request.kind) {
		case 'nothing':
			session.progress.step(`Nothing to do: ${request.reason}.`);
			return;
		case 'selftest':
			return runSelftestRequest(session);
		case 'report':
			return runReportRequest(session, request);
		case 'command': {
			const compare = await readCommand(session, request);
			if (compare === null) return;
			return finish(session, await runCompare(session, compare, openServices(session)));
		}
		case 'compare':
			return finish(session, await runCompare(session, request, openServices(session)));
	}
}
