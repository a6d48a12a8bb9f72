/** The title of a check. */
import { failureKind } from '../../judge/consequence.ts';
import { plainText } from '../../text/escape.ts';
import { type PhraseStyle, renderPhrase } from '../../text/phrase.ts';
import type { Conclusion, Failure, GateMode } from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { Result } from '../../types/result.ts';
import { passesAccepted, withoutAccepted } from '../compare/acceptance-words.ts';
import type { Audience } from '../compare/audience.ts';
import { writeHeadline } from '../compare/headline.ts';
import { formatLimit, metricWord, orderCells, type Row, rowOf } from '../compare/rows.ts';
import { tally } from '../compare/tally.ts';

/** GitHub shows about this many characters. */
const TITLE_LIMIT = 120;
/** Short enough that the change after the name stays visible. */
const CELL_LIMIT = 50;

type Spoken = Audience & { readonly gate: GateMode };

/** No escaping: the whole title is made harmless at once. */
const same = (text: string): string => text;
const PLAIN: PhraseStyle = { own: same, code: same, text: same, strong: same };

export interface TitleContext {
	readonly gate: GateMode;
	readonly acceptLabel?: string | null;
	/** Replaces the result's own policy. */
	readonly onInconclusive?: InconclusivePolicy;
	readonly doubts?: readonly string[];
}

export function titleOf(conclusion: Conclusion, context: TitleContext): string {
	const { gate, acceptLabel = null, doubts = [] } = context;
	const standing = doubts.length > 0 ? 'Not verified: ' : '';
	return plainText(`${standing}${sentenceOf(withPolicy(conclusion, context), { gate, acceptLabel })}`, TITLE_LIMIT);
}

function withPolicy(conclusion: Conclusion, { onInconclusive }: TitleContext): Conclusion {
	if (conclusion.kind !== 'compared' || onInconclusive === undefined) return conclusion;
	return { ...conclusion, result: { ...conclusion.result, onInconclusive } };
}

/** Returns the side that could not be prepared: `Base does not build`. */
export function titleOfFailure(failure: Failure): string {
	if (failure.code === 'no-artifact') return 'The run that measured left no result';
	if (failure.code === 'workspace-changed') return "Base's files were changed";
	if (failure.code === 'own-files-touched') return "benchgate's own files were changed";
	if (failure.code === 'bad-command') return 'The command does not fit the config';
	if (failure.code.includes('artifact')) return 'The measured result was rejected';
	const builds = failure.code === 'build-failed' ? 'does not build' : 'cannot be prepared';
	switch (failureKind(failure)) {
		case 'usage':
			return 'Config or inputs are wrong';
		case 'internal':
			return 'benchgate itself failed';
		case 'machine':
			return failure.code === 'network' ? 'No network' : 'The machine cannot measure';
		case 'base':
			return `Base ${builds}`;
		case 'head':
			return `Head ${builds}`;
		case 'other':
			return 'Nothing was measured';
	}
}

function sentenceOf(conclusion: Conclusion, audience: Spoken): string {
	switch (conclusion.kind) {
		case 'compared':
			return sentenceOfResult(conclusion.result, audience);
		case 'unchanged':
			return 'Nothing relevant changed, so nothing was measured';
		case 'cancelled':
			return 'Cancelled before there was a result';
		case 'failed':
			return entitle(titleOfFailure(conclusion.failure), conclusion.failure.message);
	}
}

function entitle(title: string, message: string): string {
	const isTitled = message.toLowerCase().startsWith(title.toLowerCase());
	return isTitled ? title + message.slice(title.length) : `${title}: ${message}`;
}

function sentenceOfResult(result: Result, audience: Spoken): string {
	const { gate } = audience;
	const rows = orderCells(result.cells).map((cell) => rowOf(cell, []));
	const { outcome, accepted, neutral } = result.gate;
	if (accepted && passesAccepted(result)) {
		return `Accepted by ${plainText(accepted.by, CELL_LIMIT)}: ${describeRed(rows, audience)}`;
	}
	if (outcome === 'fail') {
		const unacceptedRows = withoutAccepted(result, rows);
		const redText = describeRed(unacceptedRows, audience);
		const regressed = unacceptedRows.some(isRegressed);
		if (gate === 'advisory') return `${regressed ? 'Regression, not enforced' : 'Not enforced'}: ${redText}`;
		return regressed ? `Regression: ${redText}` : redText;
	}
	const tallyText = renderPhrase(tally(rows, audience), PLAIN);
	if (outcome === 'error') return renderPhrase(writeHeadline(result, rows, audience).summary, PLAIN);
	return outcome === 'inconclusive' && neutral !== 'always' ? `Inconclusive: ${tallyText}` : tallyText;
}

function describeRed(rows: readonly Row[], audience: Spoken): string {
	const [worst, ...others] = rows.filter(isRegressed);
	if (!worst) return renderPhrase(tally(rows, audience), PLAIN);
	const name = plainText(worst.name, CELL_LIMIT);
	const more = others.length > 0 ? `, and ${others.length} more` : '';
	return `${name} ${worst.change} ${metricWord(worst)} (allowed: ${formatLimit(worst)})${more}`;
}

function isRegressed({ verdict }: Row): boolean {
	return verdict === 'regressed';
}
