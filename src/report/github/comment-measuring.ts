import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatMoment } from '../../text/numbers.ts';
import { phrase } from '../../text/phrase.ts';
import { fold, writeMarkdown } from '../compare/markdown.ts';
import { SHORT_SHA, writeLink } from './comment-closing.ts';

/** GitHub takes 65,536 characters; the rest is for the marker of the comment. */
const ROOM = 65_000;

/** What is known when measuring begins. */
export interface MeasuringContext {
	readonly headSha: string;
	readonly baseLabel: string;
	/** ISO 8601. */
	readonly startedAt: string;
	readonly expectedMinutes: number;
	readonly runUrl: string;
	/** The comment this one replaces, without its marker, when it was a report: kept in a fold until there is a new one. */
	readonly previous?: string;
}

/** Returns the comment while measuring: what against what, since when, for how long, where to follow it. */
export function renderMeasuring(measuring: MeasuringContext): string {
	const { headSha, baseLabel, startedAt, expectedMinutes, runUrl, previous = '' } = measuring;
	const head = { code: plainText(headSha.slice(0, SHORT_SHA), SHORT_SHA) };
	const what = phrase`Measuring ${head} against ${{ code: plainText(baseLabel, NAME_LIMIT) }}`;
	const minutes = countOf(Math.max(1, Math.ceil(expectedMinutes)), 'minute');
	const text = [
		`### ⏳ ${writeMarkdown(what)}`,
		`Started ${formatMoment(startedAt)}, takes at most ${minutes} of measuring: ${writeLink('follow the run', runUrl)}. The report will replace this comment.`,
	].join('\n\n');
	const kept = previous.trim() === '' ? '' : `\n\n${fold('Report of an earlier commit', previous.trim())}`;
	return `${text}${text.length + kept.length < ROOM ? kept : ''}\n`;
}
