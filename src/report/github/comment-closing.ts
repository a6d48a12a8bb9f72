import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { phrase } from '../../text/phrase.ts';
import type { Conclusion } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import { writeLink, writeMarkdown } from '../document/markdown-writer.ts';
import type { CommentContext } from './comment-context.ts';
import { renderLog } from './render-failure.ts';

const MOST_WARNINGS = 4;
export const SHORT_SHA = 10;
function writeCommit({ headSha, serverUrl, repository }: CommentContext): string {
	const code = writeMarkdown([{ code: plainText(headSha.slice(0, SHORT_SHA), SHORT_SHA) }]);
	const sha = /^[0-9a-f]{40,64}$/.test(headSha);
	return sha ? writeLink(code, `${serverUrl}/${repository.owner}/${repository.repo}/commit/${headSha}`) : code;
}

export function renderClosing(conclusion: Conclusion, context: CommentContext, title: string): string {
	const about = title === '' ? '' : `${writeMarkdown([{ text: plainText(title, NAME_LIMIT) }])} · `;
	const run = writeLink('workflow run', context.runUrl);
	const artifactNote = conclusion.kind === 'compared' ? ' (its artifact has the HTML report and the raw data)' : '';
	return `<sub>benchgate · ${about}commit ${writeCommit(context)} · ${run}${artifactNote}</sub>`;
}

/** Returns warnings. If a message has further lines (YAML to add), they become a code block. */
export function renderWarnings(warnings: readonly Warning[]): string {
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
