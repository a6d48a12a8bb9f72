import { notice, setFailed, setOutput, summary } from '@actions/core';
import { FORMATS, fileOutputs } from '../../report/formats.ts';
import { titleOf } from '../../report/github/conclusion-title.ts';
import type { ActionSession } from '../action-session.ts';
import type { Published } from './publish.ts';
import { disarm, sayFailure } from './speak.ts';

/** Exit code of a step that was cut off: never green, whatever the runner makes of it. */
const CUT_OFF = 130;

/** Says what a run came to in the job's summary, outputs and log, and fails the step when it must: after everything else. */
export async function finish(session: ActionSession, published: Published): Promise<void> {
	const { conclusion, consequence, files, commentUrl } = published;
	const title = titleOf(conclusion, published.gate);
	await writeSummary(session, published.summary);
	const outputs: Record<string, string> = {
		...published.outputs,
		...fileOutputs(FORMATS, files),
		'comment-url': commentUrl ?? '',
	};
	for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
	if (published.terminal !== null) process.stdout.write(`${disarm(published.terminal)}\n`);
	if (conclusion.kind === 'failed') sayFailure(conclusion.failure, consequence.failStep);
	if (consequence.failStep) setFailed(title);
	else if (conclusion.kind === 'cancelled') process.exitCode = CUT_OFF;
	else notice(title, { title: 'benchgate' });
}

/** The runner refuses more than 1 MiB, and a container may have no summary at all. */
export async function writeSummary(session: ActionSession, markdown: string): Promise<void> {
	try {
		await summary.addRaw(markdown, true).write();
	} catch (error) {
		session.warnings.push({
			code: 'no-summary',
			message: `the job summary could not be written: ${(error as Error).message}`,
		});
	}
}
