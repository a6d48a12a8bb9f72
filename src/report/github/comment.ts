/** Comment of a conclusion, and summaries of its job and check. */
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { capitalised, phrase } from '../../text/phrase.ts';
import type { Conclusion } from '../../types/action-run.ts';
import type { Result } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import { type Audience, adviseAdoption, runAgain } from '../compare/audience.ts';
import { renderMarkdown } from '../compare/comparison-document.ts';
import { UNVERIFIED } from '../compare/effect.ts';
import { NOTHING_TO_DO } from '../compare/headline.ts';
import { type MarkdownRoom, writeLink, writeMarkdown } from '../document/markdown-writer.ts';
import type { CommentContext } from './comment-context.ts';
import { renderFailure, renderLog } from './render-failure.ts';

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

const MOST_WARNINGS = 4;
export const SHORT_SHA = 10;
function writeCommit({ headSha, serverUrl, repository }: CommentContext): string {
	const code = writeMarkdown([{ code: plainText(headSha.slice(0, SHORT_SHA), SHORT_SHA) }]);
	const sha = /^[0-9a-f]{40,64}$/.test(headSha);
	return sha ? writeLink(code, `${serverUrl}/${repository.owner}/${repository.repo}/commit/${headSha}`) : code;
}

function renderClosing(conclusion: Conclusion, context: CommentContext, title: string): string {
	const about = title === '' ? '' : `${writeMarkdown([{ text: plainText(title, NAME_LIMIT) }])} · `;
	const run = writeLink('workflow run', context.runUrl);
	const artifactNote = conclusion.kind === 'compared' ? ' (its artifact has the HTML report and the raw data)' : '';
	return `<sub>benchgate · ${about}commit ${writeCommit(context)} · ${run}${artifactNote}</sub>`;
}

/** Returns warnings. If a message has further lines (YAML to add), they become a code block. */
function renderWarnings(warnings: readonly Warning[]): string {
	const shown = warnings.slice(0, MOST_WARNINGS).map(renderWarning);
	const hiddenCount = warnings.length - shown.length;
	return [...shown, ...(hiddenCount > 0 ? [`and ${countOf(hiddenCount, 'more warning')}`] : [])].join('\n\n');
}

function renderWarning({ code, message }: Warning): string {
	const [first = '', ...otherLines] = message.trim().split('\n');
	const line = phrase`⚠️ ${{ code: plainText(code, NAME_LIMIT) }}: ${{ text: plainText(first, MESSAGE_LIMIT) }}`;
	const block = renderLog(otherLines.join('\n'), 'yaml');
	return [writeMarkdown(line), block].filter((part) => part !== '').join('\n\n');
}
