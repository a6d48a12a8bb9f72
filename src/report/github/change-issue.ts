import { Z95 } from '../../stats/distributions.ts';
import { changeOf } from '../../stats/estimate.ts';
import { CHANGE_STATE_WORDS } from '../../text/change-states.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText, shellWord } from '../../text/escape.ts';
import { countOf, formatChange, formatInterval, formatPercent, INTERVAL_95, NONE } from '../../text/numbers.ts';
import { type ChangeGroup, groupOf, type RowChange } from '../../trend/group-changes.ts';
import { type BaselineCommit, commitKey } from '../../types/baseline.ts';
import { METRICS } from '../../types/metric.ts';
import type { Bisected, NamedCommit, Trend } from '../../types/trend.ts';
import { unitWord } from '../baseline-words.ts';
import { type Column, column, tableOf } from '../compare/columns.ts';
import { fence, fold, tableMarkdown, writeMarkdown } from '../document/markdown-writer.ts';

export interface IssueFacts {
	readonly commits: Trend['commits'];
	/** Changes that one commit can explain. */
	readonly changes: readonly RowChange[];
	/** `https://github.com/o/r`. */
	readonly page: string;
}

export interface IssueText {
	readonly title: string;
	/** Markdown that lacks the marker. */
	readonly body: string;
}

export type IssueEnd =
	| { readonly kind: 'repaired' }
	| { readonly kind: 'accepted'; readonly by: string; readonly reason: string | null };

const SHORT_SHA = 7;
const MOST_ROWS = 30;
const MOST_COMMITS = 10;

/** Escapes the foreign text about commits that records contain. */
export function renderChangeIssue(facts: IssueFacts): IssueText {
	const group = groupOf(facts.changes);
	const [first] = group.changes;
	const more = group.changes.length - 1;
	const named = namedIn(group.changes)?.named;
	const since = named === undefined ? shortOf(likeliest(facts, first)) : shortNamed(named);
	const others = more === 0 ? '' : ` and ${countOf(more, 'more row')}`;
	const { change } = stepOf(first);
	return {
		title: plainText(`${cellOf(first)} is at ${change} ${unitOf(first)} since ${since}${others}`, 4 * NAME_LIMIT),
		body: bodyOf(facts, group),
	};
}

export function renderChangeLine(facts: IssueFacts): string {
	const { title } = renderChangeIssue(facts);
	return writeMarkdown([{ text: title }]);
}

export function renderIssueEnd({ commits, changes, page }: IssueFacts, end: IssueEnd): string {
	if (end.kind === 'accepted') {
		const why = end.reason === null ? '' : `: ${writeMarkdown([{ text: plainText(end.reason, MESSAGE_LIMIT) }])}`;
		return `Accepted by ${writeMarkdown([{ text: plainText(end.by, NAME_LIMIT) }])}${why}. A further slowdown gets an issue of its own.`;
	}
	const lines = changes.slice(0, MOST_ROWS).map((one) => {
		const { repair } = one.change;
		const where = repair === undefined ? '' : ` since ${linkTo(commits[repair.commit], page)}`;
		const repairSize = repair === undefined ? '' : `: ${sizeOf(one, repair)} against the level before the slowdown`;
		return `- ${codeOf(cellOf(one))}${where}${repairSize}`;
	});
	return `Repaired: main is back at its earlier level, as far as can be measured.\n\n${lines.join('\n')}\n\nA further slowdown gets an issue of its own.`;
}

