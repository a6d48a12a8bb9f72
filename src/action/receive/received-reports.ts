import type { Conclusion, Failure, GateMode, MeasuredRun, Publication } from '../../types/action-run.ts';
import type { UserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionInputs } from '../request/inputs.ts';
import type { Delivery } from './artifact-fetch.ts';
import type { ReceivedReport } from './received-report.ts';

/** What the inputs of the reporting job decide. */
type Rules = Pick<ActionInputs, 'gate' | 'onInconclusive' | 'commentKey' | 'artifactName'>;

/** Warnings of the measuring job about its own publishing, which is what happens here instead. */
const ABOUT_PUBLISHING =
	/^(?:missing-permission|github-|comment-too-long|acceptance-|artifact-not-uploaded|no-artifact|measured-before)/;

/**
 * Returns what is to be said of a run, by what it left, and what somebody must mend. An artifact that is refused is a problem
 * of the repository: either two versions of benchgate meet, or somebody tampers, and maintainers want to know of both. The
 * pull request is told as well, under our own key, unless an honest artifact has it.
 */
export function reportsOf(
	deliveries: readonly Delivery[],
	measured: MeasuredRun,
	rules: Rules,
): { readonly reports: readonly ReceivedReport[]; readonly problems: readonly string[] } {
	const publications = deliveries.flatMap((delivery) => ('publication' in delivery ? [delivery.publication] : []));
	const refusals = deliveries.flatMap((delivery) => ('refusal' in delivery ? [delivery.refusal] : []));
	const reports = publications.map((publication) => reportOf(publication, rules));
	const [refusal] = refusals;
	const own = refusal ? failed(describeRefusal(refusal)) : concludeWithout(measured, rules.artifactName);
	const keyIsFree = reports.every(({ key }) => key !== rules.commentKey);
	const withOwn =
		deliveries.length === 0 || (refusal && keyIsFree) ? [...reports, ownReport(own, measured, rules)] : reports;
	return { reports: withOwn, problems: refusals.map(sentenceOf) };
}

/** Returns why a run that succeeded and left nothing is no failure: a job may have been left out. */
export function describeMissing(artifactName: string): string {
	return `the measuring run succeeded and left no artifact "${artifactName}"; if it measured, its input artifact-name is another one`;
}

function reportOf(publication: Publication, { gate, onInconclusive }: Rules): ReceivedReport {
	return {
		key: publication.commentKey,
		conclusion: publication.conclusion,
		gate: gate ?? publication.gate,
		adopting: publication.adopting ?? false,
		onInconclusive: onInconclusive ?? publication.onInconclusive,
		warnings: publication.warnings.filter(({ code }: Warning) => !ABOUT_PUBLISHING.test(code)),
	};
}

function ownReport(
	conclusion: Conclusion,
	{ event }: MeasuredRun,
	{ commentKey, gate, onInconclusive }: Rules,
): ReceivedReport {
	const usual: GateMode = event === 'pull_request' || event === 'merge_group' ? 'enforce' : 'advisory';
	return { key: commentKey, conclusion, gate: gate ?? usual, onInconclusive: onInconclusive ?? 'pass', warnings: [] };
}

/** A run that left nothing was cut off, or broke before there was anything to leave. */
function concludeWithout({ conclusion }: MeasuredRun, artifactName: string): Conclusion {
	if (conclusion === 'cancelled') return { kind: 'cancelled' };
	const how = conclusion === 'timed_out' ? 'ran out of time' : 'failed';
	return failed({
		code: 'no-artifact',
		side: null,
		message: `the measuring run ${how} before it left a result (there is no artifact "${artifactName}")`,
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
