/** Findings of `benchgate check` for a terminal. */
import pc from 'picocolors';
import { MESSAGE_LIMIT, plainText } from '../text/escape.ts';
import { countOf } from '../text/numbers.ts';
import { proseWidth, wrapText } from '../text/wrap.ts';
import type { Finding, FindingKind } from '../types/finding.ts';

/** Widths of the columns before a finding. */
const KIND = 9;
const ABOUT = 11;
const NARROWEST_TABLE = 50;
/** Large, because a remedy must stay whole to be copied. */
const LONGEST = 2 * MESSAGE_LIMIT;
const MOST_LINES = 12;

/**
 * Returns the findings and a conclusion as lines without a final line feed. The conclusion suggests `next` if there is
 * no problem.
 */
export function renderCheck(
	findings: readonly Finding[],
	next: string,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const width = proseWidth(options.width, NARROWEST_TABLE);
	const paint: Readonly<Record<FindingKind, (text: string) => string>> = {
		ok: colours.green,
		note: colours.yellow,
		problem: colours.red,
	};
	const lines = findings.flatMap((finding) => {
		const [first = '', ...otherLines] = describe(finding, width);
		return [paint[finding.kind](first.slice(0, KIND)) + first.slice(KIND), ...otherLines];
	});
	return [...lines, '', colours.bold(concludeCheck(findings, next))].join('\n');
}

export function concludeCheck(findings: readonly Finding[], next: string): string {
	const problems = findings.filter(({ kind }) => kind === 'problem').length;
	if (problems > 0) return `${countOf(problems, 'problem')}. Nothing was measured.`;
	return `Nothing is in the way. Next: ${next}`;
}

function describe({ kind, about, text, remedy, details }: Finding, width: number): readonly string[] {
	const indent = KIND + ABOUT;
	const wrapped = wrapText(plainText(text, LONGEST), width, indent);
	const [first = ''] = wrapped;
	const head = `${kind.padEnd(KIND)}${about.padEnd(ABOUT - 1)} ${first.trimStart()}`;
	const log = (details ?? '').split('\n').filter((line) => line.trim() !== '');
	return [
		head,
		...wrapped.slice(1),
		...log.slice(-MOST_LINES).map((line) => `${' '.repeat(indent)}| ${plainText(line, width - indent - 2)}`),
		...(remedy === undefined ? [] : wrapText(`To fix it: ${plainText(remedy, LONGEST)}`, width, indent)),
	];
}