function bodyOf(facts: IssueFacts, group: ChangeGroup): string {
	const { commits, page } = facts;
	const [first] = group.changes;
	const [good, bad] = [commits[group.before], commits[group.after]] as [BaselineCommit, BaselineCommit];
	const shown = group.changes.slice(0, MOST_ROWS);
	const hiddenCount = group.changes.length - shown.length;
	const named = namedIn(group.changes);
	const again = fence(bisectCommand(good, bad, first), 'sh');
	const between = `[All commits between](${compareLink(good, bad, page)})`;
	const where =
		named === undefined
			? [
					`**The commit is one of these** (95 %):\n\n${candidatesOf(facts, first)}\n\n${between}`,
					`**Find it:** run the workflow of baselines by hand (Actions → Run workflow) with \`good\` ${codeOf(shaOf(good))}, \`bad\` ${codeOf(shaOf(bad))}, \`servers\` ${codeOf(first.row.server)} and \`scenarios\` ${codeOf(first.row.scenario)}. Or on your machine:\n\n${again}`,
				]
			: [`${renderNamed(named, page)}\n\n${between}`];
	return [
		`The main branch has become slower: ${codeOf(cellOf(first))} changed by ${sizeOf(first, first.change)} ${unitOf(first)}, and has stayed there. A new comparison of the commits before and after confirms it.`,
		`${tableMarkdown(tableOf(COLUMNS, shown))}${hiddenCount > 0 ? `\n\nand ${countOf(hiddenCount, 'more row')}` : ''}`,
		...where,
		`${named === undefined ? '**Or accept it:**' : '**Fix it, or accept it:**'} write \`benchgate: accepted REASON\` in a comment, or close this issue as not planned. It closes itself when main is measurably as fast as before. Later measurements rewrite the text above; write what should stay in comments.`,
		fold('Command that repeats the proof', fence(proofCommand(good, bad, group), 'sh')),
		...(named === undefined ? [] : [fold('Command that bisects again', again)]),
	].join('\n\n');
}

const COLUMNS: readonly Column<RowChange>[] = [
	{ label: 'server/scenario', format: (one) => [{ code: cellOf(one) }], align: 'left' },
	column('metric', unitOf, 'left'),
	column('change of level', (one) => stepOf(one).change),
	column(INTERVAL_95, (one) => stepOf(one).interval),
	column('in the proof', (one) => proofOf(one).change),
	column(INTERVAL_95, (one) => proofOf(one).interval),
	column('rounds', ({ change: { proof } }) => (proof === undefined ? NONE : `${proof.rounds}`)),
	column('state', ({ change }) => CHANGE_STATE_WORDS[change.state], 'left'),
];

/** Lists the commits of the surest row, most probable first. */
function candidatesOf({ commits, page }: IssueFacts, { change }: RowChange): string {
	const sorted = change.candidates.toSorted((a, b) => b.probability - a.probability);
	const lines = sorted.slice(0, MOST_COMMITS).map(({ commit, probability }) => {
		const { title, author } = commits[commit] as BaselineCommit;
		const by = author === null ? '' : ` (${plainText(author, NAME_LIMIT)})`;
		const words = writeMarkdown([{ text: plainText(`${title}${by}`, MESSAGE_LIMIT) }]);
		return `- ${linkTo(commits[commit], page)} ${formatPercent(probability, 0)} ${words}`;
	});
	const hiddenCount = sorted.length - lines.length;
	return [...lines, ...(hiddenCount > 0 ? [`- and ${hiddenCount} less probable`] : [])].join('\n');
}

function likeliest({ commits }: IssueFacts, { change }: RowChange): BaselineCommit {
	const [first] = change.candidates.toSorted((a, b) => b.probability - a.probability);
	return commits[first?.commit ?? 0] as BaselineCommit;
}

function stepOf({ row, change: { step, se } }: RowChange): { readonly change: string; readonly interval: string } {
	return asChange(row.metric, step, step - Z95 * se, step + Z95 * se);
}

function proofOf({ row, change: { proof } }: RowChange): { readonly change: string; readonly interval: string } {
	if (proof === undefined || proof.theta === null || proof.low === null || proof.high === null) {
		return { change: NONE, interval: NONE };
	}
	const { change, interval } = asChange(proof.judgedBy, proof.theta, proof.low, proof.high);
	// Shown only if another metric than the row's decided.
	const unit = proof.judgedBy === row.metric ? '' : ` ${METRICS[proof.judgedBy].label}`;
	return { change: `${change}${unit}`, interval };
}

function sizeOf({ row }: RowChange, { step, se }: { readonly step: number; readonly se: number }): string {
	const { change, interval } = asChange(row.metric, step, step - Z95 * se, step + Z95 * se);
	return `${change} ${interval}`;
}

function asChange(metric: RowChange['row']['metric'], theta: number, low: number, high: number) {
	const [one, other] = [changeOf(metric, low), changeOf(metric, high)];
	const interval = { low: Math.min(one, other), high: Math.max(one, other) };
	return { change: formatChange(changeOf(metric, theta)), interval: formatInterval(interval) };
}

function cellOf({ row }: RowChange): string {
	return plainText(row.cell, 2 * NAME_LIMIT);
}

