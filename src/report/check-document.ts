/** Findings of a check. */
import { MESSAGE_LIMIT, plainText } from '../text/escape.ts';
import { countOf } from '../text/numbers.ts';
import type { Finding, FindingKind } from '../types/finding.ts';
import { type Document, type Entry, section, type Tone } from './document/document.ts';

const TONES: Readonly<Record<FindingKind, Tone>> = { ok: 'pass', note: 'inconclusive', problem: 'fail' };
/** Large, because a remedy must stay whole to be copied. */
const LONGEST = 2 * MESSAGE_LIMIT;
const MOST_LINES = 12;

/** The conclusion suggests `next` if there is no problem. */
export function checkDocument(findings: readonly Finding[], next: string): Document {
	const problems = findings.filter(({ kind }) => kind === 'problem').length;
	const conclusion =
		problems > 0 ? `${countOf(problems, 'problem')}. Nothing was measured.` : `No problems found. Next: ${next}`;
	return {
		headline: null,
		sections: [section([], [{ kind: 'entries', entries: findings.map(entryOf) }])],
		conclusion,
	};
}

function entryOf({ kind, about, text, remedy, details = '' }: Finding): Entry {
	const lines = details.split('\n').filter((line) => line.trim() !== '');
	return {
		tone: TONES[kind],
		word: kind,
		about,
		text: [{ text: plainText(text, LONGEST) }],
		log: lines.slice(-MOST_LINES).map((line) => plainText(line, MESSAGE_LIMIT)),
		remedy: remedy === undefined ? null : [{ text: plainText(remedy, LONGEST) }],
	};
}
