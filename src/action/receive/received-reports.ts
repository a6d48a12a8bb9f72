import { placeInDiff } from '../../explain/place-in-diff.ts';
import type { MainReading } from '../../runs/baseline/read-main-rows.ts';
import type { DerivedImpact } from '../../runs/derive-impact.ts';
import type { CodePosition } from '../../text/phrase.ts';
import type { Conclusion, Failure, MeasuredRun } from '../../types/action-run.ts';
import type { Config } from '../../types/config.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import type { Raw } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import type { Rules } from '../rules/base-rules.ts';
import type { Delivery } from './artifact-fetch.ts';
import { concludeReceived } from './conclude-received.ts';
import { type Held, holdExplanation, type KnownChange } from './hold-explanation.ts';
import type { ReceivedReport } from './publish-received.ts';
import type { Received } from './receive-artifact.ts';
import { SHED_LIMITS, shedWarning } from './shed-raw.ts';

export interface Situation {
	readonly measured: MeasuredRun;
	/** True if a comment ordered this attempt after a red one: its job then always ends red. */
	readonly staysRed: boolean;
	readonly ownKey: string;
	readonly artifactName: string;
	readonly rulesOf: (key: string) => Promise<Rules>;
	/** Of the pull request; null if unknown. */
	readonly changed: KnownChange | null;
	/** Where the base branch stands, as read here. */
	readonly main: MainReading;
	/** As for `concludeReceived`. */
	readonly derive: (config: Config, raw: Raw) => Promise<DerivedImpact | string>;
	/** Keys of this run's checks that are still in progress. */
	readonly openKeys: readonly string[];
}

const NO_CHANGE: KnownChange = { paths: [], lines: new Map() };
const NO_EXPLANATION: Held = { explanation: null, warnings: [] };

export interface Reports {
	readonly reports: readonly ReceivedReport[];
	readonly problems: readonly string[];
	readonly notes: readonly string[];
}

/** Codes of warnings about publishing and the store, which happen here. */
const ABOUT_PUBLISHING =
	/^(?:missing-permission|github-|comment-too-long|acceptance-|artifact-not-uploaded|no-artifact|measured-before|baselines-unread)/;

/**
 * Returns the reports on a run. A refused artifact becomes a problem, and a report under our own key unless a valid
 * artifact has that key. Skips artifacts of other attempts, and concludes open checks.
 */
export async function reportsOf(deliveries: readonly Delivery[], situation: Situation): Promise<Reports> {
	const reports: ReceivedReport[] = [];
	const refusals = deliveries.flatMap((delivery) => ('refusal' in delivery ? [delivery.refusal] : []));
	for (const delivery of deliveries) {
		if (!('publication' in delivery)) continue;
		try {
			reports.push(await reportOf(delivery, situation));
		} catch (error) {
			if (!isUserError(error) || error.code !== 'bad-artifact') throw error;
			refusals.push(error);
		}
	}
	const attempts = deliveries.flatMap((delivery) => ('attempt' in delivery ? [delivery.attempt] : []));
	const missing = await missingReports(reports, refusals, attempts, situation);
	return {
		reports: [...reports, ...missing],
		problems: refusals.map(sentenceOf),
		notes: attempts.map((attempt) => describeAttempt(attempt, situation)),
	};
}

export function hasComparison(deliveries: readonly Delivery[]): boolean {
	return deliveries.some((each) => 'publication' in each && each.publication.conclusion.kind === 'compared');
}

/** This is no failure, because the job may have been skipped. */
export function describeMissing(artifactName: string): string {
	return `the measuring run succeeded and left no artifact "${artifactName}"; if it measured, its input artifact-name is another one`;
}

function describeAttempt(attempt: number, { measured }: Situation): string {
	return `Left out an artifact of attempt ${attempt}: this report is about attempt ${measured.run.attempt} of the measuring run.`;
}