function unitOf({ row }: RowChange): string {
	return unitWord({ judgedBy: row.metric });
}

function codeOf(text: string): string {
	return writeMarkdown([{ code: plainText(text, 2 * NAME_LIMIT) }]);
}

/** Escapes labels, which are foreign text. Hashes were validated when they were read. */
function linkTo(commit: BaselineCommit | undefined, page: string): string {
	if (commit === undefined) return NONE;
	return commit.sha === null ? codeOf(commit.label) : linkOf(commit.sha, page);
}

function linkOf(sha: string, page: string): string {
	return `[\`${sha.slice(0, SHORT_SHA)}\`](${page}/commit/${sha})`;
}

function compareLink(good: BaselineCommit, bad: BaselineCommit, page: string): string {
	const [from, to] = [good, bad].map((commit) => encodeURIComponent(commitKey(commit).toWellFormed()));
	return `${page}/compare/${from}...${to}`;
}

function shortOf({ sha, label }: BaselineCommit): string {
	return sha?.slice(0, SHORT_SHA) ?? label;
}

function shaOf(commit: BaselineCommit): string {
	return commitKey(commit).slice(0, 12);
}

function bisectCommand(good: BaselineCommit, bad: BaselineCommit, { row }: RowChange): string {
	const range = ['--good', shaOf(good), '--bad', shaOf(bad)];
	return commandOf(['bisect', ...range, '--server', row.server, '--scenario', row.scenario]);
}

function proofCommand(good: BaselineCommit, bad: BaselineCommit, { changes }: ChangeGroup): string {
	const names = (key: 'server' | 'scenario') => [...new Set(changes.map(({ row }) => row[key]))].join(',');
	const threshold = Math.min(...changes.map(({ change }) => change.proof?.threshold ?? 1));
	const rule = threshold < 1 ? ['--threshold', `${Number((threshold * 100).toFixed(1))}%`] : [];
	const revisions = ['--base', `git:${commitKey(good)}`, '--head', `git:${commitKey(bad)}`];
	return commandOf(['compare', ...revisions, '--server', names('server'), '--scenario', names('scenario'), ...rule]);
}

function commandOf(words: readonly string[]): string {
	return ['npx', 'benchgate', ...words].map((word) => shellWord(plainText(word, MESSAGE_LIMIT))).join(' ');
}

interface NamedByRow {
	readonly row: RowChange['row'];
	readonly named: NamedCommit;
}

/** Returns the latest bisect result among changes that one commit can explain. */
export function namedIn(changes: readonly RowChange[]): NamedByRow | undefined {
	const namings = changes.flatMap(({ row, change: { note } }) =>
		note?.named === undefined ? [] : [{ row, named: note.named, at: note.at }],
	);
	return namings.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
}

function shortNamed({ commit }: NamedCommit): string {
	return commit.slice(0, SHORT_SHA);
}

/** Returns commit, probability and proof as Markdown. `page` is the repository's address. */
function renderNamed({ row, named }: NamedByRow, page: string): string {
	const { before, commit, probability, title, judgedBy, change, low, high, rounds, skipped } = named;
	const sure = `${formatPercent(probability, 1)} probable`;
	const what =
		skipped === 0
			? `**The commit is ${linkOf(commit, page)}** (${sure}): ${writeMarkdown([{ text: plainText(title, MESSAGE_LIMIT) }])}`
			: `**The commit is one of the ${skipped + 1} after ${linkOf(before, page)} up to ${linkOf(commit, page)}** (${sure}). Those between could not be measured.`;
	const unit = judgedBy === row.metric ? '' : ` in ${METRICS[judgedBy].label}`;
	const size = `${formatChange(change)} ${formatInterval({ low, high })}${unit} after ${countOf(rounds, 'round')}`;
	return `${what}\n\nA bisect of ${codeOf(row.cell)} named it. A new comparison of ${linkOf(before, page)} with ${linkOf(commit, page)} has proven it: ${size}.`;
}

/** Returns a Markdown line about a bisect for which no slowdown is open. */
export function renderUnknownBisect({ server, scenario, named }: Bisected, page: string): string {
	return `The bisect of ${codeOf(`${server}/${scenario}`)} named ${linkOf(named.commit, page)} (${formatPercent(named.probability, 1)} probable). No open slowdown of main is known there, so no issue mentions it.`;
}
