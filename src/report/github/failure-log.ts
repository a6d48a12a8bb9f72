/** The end of a log as a block of code. */
import { plainText } from '../../text/escape.ts';
import { fence } from '../compare/markdown.ts';

/** Lines of a log a comment shows, from its end, and characters of a line. */
const MOST_LINES = 25;
const LINE_LIMIT = 200;
/** Colours and cursor movements of a terminal. */
const CONTROL_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g');

/** Returns the last lines of a log as a block of code that nothing in it can end; empty for an empty log. */
export function renderLog(log: string | null, language = 'text'): string {
	const lines = (log ?? '')
		.slice(-MOST_LINES * LINE_LIMIT * 10)
		.replace(CONTROL_SEQUENCE, '')
		.trimEnd()
		.split(/\r?\n/)
		.slice(-MOST_LINES)
		.map(plainLine);
	const text = lines.join('\n').replace(/^\n+/, '').trimEnd();
	return text === '' ? '' : fence(text, language);
}

/** The same line with nothing but visible characters in it; its indentation stays. */
function plainLine(line: string): string {
	const [indent = ''] = /^[ \t]{0,40}/.exec(line) ?? [];
	return `${indent.replaceAll('\t', '  ')}${plainText(line, LINE_LIMIT)}`.trimEnd();
}
