/** A bisect for a terminal and a job summary. */
import pc from 'picocolors';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatChange, formatDuration, formatInterval, formatPercent } from '../text/numbers.ts';
import { proseWidth, wrapText } from '../text/wrap.ts';
import type { BisectCommit, BisectResult } from '../trend/bisect/bisect-result.ts';
import type { Span } from '../trend/bisect/next-step.ts';
import { METRICS } from '../types/metric.ts';
import { drawBisect } from './bisect-picture.ts';
import { fence, writeMarkdown } from './compare/markdown.ts';

/** Columns in a job summary. */
const WIDTH = 100;

const HASH = 12;
const INDENT = 2;
const GO_ON = 'Run the same command again to continue from here.';

/** Returns lines for a terminal without a final line feed, the finding first. */
export function renderBisect(
	result: BisectResult,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const width = proseWidth(options.width);
	const wrap = (lines: readonly string[]) => lines.flatMap((line) => wrapText(line, width, INDENT)).join('\n');
	const [finding = '', ...otherLines] = describeEnd(result);
	const sections = [
		[colours.bold(finding), wrap(otherLines)].filter((text) => text !== '').join('\n'),
		drawBisect(result.commits, result.state, result.posterior, null, null),
		wrap(describeUnmeasured(result)),
		wrap(result.doubts.map(({ message }) => message)),
		`${result.row.cell}, ${METRICS[result.row.metric].label}; ${formatDuration(result.seconds)} of building and measuring.`,
		`Repeat it, or continue it:\n  ${result.reproduce}`,
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

function describeEnd(result: BisectResult): string[] {
	const { ended, commits, state, posterior } = result;
	const [good, bad] = [hashOf(commits[0]), hashOf(commits.at(-1))];
	switch (ended.kind) {
		case 'found':
			return describeFound(result, ended.span, ended.proven);
		case 'no-change':
			if (ended.sameCode) return [`No change: ${bad} has the same packed code as ${good}.`];
			return [
				`No change found: if ${bad} differs from ${good}, the difference is too small to see.`,
				`Noise is ${formatPercent(posterior.roundSd)} a round; ${countOf(state.probes.length, 'probe')}.`,
			];
		case 'stuck':
			return [
				'No first bad commit could be named, and more rounds would hardly help.',
				`The most probable is ${nameSpan(result, ended.span)}, with ${formatPercent(ended.span.probability, 0)}.`,
			];
		case 'budget':
			return ['The budget ran out before one commit was sure.', GO_ON];
		case 'interrupted':
			return ['Interrupted.', GO_ON];
	}
}

function describeFound(result: BisectResult, span: Span, proven: boolean): string[] {
	const sure = `${formatPercent(span.probability, 1)} probable`;
	const { proof, commits } = result;
	const one = span.after - span.before === 1;
	const what = one ? `First bad commit: ${hashOf(commits[span.after])}` : `First bad commit: ${nameSpan(result, span)}`;
	const proofSentence =
		proof === null
			? 'Not proven: the commits before and after could not be compared.'
			: `${proven ? 'Proven' : 'Not proven'} by a new comparison of ${hashOf(commits[proof.before])} with ${hashOf(commits[proof.after])}: ${formatChange(proof.change)} ${formatInterval(proof.interval)}${judgedBy(result)} after ${countOf(proof.rounds, 'round')}.`;
	return [`${what} (${sure})`, ...(one ? [describeCommit(commits[span.after])] : []), proofSentence];
}

/** Returns words only if the deciding metric is not the row's. */
function judgedBy({ proof, row }: BisectResult): string {
	return proof === null || proof.judgedBy === row.metric ? '' : ` in ${METRICS[proof.judgedBy].label}`;
}

/** Commits between both ends could not be measured. */
function nameSpan({ commits }: BisectResult, { before, after }: Span): string {
	if (after - before === 1) return hashOf(commits[after]);
	return `one of the ${after - before} after ${hashOf(commits[before])} up to ${hashOf(commits[after])}`;
}

function describeCommit(commit: BisectCommit | undefined): string {
	if (commit === undefined) return '';
	const { title, author, committedAt } = commit;
	return `${plainText(title, MESSAGE_LIMIT)} (${plainText(author, NAME_LIMIT)}, ${committedAt.slice(0, 10)})`;
}

function describeUnmeasured({ state, commits, reasons }: BisectResult): string[] {
	const broken = state.broken.map(
		(commit) => `${hashOf(commits[commit])} could not be measured: ${plainText(reasons[commit] ?? '', MESSAGE_LIMIT)}`,
	);
	const same = state.same.map((commit) => `${hashOf(commits[commit])} has the same packed code as good.`);
	return [...broken, ...same];
}

function hashOf(commit: BisectCommit | undefined): string {
	return (commit?.sha ?? '').slice(0, HASH);
}

export function renderBisectMarkdown(result: BisectResult): string {
	const [finding = '', ...otherLines] = renderBisect(result, { colour: false, width: WIDTH }).split('\n');
	const { row, commits } = result;
	const what = [{ code: row.cell }, `, ${countOf(commits.length - 1, 'commit')}`];
	// The finding needs no escaping: it consists of our own words and of hashes, which GitHub links.
	return `### Bisect: ${finding}\n\n${writeMarkdown(what)}\n\n${fence(otherLines.join('\n').trim(), 'text')}\n`;
}
