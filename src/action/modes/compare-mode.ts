/** The compare mode as a table of contents: announce → find both commits → config → measure → accept → publish. */
import { gateOn } from '../../config/adoption-ramp.ts';
import { NO_BASELINES } from '../../runs/baseline/read-main-rows.ts';
import type { CompareRequest } from '../../types/action-run.ts';
import type { Config } from '../../types/config.ts';
import { type ActionSession, isFork, type Place } from '../action-session.ts';
import { takeFreshTip } from '../commits/base-tip.ts';
import { type Commits, findCommits } from '../commits/find-commits.ts';
import { loadSideConfig, type SideConfig } from '../config/config-source.ts';
import { announceCheck, announceComment } from '../publish/announce.ts';
import { accept } from '../publish/ask-acceptance.ts';
import { describeFailure } from '../publish/describe-failure.ts';
import { publish } from '../publish/publish.ts';
import { tellEarlierRuns } from '../publish/tell-earlier-runs.ts';
import { readMain, targetOf } from '../record/read-main.ts';
import type { CacheStore } from '../services/install-cache.ts';
import { keepInstalls } from '../services/keep-installs.ts';
import { openServices } from '../services/open-services.ts';
import { runForeignCode } from '../services/run-foreign-code.ts';
import { type Measured, measure } from './measure-pair.ts';
import type { ModeOutcome } from './mode-outcome.ts';
import { asOrdered } from './ordered-run.ts';

/** Runs a comparison and publishes it, whatever it came to: what goes wrong on the way is published too. */
export function runCompareMode(session: ActionSession, request: CompareRequest): Promise<ModeOutcome> {
	return asOrdered(session, request, comparePair);
}

async function comparePair(session: ActionSession, request: CompareRequest): Promise<ModeOutcome> {
	const services = openServices(session);
	const place: Place = { headSha: request.checkSha, pullRequest: request.pullRequest, title: request.title };
	session.remember('headSha', place.headSha);
	session.remember('title', place.title);
	session.warnings.unshift(...(await tellEarlierRuns(session, place)));
	const check = await announceCheck(session, place);
	const measured = await measureRequest(session, request, place, services.cache);
	const { conclusion, warnings } = await accept(session, place, measured.conclusion);
	session.warnings.push(...warnings);
	const wished = measured.adopting ? 'advisory' : (session.inputs.gate ?? request.gate);
	return publish(
		session,
		{
			place,
			announced: { check, comment: measured.commented },
			conclusion,
			raw: measured.raw,
			...gateOn(wished, measured.config?.gate.enforceAfter, new Date()),
			adopting: measured.adopting,
			onInconclusive: measured.config?.gate.onInconclusive ?? session.inputs.onInconclusive ?? 'pass',
			lineOf: measured.lineOf,
		},
		services.store,
	);
}

interface MeasuredRequest extends Measured {
	readonly commented: boolean;
	/** Null when the run failed before there was one. */
	readonly config: Config | null;
	readonly adopting: boolean;
	readonly lineOf: SideConfig['lineOf'];
}

async function measureRequest(
	session: ActionSession,
	request: CompareRequest,
	place: Place,
	cache: CacheStore | null,
): Promise<MeasuredRequest> {
	let side: SideConfig | null = null;
	let commented = false;
	const ended = (measured: Measured): MeasuredRequest => ({
		...measured,
		commented,
		config: side?.config ?? null,
		adopting: side?.adopting ?? false,
		lineOf: side?.lineOf ?? (() => null),
	});
	try {
		const fresh = await takeFreshTip(session, request);
		const commits = await findCommits(session, fresh);
		side = await loadSideConfig({
			access: commits.access,
			inputs: session.inputs,
			command: request.command,
			revisions: commits.revisions,
			baseTip: fresh.baseTip,
		});
		session.warnings.push(...side.warnings);
		commented = await announceComment(session, place, describeMeasuring(session, place, commits, side.config));
		const { config } = side;
		const installs = {
			config,
			revisions: commits.revisions,
			revisionsGiven: isGiven(session, request),
			fromFork: isFork(session, request),
		};
		// Whoever asked with a command wants numbers.
		const skipUnchanged = session.inputs.skipUnchanged && request.command === null;
		// Now, because the token goes to nothing that starts after the code under test.
		const main = isGiven(session, request) ? NO_BASELINES : await readMain(session, targetOf(session.runner));
		session.warnings.push(...main.warnings);
		const compare = () => measure(session, commits, side as SideConfig, skipUnchanged, main.rows);
		const isWhole = ({ conclusion }: Measured) => conclusion.kind === 'compared';
		const { value, rewritten } = await runForeignCode(session, () =>
			keepInstalls(session, cache, installs, compare, isWhole),
		);
		return ended(rewritten === null ? value : { conclusion: { kind: 'failed', failure: rewritten }, raw: null });
	} catch (error) {
		if (session.signal.aborted) return ended({ conclusion: { kind: 'cancelled' }, raw: null });
		return ended({ conclusion: { kind: 'failed', failure: describeFailure(error) }, raw: null });
	}
}

/** Whether somebody typed a revision, so that the code may be anybody's. */
function isGiven({ inputs }: ActionSession, { base }: CompareRequest): boolean {
	return base.kind === 'given' || inputs.options.head !== undefined;
}

function describeMeasuring(session: ActionSession, place: Place, commits: Commits, config: Config) {
	return {
		headSha: place.headSha,
		baseLabel: commits.labels.base ?? commits.revisions.base.replace(/^git:/, '').slice(0, 40),
		startedAt: new Date().toISOString(),
		expectedMinutes: Math.ceil(config.budgetSeconds / 60),
		runUrl: session.runner.run.url,
	};
}
