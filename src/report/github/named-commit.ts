import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatChange, formatInterval, formatPercent } from '../../text/numbers.ts';
import type { RowChange } from '../../trend/group-changes.ts';
import { METRICS } from '../../types/metric.ts';
import type { Bisected, NamedCommit } from '../../types/trend.ts';
import { writeMarkdown } from '../document/markdown-writer.ts';

export interface NamedByRow {
	readonly row: RowChange['row'];
	readonly named: NamedCommit;
}

const SHORT_SHA = 7;

/** Returns the latest bisect result among changes that one commit can explain. */
export function namedIn(changes: readonly RowChange[]): NamedByRow | undefined {
	const namings = changes.flatMap(({ row, change: { note } }) =>
		note?.named === undefined ? [] : [{ row, named: note.named, at: note.at }],
	);
	return namings.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
}

export function shortNamed({ commit }: NamedCommit): string {
	return commit.slice(0, SHORT_SHA);
}

/** Returns commit, probability and proof as Markdown. `page` is the repository's address. */
export function renderNamed({ row, named }: NamedByRow, page: string): string {
	const { before, commit, probability, title, judgedBy, change, low, high, rounds, skipped } = named;
	const sure = `${formatPercent(probability, 1)} probable`;
	const what =
		skipped === 0
			? `**The commit is ${linkOf(commit, page)}** (${sure}): ${writeMarkdown([{ text: plainText(title, MESSAGE_LIMIT) }])}`
			: `**The commit is one of the ${skipped + 1} after ${linkOf(before, page)} up to ${linkOf(commit, page)}** (${sure}). Those between could not be measured.`;
	const unit = judgedBy === row.metric ? '' : ` in ${METRICS[judgedBy].label}`;
	const size = `${formatChange(change)} ${formatInterval({ low, high })}${unit} after ${countOf(rounds, 'round')}`;
	return `${what}\n\nA bisect of ${cellOf(row.cell)} named it. A new comparison of ${linkOf(before, page)} with ${linkOf(commit, page)} has proven it: ${size}.`;
}

/** Returns a Markdown line about a bisect for which no slowdown is open. */
export function renderUnknownBisect({ server, scenario, named }: Bisected, page: string): string {
	return `The bisect of ${cellOf(`${server}/${scenario}`)} named ${linkOf(named.commit, page)} (${formatPercent(named.probability, 1)} probable). No open slowdown of main is known there, so no issue mentions it.`;
}

function cellOf(cell: string): string {
	return writeMarkdown([{ code: plainText(cell, 2 * NAME_LIMIT) }]);
}

/** Hashes were validated when they were read. */
function linkOf(sha: string, page: string): string {
	return `[\`${sha.slice(0, SHORT_SHA)}\`](${page}/commit/${sha})`;
}
