/** The title of a check. */
import { failureKind } from '../../judge/consequence.ts';
import { plainText } from '../../text/escape.ts';
import { renderPhrase } from '../../text/phrase.ts';
import type { Conclusion, Failure, GateMode } from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { Result } from '../../types/result.ts';
import type { Audience } from '../compare/audience.ts';
import { writeHeadline } from '../compare/headline.ts';
import { orderCells, rowOf } from '../compare/rows.ts';

/** GitHub shows about this many characters. */
const TITLE_LIMIT = 120;
/** Short enough that the change after the name stays visible. */
const CELL_LIMIT = 50;

/** No escaping: the whole title is made harmless at once. */
const same = (text: string): string => text;

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

function sentenceOf(conclusion: Conclusion, audience: Audience): string {
	switch (conclusion.kind) {
		case 'compared':
			return sentenceOfResult(conclusion.result, audience);
		case 'unchanged':
			return 'Nothing relevant changed, so nothing was measured';
		case 'cancelled':
			return 'Cancelled before there was a result';
		case 'failed':
			return `${titleOfFailure(conclusion.failure)}: ${causeOf(conclusion.failure)}`;
	}
}

/** Drops a beginning that repeats the title. */
export function causeOf(failure: Failure): string {
	const { message } = failure;
	const begin = `${titleOfFailure(failure)}: `;
	return message.toLowerCase().startsWith(begin.toLowerCase()) ? message.slice(begin.length) : message;
}

function sentenceOfResult(result: Result, audience: Audience): string {
	const rows = orderCells(result.cells).map((cell) => rowOf(cell, []));
	const { summary, title, standing } = writeHeadline(result, rows, audience);
	const sentence = renderPhrase(summary, {
		own: same,
		text: same,
		strong: same,
		code: (name) => plainText(name, CELL_LIMIT),
	});
	const { accepted } = result.gate;
	if (standing === 'accepted') return `Accepted by ${plainText(accepted?.by ?? '', CELL_LIMIT)}: ${sentence}`;
	return standing === 'advisory' || standing === 'inconclusive' ? `${title}: ${sentence}` : sentence;
}
