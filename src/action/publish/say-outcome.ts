/** Writes what a mode came to into summary, outputs and log, and fails the step last. */
import { notice, setFailed, setOutput, summary } from '@actions/core';
import { fileOutputs } from '../../report/formats.ts';
import type { ActionSession } from '../action-session.ts';
import type { ModeOutcome } from '../modes/mode-outcome.ts';
import { disarm, sayFailure } from './speak.ts';

/** Exit code of a step that was cut off: never green, whatever the runner makes of it. */
const CUT_OFF = 130;

/** Writes an outcome into the job's summary, outputs and log. It fails nothing: `endStep` does, after everything else. */
export async function sayOutcome({ warnings }: Pick<ActionSession, 'warnings'>, outcome: ModeOutcome): Promise<void> {
	if (outcome.summary !== null) await writeSummary(outcome.summary, warnings);
	const files = outcome.files && fileOutputs(outcome.files);
	for (const [name, value] of Object.entries({ ...outcome.outputs, ...files })) setOutput(name, value);
	if (outcome.log !== null) process.stdout.write(`${disarm(outcome.log)}\n`);
	if (outcome.failure !== null) sayFailure(outcome.failure, outcome.fail.length > 0);
	for (const line of outcome.notices) notice(line, { title: 'benchgate' });
}

/** Fails the step when its outcome says so. */
export function endStep({ fail, cutOff }: ModeOutcome): void {
	if (fail.length > 0) setFailed(fail.join('\n'));
	else if (cutOff) process.exitCode = CUT_OFF;
}

/** The runner refuses more than 1 MiB, and a container may have no summary at all. */
async function writeSummary(markdown: string, warnings: ActionSession['warnings']): Promise<void> {
	try {
		await summary.addRaw(markdown, true).write();
	} catch (error) {
		warnings.push({
			code: 'no-summary',
			message: `the job summary could not be written: ${(error as Error).message}`,
		});
	}
}
