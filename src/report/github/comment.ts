/** Comment of a conclusion, and summaries of its job and check. */
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { capitalised, phrase } from '../../text/phrase.ts';
import type { Conclusion } from '../../types/action-run.ts';
import type { Result } from '../../types/result.ts';
import type { Audience } from '../compare/audience.ts';
import { UNVERIFIED } from '../compare/effect.ts';
import { NOTHING_TO_DO } from '../compare/headline.ts';
import { renderMarkdown } from '../compare/markdown.ts';
import { adviseAdoption, runAgain } from '../compare/workflow-words.ts';
import { type MarkdownRoom, writeMarkdown } from '../document/markdown-writer.ts';
import { renderClosing, renderWarnings } from './comment-closing.ts';
import type { CommentContext } from './comment-context.ts';
import { renderFailure } from './render-failure.ts';

/** GitHub's limit is 1 MiB per step, shared with other output. */
export const SUMMARY: Room = { limit: 1_000_000, sizeOf: byteLength };

/** GitHub's limit is 65,535 characters. It does not document how emoji count, so bytes are counted. */
const CHECK: Room = { limit: 65_000, sizeOf: byteLength };

export type { CommentContext } from './comment-context.ts';

export type Room = Required<MarkdownRoom>;

/** GitHub's limit is 65,536 characters; the rest is for the marker. */
const COMMENT: Room = { limit: 65_000, sizeOf: (text) => text.length };

const MOST_DOUBTS = 5;

export function renderComment(conclusion: Conclusion, context: CommentContext): string {
	return renderWithin(conclusion, context, COMMENT);
}

function renderWithin(conclusion: Conclusion, context: CommentContext, room: Room, title = ''): string {
	const end = [renderWarnings(context.warnings), renderClosing(conclusion, context, title)]
		.filter((part) => part !== '')
		.join('\n\n');
	const begin = renderDoubts(context.doubts ?? []);
	const bodyRoom = { ...room, limit: room.limit - room.sizeOf(begin) - room.sizeOf(end) - 3 };
	return `${begin}${renderBody(conclusion, context, bodyRoom).trimEnd()}\n\n${end}\n`;
}

/** Doubts come first, because they apply to everything below. */
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
			return renderCancelled(context);
		case 'failed':
			return renderFailure(conclusion.failure, context);
	}
}

/** Uses the context's policy, so it agrees with the check. */
function renderResult(result: Result, context: CommentContext, room: Room): string {
	const { onInconclusive = result.onInconclusive } = context;
	return renderMarkdown({ ...result, onInconclusive }, { ...room, ...audienceOf(context) });
}

export function audienceOf(context: CommentContext): Audience {
	const { gate, acceptLabel, headSha, lineOf, adopting = false, answersCommand = false, doubts = [] } = context;
	const { advisoryUntil, outsidePulls = false, adoption, workflows, serverUrl, repository, dashboard } = context;
	const repositoryUrl = `${serverUrl}/${repository.owner}/${repository.repo}`;
	const adopted = { adopting, adoption, answersCommand, outsidePulls, advisoryUntil };
	const { explanation, placeOf } = context;
	const why = { ...(explanation && { explanation }), ...(placeOf && { placeOf }) };
	const facts = { gate, acceptLabel, headSha, doubts, repositoryUrl, dashboard, ...why };
	return { ...facts, ...adopted, ...(workflows && { workflows }), ...(lineOf && { lineOf }) };
}

function renderCancelled({ workflows }: CommentContext): string {
	const again = writeMarkdown(capitalised(runAgain(workflows?.measuring, 'run the workflow again')));
	return [
		'### ⏹️ Cancelled before there was a result',
		'A newer push, a time limit or a user stopped the run.',
		'**Check:** grey (cancelled): it neither passed nor failed.',
		`**Next:** ${again}, unless a newer commit is being measured.`,
	].join('\n\n');
}

function renderUnchanged(
	{ base, head }: Extract<Conclusion, { kind: 'unchanged' }>,
	{ doubts = [], adoption }: CommentContext,
): string {
	const [from, to] = [base, head].map(({ label }) => ({ code: plainText(label, NAME_LIMIT) }));
	const what = phrase`Base ${from ?? ''} and head ${to ?? ''} have the same code, servers and config, so there was nothing to measure.`;
	const check = doubts.length > 0 ? `\n\n**Check:** ${writeMarkdown(UNVERIFIED)}` : '';
	const [adopting] = adviseAdoption({ adoption });
	const next = adopting ? writeMarkdown(adopting) : NOTHING_TO_DO;
	return `### ✅ Nothing relevant changed\n\n${writeMarkdown(what)}${check}\n\n**Next:** ${next}`;
}

export function renderSummary(conclusion: Conclusion, context: CommentContext): string {
	return renderWithin(conclusion, context, SUMMARY, context.title);
}

export function renderCheckSummary(conclusion: Conclusion, context: CommentContext): string {
	return renderWithin(conclusion, context, CHECK);
}

function byteLength(text: string): number {
	return new TextEncoder().encode(text).length;
}
