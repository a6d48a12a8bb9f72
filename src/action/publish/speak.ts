import { error, notice, warning } from '@actions/core';
import { createProgress, type TerminalProgress } from '../../output/progress.ts';
import { monotonicSeconds } from '../../process/clock.ts';
import type { Failure } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';

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
