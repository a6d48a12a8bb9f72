import { findOpenCheck, finishCheck } from '../github/check-run.ts';
import { compareRuns } from '../github/comment-marker.ts';
import { type CommentPlace, findComment, putComment } from '../github/sticky-comment.ts';
import { consequenceOf } from '../judge/consequence.ts';
import { buildCheck } from '../report/github/check.ts';
import { renderComment } from '../report/github/comment.ts';
import type { Conclusion } from '../types/action-run.ts';
import type { ActionSession } from './action-session.ts';
import { contextOf } from './publish/comment-context.ts';
import { describeFailure } from './publish/describe-failure.ts';
import { createLogProgress, sayFailure, sayWarnings } from './publish/speak.ts';
import { readInputs } from './request/inputs.ts';
import { readRunner } from './request/runner.ts';
import { takeSecrets } from './secrets.ts';
import { openGitHub } from './services/open-github.ts';
import { recall } from './step-state.ts';

/** What the step remembered for the post step; empty text for what it did not come to. */
export interface Remembered {
	/** Id of the check run in progress. */
	readonly check: string;
	/** Number of the pull request that may have a comment that says "measuring". */
	readonly comment: string;
	readonly headSha: string;
	readonly title: string;
	/** Comment key, where it is not that of the inputs. */
	readonly key: string;
	/** `true` once both were concluded. */
	readonly concluded: string;
}

/** What the post step has of a session. */
type PostSession = Pick<ActionSession, 'inputs' | 'runner' | 'github' | 'warnings'>;

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

/**
 * Concludes the check run and the comment of a step that was cut off: cancelled, timed out, killed. A step that came to its
 * end has concluded them itself. GitHub is asked what is still open, because the step may have been cut off between making
 * something and remembering it, and between concluding it and remembering that. What GitHub refuses becomes a warning of the
 * session.
 */
export async function concludeCutOff(session: PostSession, remembered: Remembered): Promise<void> {
	const { github, inputs, runner, warnings } = session;
	if (remembered.concluded === 'true' || github === null) return;
	const conclusion: Conclusion = { kind: 'cancelled' };
	const { headSha, title, comment } = remembered;
	const pullRequest = comment === '' ? null : { number: Number(comment) };
	const said = { gate: inputs.gate ?? 'enforce', warnings: [] } as const;
	const context = contextOf(session, { headSha, title, pullRequest }, runner.run, said);
	const place = { repository: runner.repository, issue: Number(comment), key: remembered.key || inputs.commentKey };
	if (pullRequest !== null && (await isMeasuring(session, place))) {
		const put = await putComment(github, {
			...place,
			run: runner.run,
			headSha,
			body: renderComment(conclusion, context),
			final: true,
		});
		if ('warning' in put) warnings.push(put.warning);
	}
	const known = remembered.check === '' ? null : Number(remembered.check);
	const open =
		headSha === '' || !inputs.checkRun ? null : await findOpenCheck(github, { ...place, headSha, run: runner.run });
	// Where GitHub does not tell, what was remembered has to do.
	const check = open === 'unknown' ? known : open;
	if (check !== null) {
		const consequence = consequenceOf(conclusion, { gate: 'enforce', onInconclusive: 'neutral' });
		const warning = await finishCheck(github, {
			repository: runner.repository,
			id: check,
			conclusion: consequence.checkConclusion,
			output: buildCheck(conclusion, { ...context, lineOf: () => null }),
		});
		if (warning !== null) warnings.push(warning);
	}
}

/** A step that was cut off while it published may have written its report already, and one before may not have begun. */
async function isMeasuring({ github, runner }: PostSession, place: CommentPlace): Promise<boolean> {
	const marker = github && (await findComment(github, place))?.marker;
	return marker?.state === 'measuring' && compareRuns(marker.run, runner.run) === 0;
}
