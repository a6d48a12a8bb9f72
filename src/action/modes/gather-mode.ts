import { join } from 'node:path';
import { gateOn } from '../../config/adoption-ramp.ts';
import { findComment } from '../../github/sticky-comment.ts';
import { withBaselines } from '../../judge/row-drift.ts';
import { summarise } from '../../judge/summarise.ts';
import { NO_BASELINES } from '../../runs/baseline/read-main-rows.ts';
import type { CompareRequest, RequestOf } from '../../types/action-run.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { ShardPlan } from '../../types/shards.ts';
import type { ActionSession, Place } from '../action-session.ts';
import { announceCheck } from '../publish/announce.ts';
import { accept } from '../publish/ask-acceptance.ts';
import { describeFailure } from '../publish/describe-failure.ts';
import { publish } from '../publish/publish.ts';
import { tellEarlierRuns } from '../publish/tell-earlier-runs.ts';
import { readMain, targetOf } from '../record/read-main.ts';
import { openServices } from '../services/open-services.ts';
import { concludeShards } from '../shards/conclude-shards.ts';
import { readGathered } from '../shards/read-gathered.ts';
import type { Measured } from './compare-mode.ts';
import type { ModeOutcome } from './mode-outcome.ts';
import { asOrdered } from './ordered-run.ts';

/** Decides and publishes a comparison from its shards, without running code of either side. */
export function runGatherMode(session: ActionSession, { asked }: RequestOf<'gather'>): Promise<ModeOutcome> {
	return asOrdered(session, asked, gatherPair);
}

async function gatherPair(session: ActionSession, request: CompareRequest): Promise<ModeOutcome> {
	const { inputs, warnings, remember } = session;
	const { store } = openServices(session);
	const place: Place = { headSha: request.checkSha, pullRequest: request.pullRequest, title: request.title };
	remember('headSha', place.headSha);
	remember('title', place.title);
	warnings.unshift(...(await tellEarlierRuns(session, place)));
	const check = await announceCheck(session, place);
	const comment = await hasComment(session, place);
	const gathered = await gather(session, request);
	const accepted = await accept(session, place, gathered.conclusion);
	warnings.push(...accepted.warnings);
	const { plan } = gathered;
	const adopting = plan?.run?.adopting ?? false;
	const wished = adopting ? 'advisory' : (inputs.gate ?? request.gate);
	return publish(
		session,
		{
			place,
			announced: { check, comment },
			conclusion: accepted.conclusion,
			raw: gathered.raw,
			...gateOn(wished, plan?.gate.enforceAfter, new Date()),
			adopting,
			adopts: adopting && request.command === null,
			onInconclusive: plan?.gate.onInconclusive ?? inputs.onInconclusive ?? 'pass',
			// This job has no checkout.
			lineOf: () => null,
		},
		store,
	);
}

/** The plan job announced the comment, and this job is the last that can conclude it. */
async function hasComment(
	{ github, inputs, runner, remember }: ActionSession,
	{ pullRequest }: Place,
): Promise<boolean> {
	if (github === null || pullRequest === null || inputs.comment === 'never') return false;
	const place = { repository: runner.repository, issue: pullRequest.number, key: inputs.commentKey };
	if ((await findComment(github, place)) === null) return false;
	remember('comment', String(pullRequest.number));
	return true;
}

async function gather(
	session: ActionSession,
	{ base, command }: CompareRequest,
): Promise<Measured & { readonly plan: ShardPlan | null }> {
	const { inputs, runner, signal, warnings } = session;
	let plan: ShardPlan | null = null;
	try {
		const shards = readGathered(join(runner.workspace, inputs.shardFiles), runner.run.id);
		const noticed = 'conclusion' in shards ? shards.warnings : (shards.plan.run?.warnings ?? []);
		warnings.push(...noticed);
		if ('conclusion' in shards) return { conclusion: shards.conclusion, raw: null, plan };
		if (shards.plan.run?.ordered && command === null) throw orderedPlan();
		plan = shards.plan;
		const end = concludeShards(shards);
		if ('conclusion' in end) return { conclusion: end.conclusion, raw: null, plan };
		const isGiven = base.kind === 'given' || inputs.options.head !== undefined;
		const main = isGiven ? NO_BASELINES : await readMain(session, targetOf(runner));
		warnings.push(...main.warnings);
		const raw = withBaselines(end.raw, main.rows, plan.gate);
		return { conclusion: { kind: 'compared', result: summarise(raw) }, raw, plan };
	} catch (error) {
		if (signal.aborted) return { conclusion: { kind: 'cancelled' }, raw: null, plan };
		return { conclusion: { kind: 'failed', failure: describeFailure(error) }, raw: null, plan };
	}
}

/** A command may measure few rows with a loose threshold, so its result must not become the gate's. */
function orderedPlan(): UserError {
	return new UserError({
		code: 'ordered-plan',
		message:
			'the plan and the measurements are those that a /benchgate comment requested, and no comment requested this attempt',
		remedy: 'run all jobs of the workflow again to measure everything, not only those that failed',
		exitCode: EXIT.nothingMeasured,
	});
}
