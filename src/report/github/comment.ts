/** The comment of a conclusion, also for the summaries of a job and a check. */
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { phrase } from '../../text/phrase.ts';
import type { Conclusion } from '../../types/action-run.ts';
import type { Result } from '../../types/result.ts';
import { UNVERIFIED } from '../compare/effect.ts';
import { NOTHING_TO_DO } from '../compare/headline.ts';
import { type MarkdownOptions, renderMarkdown, writeMarkdown } from '../compare/markdown.ts';
import { renderClosing, renderWarnings } from './comment-closing.ts';
import type { CommentContext } from './comment-context.ts';
import { renderFailure } from './render-failure.ts';

/** GitHub takes 1 MiB a step, and other lines may be written beside ours. */
const SUMMARY: Room = { limit: 1_000_000, sizeOf: byteLength };

/** GitHub takes 65,535 characters; whether an emoji is one of them is not written down, so bytes are counted. */
const CHECK: Room = { limit: 65_000, sizeOf: byteLength };

export type { CommentContext } from './comment-context.ts';

/** How much a place takes, and how it counts. */
export type Room = Required<Pick<MarkdownOptions, 'limit' | 'sizeOf'>>;

/** GitHub takes 65,536 characters; the rest is for the marker of the comment. */
const COMMENT: Room = { limit: 65_000, sizeOf: (text) => text.length };

/** Sentences about what could not be verified. */
const MOST_DOUBTS = 5;

const CANCELLED = [
	'### ⏹️ Cancelled before there was a result',
	'Somebody, a newer push or a time limit stopped the run.',
	'**Check:** grey (cancelled): it neither passed nor failed.',
	'**Next:** run the workflow again, unless a newer commit is being measured.',
].join('\n\n');

/** Returns the comment of a conclusion: Markdown of at most 65,000 characters, without the marker that finds it again. */
export function renderComment(conclusion: Conclusion, context: CommentContext): string {
	return renderWithin(conclusion, context, COMMENT);
}

/** Returns what there is to say of a conclusion, as Markdown that fits `room`. `title`: what the run is, for its last line. */
function renderWithin(conclusion: Conclusion, context: CommentContext, room: Room, title = ''): string {
	const end = [renderWarnings(context.warnings), renderClosing(conclusion, context, title)]
		.filter((part) => part !== '')
		.join('\n\n');
	const begin = renderDoubts(context.doubts ?? []);
	const left = { ...room, limit: room.limit - room.sizeOf(begin) - room.sizeOf(end) - 3 };
	return `${begin}${renderBody(conclusion, context, left).trimEnd()}\n\n${end}\n`;
}

/** What nobody could verify comes first: everything below stands under it. */
function renderDoubts(doubts: readonly string[]): string {
	if (doubts.length === 0) return '';
	const lines = doubts
		.slice(0, MOST_DOUBTS)
		.map((doubt) => `> ${writeMarkdown([{ text: plainText(doubt, MESSAGE_LIMIT) }])}`);
	return `> [!WARNING]\n> **Not verified.**\n${lines.join('\n>\n')}\n\n`;
}

function renderBody(conclusion: Conclusion, context: CommentContext, room: Room): string {
	switch (conclusion.kind) {
		case 'compared':
			return renderResult(conclusion.result, context, room);
		case 'unchanged':
			return renderUnchanged(conclusion, context);
		case 'cancelled':
			return CANCELLED;
		case 'failed':
			return renderFailure(conclusion.failure, context);
	}
}

/** The policy is the context's, so that the words agree with the check. */
function renderResult(result: Result, context: CommentContext, room: Room): string {
	const { gate, acceptLabel, headSha, lineOf, adopting = false, advisoryUntil, doubts = [] } = context;
	const { onInconclusive = result.onInconclusive } = context;
	return renderMarkdown(
		{ ...result, onInconclusive },
		{ ...room, gate, acceptLabel, headSha, adopting, advisoryUntil, doubts, ...(lineOf && { lineOf }) },
	);
}

function renderUnchanged(
	{ base, head }: Extract<Conclusion, { kind: 'unchanged' }>,
	{ doubts = [] }: CommentContext,
): string {
	const [from, to] = [base, head].map(({ label }) => ({ code: plainText(label, NAME_LIMIT) }));
	const what = phrase`Base ${from ?? ''} and head ${to ?? ''} have the same code, servers and config, so there was nothing to measure.`;
	const check = doubts.length > 0 ? writeMarkdown(UNVERIFIED) : 'green.';
	return `### ✅ Nothing relevant changed\n\n${writeMarkdown(what)}\n\n**Check:** ${check}\n\n**Next:** ${NOTHING_TO_DO}`;
}

// The comment's text for the summary of a job and of a check, each with its limit.

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
