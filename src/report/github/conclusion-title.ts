import { failureKind } from '../../judge/consequence.ts';
import { plainText } from '../../text/escape.ts';
import { type PhraseStyle, renderPhrase } from '../../text/phrase.ts';
import type { Conclusion, Failure, GateMode } from '../../types/action-run.ts';
import type { Result } from '../../types/result.ts';
import { writeHeadline } from '../compare/headline.ts';
import { formatLimit, metricWord, orderCells, type Row, rowOf } from '../compare/rows.ts';
import { tally } from '../compare/tally.ts';

/** Longest title; GitHub shows about as much beside the name of a check. */
const TITLE_LIMIT = 120;
/** Longest name of a cell in a title, so that the change behind it is never cut off. */
const CELL_LIMIT = 50;

/** A check's title is plain text, made harmless as a whole. */
const same = (text: string): string => text;
const PLAIN: PhraseStyle = { own: same, code: same, text: same, strong: same };

/** Returns a conclusion in one line of at most 120 characters of plain text: what happened, and by how much. */
export function titleOf(conclusion: Conclusion, gate: GateMode): string {
	return plainText(sentenceOf(conclusion, gate), TITLE_LIMIT);
}

/** Returns which side could not be prepared, without the cause: `Base does not build`. */
export function titleOfFailure(failure: Failure): string {
	if (failure.code === 'no-artifact') return 'The run that measured left no result';
	if (failure.code.includes('artifact')) return 'The measured result was rejected';
	const builds = failure.code === 'build-failed' ? 'does not build' : 'cannot be prepared';
	switch (failureKind(failure)) {
		case 'usage':
			return 'Config or inputs are wrong';
		case 'internal':
			return 'benchgate failed';
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

function sentenceOf(conclusion: Conclusion, gate: GateMode): string {
	switch (conclusion.kind) {
		case 'compared':
			return sentenceOfResult(conclusion.result, gate);
		case 'unchanged':
			return 'Nothing relevant changed, so nothing was measured';
		case 'cancelled':
			return 'Cancelled before there was a result';
		case 'failed':
			return `${titleOfFailure(conclusion.failure)}: ${conclusion.failure.message}`;
	}
}

function sentenceOfResult(result: Result, gate: GateMode): string {
	const rows = orderCells(result.cells).map((cell) => rowOf(cell, []));
	const { outcome, accepted } = result.gate;
	if (outcome === 'fail' || accepted) {
		const standing = accepted ? 'Accepted regression' : gate === 'advisory' ? 'Regression, not enforced' : 'Regression';
		return `${standing}: ${describeWorst(rows)}`;
	}
	if (outcome === 'error') return renderPhrase(writeHeadline(result, rows).summary, PLAIN);
	const told = renderPhrase(tally(rows), PLAIN);
	return outcome === 'inconclusive' ? `Inconclusive: ${told}` : told;
}

function describeWorst(rows: readonly Row[]): string {
	const [worst, ...others] = rows.filter((row) => row.verdict === 'regressed');
	if (!worst) return 'see the report';
	const name = plainText(`${worst.server}/${worst.scenario}`, CELL_LIMIT);
	const more = others.length > 0 ? `, and ${others.length} more` : '';
	return `${name} ${worst.change} ${metricWord(worst)} (allowed: ${formatLimit(worst)})${more}`;
}
