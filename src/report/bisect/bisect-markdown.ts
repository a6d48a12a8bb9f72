/** A bisect for the summary of a job. */
import { countOf } from '../../text/numbers.ts';
import type { BisectResult } from '../../trend/bisect/bisect-result.ts';
import { fence, writeMarkdown } from '../compare/markdown.ts';
import { renderBisect } from './bisect-terminal.ts';

/** Columns of a block of code in the summary of a job. */
const WIDTH = 100;

/** Returns what a bisect came to as GitHub-flavoured Markdown for the summary of a job, ending in a line feed: the finding first. */
export function renderBisectMarkdown(result: BisectResult): string {
	const [finding = '', ...rest] = renderBisect(result, { colour: false, width: WIDTH }).split('\n');
	const { row, commits } = result;
	const what = [{ code: row.cell }, `, ${countOf(commits.length - 1, 'commit')}`];
	// The finding is our own words around hashes, which GitHub makes links of.
	return `### Bisect: ${finding}\n\n${writeMarkdown(what)}\n\n${fence(rest.join('\n').trim(), 'text')}\n`;
}
