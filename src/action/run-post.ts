import { findOpenCheck, finishCheck } from '../github/check-run.ts';
import { compareRuns } from '../github/comment-marker.ts';
import { type CommentPlace, findComment, putComment } from '../github/sticky-comment.ts';
import { consequenceOf } from '../judge/consequence.ts';
import { buildCheck } from '../report/github/check.ts';
import { renderComment } from '../report/github/comment.ts';
import type { Conclusion } from '../types/action-run.ts';
import type { ActionSession } from './action-session.ts';
import { recall } from './action-session.ts';
import { contextOf } from './publish/comment-context.ts';
import { describeFailure } from './publish/describe-failure.ts';
import { createLogProgress, sayFailure, sayWarnings } from './publish/speak.ts';
import { readInputs } from './request/inputs.ts';
import { readRunner } from './request/runner.ts';
import { takeSecrets } from './secrets.ts';
import { openGitHub } from './services/open-github.ts';

/** Saved by the step; empty if it stopped earlier. */
export interface Remembered {
	readonly check: string;
	/** Pull request that may have a "measuring" comment. */
	readonly comment: string;
	readonly headSha: string;
	readonly title: string;
	/** Set only if it differs from the input. */
	readonly key: string;
	/** `true` once check and comment are concluded. */
	readonly concluded: string;
}

type PostSession = Pick<ActionSession, 'inputs' | 'runner' | 'github' | 'warnings'>;

/** Never fails the job, because the measurement is already reported. */
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
 * Concludes check and comment of a step cancelled, timed out or killed, and asks GitHub which are open. Failed calls
 * become warnings.
 */
export async function concludeCutOff(session: PostSession, remembered: Remembered): Promise<void> {
	const { github, inputs, runner, warnings } = session;
	if (remembered.concluded === 'true' || github === null) return;
	const conclusion: Conclusion = { kind: 'cancelled' };
	const { headSha, title, comment } = remembered;
	const pullRequest = comment === '' ? null : { number: Number(comment) };
	const gateContext = { gate: inputs.gate ?? 'enforce', warnings: [] } as const;
	const context = contextOf(session, { headSha, title, pullRequest }, null, gateContext);
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
	const rememberedCheck = remembered.check === '' ? null : Number(remembered.check);
	const open =
		headSha === '' || !inputs.checkRun ? null : await findOpenCheck(github, { ...place, headSha, run: runner.run });
	const check = open === 'unknown' ? rememberedCheck : open;
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

/** False if the comment already has this run's report, or still has an earlier run's. */
async function isMeasuring({ github, runner }: PostSession, place: CommentPlace): Promise<boolean> {
	const marker = github && (await findComment(github, place))?.marker;
	return marker?.state === 'measuring' && compareRuns(marker.run, runner.run) === 0;
}
