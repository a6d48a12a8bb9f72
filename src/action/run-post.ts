import { describeFailure } from './failure.ts';
import { openGitHub } from './open-github.ts';
import { concludeCutOff } from './post.ts';
import { readInputs } from './read-inputs.ts';
import { readRunner } from './runner.ts';
import { takeSecrets } from './secrets.ts';
import { createLogProgress, sayFailure, sayWarnings } from './speak.ts';
import { recall } from './state.ts';

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
