/** Everything a step writes to its log, its summary and its outputs. */
import { error, notice, setFailed, setOutput, summary, warning } from '@actions/core';
import { createProgress, type TerminalProgress } from '../../output/progress.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { fileOutputs } from '../../report/formats.ts';
import type { Failure } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import type { ModeOutcome } from '../modes/mode-outcome.ts';

/** Exit code of a step that was cut off: never green, whatever the runner makes of it. */
const CUT_OFF = 130;

/** How a report is drawn in a job's log. */
export const LOG_STYLE = { colour: false, width: 120 } as const;

/** In a job's log one status in this many seconds is enough. */
const STATUS_SECONDS = 15;

/** Returns progress for a job's log, in which no line of the code under test can pass for a command to the runner. */
export function createLogProgress(stream: NodeJS.WriteStream): TerminalProgress {
	const progress = createProgress(stream, {
		quiet: false,
		plain: true,
		everySeconds: STATUS_SECONDS,
		clock: monotonicSeconds,
	});
	return {
		step: (text) => progress.step(disarm(text)),
		status: (text) => progress.status(disarm(text)),
		end: () => progress.end(),
	};
}

/**
 * Returns text that the runner takes for text. It reads `::name::` at the start of a line and `##[name]` anywhere as a command:
 * a server under test could set masks or fake annotations through the last lines of its log.
 */
export function disarm(text: string): string {
	return text.replace(/^(\s*):(?=:)/gm, '$1:\u200b').replaceAll('##[', '#\u200b#[');
}

/** Shows each warning of a run once, as an annotation of the job. */
export function sayWarnings(warnings: readonly Warning[]): void {
	for (const { code, message } of warnings) warning(message, { title: `benchgate: ${code}` });
}

/** Shows why there is no result: as an error where the step fails for it, else as a notice. */
export function sayFailure({ code, message, where, remedy, details }: Failure, fails: boolean): void {
	const place = where === null ? '' : `${where}: `;
	const help = remedy === null ? '' : `\nTo fix it: ${remedy}`;
	const log = details === null ? '' : `\n${details}`;
	(fails ? error : notice)(`${place}${message}${help}${log}`, { title: `benchgate: ${code}` });
}

// Writes what a mode came to into summary, outputs and log, and fails the step last.

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
