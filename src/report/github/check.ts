import type { Annotation, Conclusion } from '../../types/action-run.ts';
import { annotateProblems, annotateRows, type Places } from './annotations.ts';
import type { CommentContext } from './comment-context.ts';
import { renderCheckSummary } from './comment-summary.ts';
import { titleOf } from './conclusion-title.ts';

/** What a check run shows. */
export interface CheckOutput {
	/** Plain text of at most 120 characters. */
	readonly title: string;
	/** Markdown of at most 65,000 bytes. */
	readonly summary: string;
	/** More than GitHub takes in one request: whoever sends them sends batches. */
	readonly annotations: readonly Annotation[];
}

/** Returns what the check run of a conclusion shows. */
export function buildCheck(conclusion: Conclusion, context: CommentContext & Places): CheckOutput {
	return {
		title: titleOf(conclusion, context),
		summary: renderCheckSummary(conclusion, context),
		annotations: annotationsOf(conclusion, context),
	};
}

function annotationsOf(conclusion: Conclusion, context: CommentContext & Places): readonly Annotation[] {
	if (conclusion.kind === 'compared') return annotateRows(conclusion.result, context.gate, context);
	return conclusion.kind === 'failed' ? annotateProblems(conclusion.failure, context) : [];
}
