import { concludeCutOff } from './modes/post.ts';
import { describeFailure } from './publish/describe-failure.ts';
import { createLogProgress, sayFailure, sayWarnings } from './publish/speak.ts';
import { readInputs } from './request/read-inputs.ts';
import { readRunner } from './request/runner.ts';
import { takeSecrets } from './secrets/secrets.ts';
import { openGitHub } from './services/open-github.ts';
import { recall } from './step-state.ts';

/** Runs the post step to its end. Never fails the job: whatever was measured has had its say by now. */
export async function runPost(): Promise<void> {
	try {
		const remembered = recall();
		const inputs = readInputs();
		if (remembered.concluded === 'true' || inputs.token === '') return;
		const runner = readRunner(process.env);
		takeSecrets();
		const progress = createLogProgress(process.stderr);
		const session = {
			inputs,
			runner,
			github: await openGitHub(inputs, runner, progress.step),
			warnings: [],
		};
		await concludeCutOff(session, remembered);
		sayWarnings(session.warnings);
	} catch (error) {
		sayFailure(describeFailure(error), false);
	}
}