async function reportOf(
	received: Received,
	{ measured, staysRed, rulesOf, changed, main, derive }: Situation,
): Promise<ReceivedReport> {
	const { commentKey: key, warnings } = received.publication;
	const rules = await rulesOf(key);
	const { raw } = received;
	const isClaimed = raw?.plan.oneSided.some(({ verdict }) => verdict === 'unaffected') === true;
	const isDerived = isClaimed && rules.config !== null && !rules.revisionsGiven;
	const derived = isDerived ? await derive(rules.config, raw) : undefined;
	const runConclusion = staysRed && measured.conclusion === 'failure' ? 'success' : measured.conclusion;
	const { conclusion, notes, doubts } = concludeReceived(
		received,
		rules,
		{ conclusion: runConclusion },
		changed?.paths ?? null,
		main.rows,
		derived,
	);
	const known = rules.revisionsGiven ? null : changed;
	const held =
		conclusion.kind === 'compared'
			? holdExplanation(received.explained, conclusion.result, known ?? NO_CHANGE)
			: NO_EXPLANATION;
	const publicationWarnings = warnings
		.filter(({ code }: Warning) => !ABOUT_PUBLISHING.test(code))
		.slice(0, SHED_LIMITS.warnings)
		.map(shedWarning);
	const { gate, advisoryUntil, onInconclusive, places } = rules;
	return {
		key,
		...(places && { places }),
		conclusion,
		gate,
		advisoryUntil,
		onInconclusive,
		warnings: [...notes, ...main.warnings, ...publicationWarnings, ...held.warnings],
		doubts,
		...(held.explanation && {
			explanation: held.explanation,
			placeOf: (code: CodePosition) => placeInDiff(code, known?.lines ?? NO_CHANGE.lines),
		}),
	};
}

async function missingReports(
	reports: readonly ReceivedReport[],
	[refusal]: readonly UserError[],
	attempts: readonly number[],
	{ measured, ownKey, artifactName, rulesOf, openKeys }: Situation,
): Promise<readonly ReceivedReport[]> {
	const without = concludeWithout(measured, artifactName, attempts);
	const ownConclusion = refusal ? failed(describeRefusal(refusal)) : without;
	const silent = reports.length === 0 && measured.conclusion !== 'success';
	const keys = new Set([...(refusal || silent ? [ownKey] : []), ...openKeys]);
	const unsaid = [...keys].filter((key) => reports.every((report) => report.key !== key));
	return Promise.all(
		unsaid.map(async (key) => {
			const { gate, advisoryUntil, onInconclusive } = await rulesOf(key);
			const conclusion = key === ownKey ? ownConclusion : without;
			return { key, conclusion, gate, advisoryUntil, onInconclusive, warnings: [], doubts: [] };
		}),
	);
}

function concludeWithout(
	{ conclusion, run }: MeasuredRun,
	artifactName: string,
	attempts: readonly number[],
): Conclusion {
	if (conclusion === 'cancelled') return { kind: 'cancelled' };
	const how = conclusion === 'timed_out' ? 'ran out of time' : conclusion === 'success' ? 'ended' : 'failed';
	const what =
		attempts.length === 0
			? `there is no artifact "${artifactName}"`
			: `the artifacts are those of attempt ${attempts[0]}, not of attempt ${run.attempt}`;
	return failed({
		code: 'no-artifact',
		side: null,
		message: `the measuring run ${how} before it left a result (${what})`,
		where: null,
		remedy: 'see the log of the measuring run, then run it again',
		details: null,
		usage: false,
	});
}

function describeRefusal({ code, message, where, remedy }: UserError): Failure {
	return { code, side: null, message, where: where ?? null, remedy: remedy ?? null, details: null, usage: false };
}

function sentenceOf({ message, where, remedy }: UserError): string {
	return `${where === undefined ? '' : `${where}: `}${message}. To fix it: ${remedy ?? 'run the measuring workflow again'}.`;
}

function failed(failure: Failure): Conclusion {
	return { kind: 'failed', failure };
}
