import type { MainReading } from '../../runs/baseline/read-main-rows.ts';
import type { Conclusion, Failure, MeasuredRun } from '../../types/action-run.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import type { Rules } from '../rules/base-rules.ts';
import type { Delivery } from './artifact-fetch.ts';
import { concludeReceived } from './conclude-received.ts';
import type { ReceivedReport } from './publish-received.ts';
import type { Received } from './receive-artifact.ts';
import { SHED_LIMITS, shedWarning } from './shed-raw.ts';

/** What is known of a measuring run before its artifacts are judged. */
export interface Situation {
	readonly measured: MeasuredRun;
	/** Whether a comment asked for the attempt after one that was red: its job then ends as red, whatever it measured. */
	readonly staysRed: boolean;
	/** Key of what we say ourselves. */
	readonly ownKey: string;
	readonly artifactName: string;
	/** Rules of the report with that key. */
	readonly rulesOf: (key: string) => Promise<Rules>;
	/** Paths that the pull request changes; null when nobody knows. */
	readonly changed: readonly string[] | null;
	/** Where the base branch stands, by the baselines that the reporting job has read. */
	readonly main: MainReading;
	/** Keys of checks that this very run has left in progress. */
	readonly openKeys: readonly string[];
}

/** What to say of a run, and what somebody must fix. */
export interface Reports {
	readonly reports: readonly ReceivedReport[];
	readonly problems: readonly string[];
	/** For the log, in whole sentences. */
	readonly notes: readonly string[];
}

/** Warnings of the measuring job about its own publishing and its own store, which both happen here instead. */
const ABOUT_PUBLISHING =
	/^(?:missing-permission|github-|comment-too-long|acceptance-|artifact-not-uploaded|no-artifact|measured-before|baselines-unread)/;

/**
 * Returns what to say of a run, by what it left. An artifact that is refused is a problem of the repository: either two
 * versions of benchgate meet, or somebody tampers, and maintainers want to know of both. The pull request is told as well, under
 * our own key, unless an honest artifact has it. Artifacts of other attempts are left to their own reports. A check that nobody
 * will conclude any more is concluded.
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

/** Returns whether any artifact is about a comparison, so that there is something to say of drift. */
export function hasComparison(deliveries: readonly Delivery[]): boolean {
	return deliveries.some((each) => 'publication' in each && each.publication.conclusion.kind === 'compared');
}

/** Returns why a run that succeeded and left nothing is no failure: a job may have been left out. */
export function describeMissing(artifactName: string): string {
	return `the measuring run succeeded and left no artifact "${artifactName}"; if it measured, its input artifact-name is another one`;
}

function describeAttempt(attempt: number, { measured }: Situation): string {
	return `Left out an artifact of attempt ${attempt}: this report is about attempt ${measured.run.attempt} of the measuring run.`;
}

async function reportOf(
	received: Received,
	{ measured, staysRed, rulesOf, changed, main }: Situation,
): Promise<ReceivedReport> {
	const { commentKey: key, warnings } = received.publication;
	const rules = await rulesOf(key);
	const own = staysRed && measured.conclusion === 'failure' ? 'success' : measured.conclusion;
	const { conclusion, notes, doubts } = concludeReceived(received, rules, { conclusion: own }, changed, main.rows);
	const told = warnings
		.filter(({ code }: Warning) => !ABOUT_PUBLISHING.test(code))
		.slice(0, SHED_LIMITS.warnings)
		.map(shedWarning);
	const { gate, advisoryUntil, onInconclusive } = rules;
	return {
		key,
		conclusion,
		gate,
		advisoryUntil,
		onInconclusive,
		warnings: [...notes, ...main.warnings, ...told],
		doubts,
	};
}

/** What we say ourselves: of a run that left nothing, of an artifact that was refused, of checks that wait for ever. */
async function missingReports(
	reports: readonly ReceivedReport[],
	[refusal]: readonly UserError[],
	attempts: readonly number[],
	{ measured, ownKey, artifactName, rulesOf, openKeys }: Situation,
): Promise<readonly ReceivedReport[]> {
	const without = concludeWithout(measured, artifactName, attempts);
	const own = refusal ? failed(describeRefusal(refusal)) : without;
	const silent = reports.length === 0 && measured.conclusion !== 'success';
	const keys = new Set([...(refusal || silent ? [ownKey] : []), ...openKeys]);
	const unsaid = [...keys].filter((key) => reports.every((report) => report.key !== key));
	return Promise.all(
		unsaid.map(async (key) => {
			const { gate, advisoryUntil, onInconclusive } = await rulesOf(key);
			const conclusion = key === ownKey ? own : without;
			return { key, conclusion, gate, advisoryUntil, onInconclusive, warnings: [], doubts: [] };
		}),
	);
}

/** A run that left nothing was cut off, or broke before there was anything to leave. */
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
			: `what there is was left by attempt ${attempts[0]}, not by attempt ${run.attempt}`;
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
