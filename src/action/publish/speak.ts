/** Writes a step's log, summary and outputs. */
import { error, notice, setFailed, setOutput, summary, warning } from '@actions/core';
import { createProgress, type TerminalProgress } from '../../output/progress.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { fileOutputs } from '../../report/formats.ts';
import { breakCommands } from '../../text/escape.ts';
import type { Failure } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import type { ModeOutcome } from '../modes/mode-outcome.ts';

/** Exit code of a cut-off step, so the runner never shows it green. */
const CUT_OFF = 130;

export const LOG_STYLE = { colour: false, width: 120 } as const;

const STATUS_SECONDS = 15;

/** Returns a progress that breaks workflow commands. */
export function createLogProgress(stream: NodeJS.WriteStream): TerminalProgress {
	return createProgress(stream, {
		quiet: false,
		plain: true,
		everySeconds: STATUS_SECONDS,
		clock: monotonicSeconds,
		escape: breakCommands,
	});
}

export function sayWarnings(warnings: readonly Warning[]): void {
	for (const { code, message } of warnings) warning(message, { title: `benchgate: ${code}` });
}

export function sayFailure({ code, message, where, remedy, details }: Failure, fails: boolean): void {
	const place = where === null ? '' : `${where}: `;
	const help = remedy === null ? '' : `\nTo fix it: ${remedy}`;
	const log = details === null ? '' : `\n${details}`;
	(fails ? error : notice)(`${place}${message}${help}${log}`, { title: `benchgate: ${code}` });
}

/** Writes summary, outputs and log. `endStep` fails the step later. `replaces`: an earlier summary of this step. */
export async function sayOutcome(
	{ warnings }: Pick<ActionSession, 'warnings'>,
	outcome: ModeOutcome,
	replaces = false,
): Promise<void> {
	if (outcome.summary !== null) await writeSummary(outcome.summary, warnings, replaces);
	const files = outcome.files && fileOutputs(outcome.files);
	for (const [name, value] of Object.entries({ ...outcome.outputs, ...files })) setOutput(name, value);
	if (outcome.log !== null) process.stdout.write(`${breakCommands(outcome.log)}\n`);
	if (outcome.failure !== null) sayFailure(outcome.failure, outcome.fail.length > 0);
	for (const line of outcome.notices) notice(line, { title: 'benchgate' });
}

/** A failure already has its annotation. */
export function endStep({ fail, failure, cutOff }: Pick<ModeOutcome, 'fail' | 'failure' | 'cutOff'>): void {
	if (fail.length > 0 && failure !== null) process.exitCode = 1;
	else if (fail.length > 0) setFailed(fail.join('\n'));
	else if (cutOff) process.exitCode = CUT_OFF;
}

/** Writing can fail: the runner refuses more than 1 MiB, and a container may lack the summary file. */
async function writeSummary(markdown: string, warnings: ActionSession['warnings'], overwrite: boolean): Promise<void> {
	try {
		await summary.addRaw(markdown, true).write({ overwrite });
	} catch (error) {
		warnings.push({
			code: 'no-summary',
			message: `the job summary could not be written: ${(error as Error).message}`,
		});
	}
}
