import { gateOn } from '../../config/adoption-ramp.ts';
import { withBaselines } from '../../judge/row-drift.ts';
import { summarise } from '../../judge/summarise.ts';
import { findNode } from '../../measure/machine.ts';
import { NO_BASELINES } from '../../runs/baseline/read-main-rows.ts';
import type { DerivedImpact } from '../../runs/derive-impact.ts';
import { type RunOptions, runComparison } from '../../runs/run-comparison.ts';
import { type CompareRequest, type Conclusion, PULL_REQUEST_EVENTS } from '../../types/action-run.ts';
import type { Config } from '../../types/config.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Raw } from '../../types/result.ts';
import { type ActionSession, cacheFolderOf, isFork, type Place } from '../action-session.ts';
import { findHash } from '../commits/fetch-commits.ts';
import { type Commits, findCommits, takeFreshTip } from '../commits/find-commits.ts';
import { ask } from '../commits/git-access.ts';
import { loadSideConfig, type SideConfig } from '../config/config-source.ts';
import { announceCheck, announceComment } from '../publish/announce.ts';
import { accept } from '../publish/ask-acceptance.ts';
import { describeFailure } from '../publish/describe-failure.ts';
import { type Ended, publish } from '../publish/publish.ts';
import { tellEarlierRuns } from '../publish/tell-earlier-runs.ts';
import { readMain, targetOf } from '../record/read-main.ts';
import { deriveOwn } from '../rules/derive-rows.ts';
import { runForeignCode } from '../services/foreign-code.ts';
import { type CacheStore, keepInstalls } from '../services/install-cache.ts';
import { openServices } from '../services/open-services.ts';
import { type ComparedPair, explainLater } from './explain-compared.ts';
import type { ModeOutcome } from './mode-outcome.ts';
import { asOrdered } from './ordered-run.ts';

const FOLDER = '.github/workflows';

export interface Measured {
	readonly conclusion: Conclusion;
	readonly raw: Raw | null;
	/** Absent if nothing was compared. */
	readonly pair?: ComparedPair;
}

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
	const measured = await measureRequest(session, request, place, { ...services, isChecked: check !== null });
	const { conclusion, warnings } = await accept(session, place, measured.conclusion);
	session.warnings.push(...warnings);
	const wished = measured.adopting ? 'advisory' : (session.inputs.gate ?? request.gate);
	const ended: Ended = {
		place,
		announced: { check, comment: measured.commented },
		conclusion,
		raw: measured.raw,
		...gateOn(wished, measured.config?.gate.enforceAfter, new Date()),
		adopting: measured.adopting,
		adopts: request.command === null && measured.adopts,
		onInconclusive: measured.config?.gate.onInconclusive ?? session.inputs.onInconclusive ?? 'pass',
		lineOf: measured.lineOf,
	};
	const outcome = await publish(session, ended, services.store);
	return { ...outcome, later: explainLater(session, ended, measured.pair ?? null, services.store) };
}

interface MeasuredRequest extends Measured {
	readonly commented: boolean;
	/** Null if the run failed before the config was read. */
	readonly config: Config | null;
	readonly adopting: boolean;
	readonly adopts: boolean;
	readonly lineOf: SideConfig['lineOf'];
}

async function measureRequest(
	session: ActionSession,
	request: CompareRequest,
	place: Place,
	{ cache, isChecked }: { readonly cache: CacheStore | null; readonly isChecked: boolean },
): Promise<MeasuredRequest> {
	let side: SideConfig | null = null;
	let commented = false;
	let adopts = false;
	const ended = (measured: Measured): MeasuredRequest => ({
		...measured,
		commented,
		config: side?.config ?? null,
		adopting: side?.adopting ?? false,
		adopts,
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
		adopts = request.pullRequest !== null && (side.adopting || (await bringsWorkflow(session, commits, fresh)));
		commented = await announceComment(session, place, describeMeasuring(session, place, commits, side.config));
		const { config } = side;
		const installs = {
			config,
			revisions: commits.revisions,
			revisionsGiven: isGiven(session, request),
			fromFork: isFork(session, request),
		};
		// A command always measures.
		const skipUnchanged = session.inputs.skipUnchanged && request.command === null;
		// Read before code under test starts, because later children get no token.
		const main = isGiven(session, request) ? NO_BASELINES : await readMain(session, targetOf(session.runner));
		session.warnings.push(...main.warnings);
		const reports = isChecked || commented || !PULL_REQUEST_EVENTS.includes(session.runner.eventName);
		const derived = await deriveOwn(session, request, { commits, config, main, isOnly: !reports });
		const skips = { skipUnchanged, ...skipsOf(derived, reports) };
		const compare = () => measure(session, commits, side as SideConfig, skips, main.rows);
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

/** A reporting job could not verify what this one covers itself. */
function skipsOf(derived: DerivedImpact | null, reports: boolean): Pick<RunOptions, 'skipUnaffected' | 'derived'> {
	if (derived === null || (!reports && derived.rows.size === 0)) return {};
	return { derived, skipUnaffected: reports ? 'all' : 'derived' };
}

/** False if unknown. */
async function bringsWorkflow(
	{ runner: { workflow } }: ActionSession,
	{ access }: Commits,
	{ baseTip }: CompareRequest,
): Promise<boolean> {
	if (!workflow || baseTip === null) return false;
	const tip = await findHash(baseTip, 'base', access);
	return (
		tip !== null &&
		(await ask(access, 'ls-tree', '--full-tree', '--name-only', tip, '--', `${FOLDER}/${workflow}`)) === ''
	);
}

/** A typed revision may be code by anyone. */
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

/**
 * Compares two commits. Does not throw for faults of the code under test.
 *
 * @param main Where the target branch stands.
 */
async function measure(
	session: ActionSession,
	commits: Commits,
	side: SideConfig,
	skips: Pick<RunOptions, 'skipUnchanged' | 'skipUnaffected' | 'derived'>,
	main: readonly MainRow[],
): Promise<Measured> {
	const { inputs, runner, signal } = session;
	const { config, sideConfigs, mergeBase, reproduce, harnessFrom } = side;
	const { revisions, labels } = commits;
	try {
		const pair: ComparedPair = {
			...{ config, revisions, labels, reproduce, harnessFrom, sideConfigs, mergeBase, signal },
			cwd: runner.workspace,
			cacheFolder: cacheFolderOf(session),
			node: findNode(inputs.options.node),
			janitor: session.janitor,
			progress: session.progress,
			withheld: session.withheld,
		};
		const ended = await runComparison({
			...pair,
			...skips,
			keep: async () => {},
			skipUnchanged: skips.skipUnchanged === true && !side.relevantChange,
			coversAnew: true,
			covers: true,
		});
		if ('unchanged' in ended) {
			return { conclusion: { kind: 'unchanged', base: ended.base, head: ended.head }, raw: null };
		}
		if (ended.ended === 'interrupted') return { conclusion: { kind: 'cancelled' }, raw: ended };
		const raw = withBaselines(ended, main, config.gate);
		return { conclusion: { kind: 'compared', result: summarise(raw) }, raw, pair };
	} catch (error) {
		if (signal.aborted) return { conclusion: { kind: 'cancelled' }, raw: null };
		return { conclusion: { kind: 'failed', failure: describeFailure(error) }, raw: null };
	}
}
