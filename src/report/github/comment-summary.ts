/** The comment's text for the summary of a job and of a check, each with its limit. */
import type { Conclusion } from '../../types/action-run.ts';
import { type Room, renderWithin } from './comment.ts';
import type { CommentContext } from './comment-context.ts';

/** GitHub takes 1 MiB a step, and other lines may be written beside ours. */
const SUMMARY: Room = { limit: 1_000_000, sizeOf: byteLength };
/** GitHub takes 65,535 characters; whether an emoji is one of them is not written down, so bytes are counted. */
const CHECK: Room = { limit: 65_000, sizeOf: byteLength };

/** Returns the job summary of a conclusion: the comment's text in at most 1,000,000 bytes, with what the run was. */
export function renderSummary(conclusion: Conclusion, context: CommentContext): string {
	return renderWithin(conclusion, context, SUMMARY, context.title);
}

/** Returns the summary of a check run: the comment's text in at most 65,000 bytes. */
export function renderCheckSummary(conclusion: Conclusion, context: CommentContext): string {
	return renderWithin(conclusion, context, CHECK);
}

function byteLength(text: string): number {
	return new TextEncoder().encode(text).length;
}
