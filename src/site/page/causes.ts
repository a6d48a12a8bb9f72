import { MESSAGE_LIMIT, plainText, shellWord } from '../../text/escape.ts';
import type { SiteChange, SiteIndex, SiteRow } from '../site-data.ts';

/** Rows that are slower than the last release for one reason. */
export interface Cause {
	/** Index into `groups`; null if no change of level explains the rows. */
	readonly group: number | null;
	/** Commit index; null for the release itself. */
	readonly since: number | null;
	/** False while one baseline shows it. */
	readonly isSettled: boolean;
	/** Row indexes, slowest first. */
	readonly rows: readonly number[];
}

type Slow = SiteRow & { readonly standing: NonNullable<SiteRow['standing']> };

export function isSlower({ standing }: SiteRow): boolean {
	return standing?.place === 'below';
}

export function maySlow({ standing }: SiteRow): boolean {
	return standing?.place === 'unsettled' && standing.mayBeSlower;
}

export function isOpen({ step, state }: SiteChange): boolean {
	return step < 0 && (state === 'suspected' || state === 'confirmed' || state === 'bisected');
}

/** Returns causes with most rows first. A row may have several. */
export function causesOf({ rows, changes, groups, eras }: SiteIndex): readonly Cause[] {
	const release = eras.at(-1)?.first ?? 0;
	const slow = rows
		.flatMap((row, index) => (isSlower(row) || maySlow(row) ? [{ row: row as Slow, index }] : []))
		.toSorted((a, b) => a.row.standing.theta - b.row.standing.theta);
	const found = slow.map(({ row, index }) => {
		const own = groups.flatMap((group, at) =>
			group.some((each) => changes[each]?.row === index && isCause(changes[each], release)) ? [at] : [],
		);
		return { index, since: row.standing.since, isSettled: isSlower(row), groups: own };
	});
	const explained = groups.flatMap((_, group) => {
		const of = found.filter((one) => one.groups.includes(group));
		return of.length === 0 ? [] : [causeOf(group, of)];
	});
	const others = found.filter((one) => one.groups.length === 0);
	const unexplained = Map.groupBy(others, ({ since, isSettled }) => `${since} ${isSettled}`);
	return [...explained, ...[...unexplained.values()].map((of) => causeOf(null, of))].sort(
		(a, b) => b.rows.length - a.rows.length,
	);
}

function causeOf(
	group: number | null,
	rows: readonly (Pick<Cause, 'since' | 'isSettled'> & { index: number })[],
): Cause {
	const { since = null } = rows[0] ?? {};
	return { group, since, isSettled: rows.some(({ isSettled }) => isSettled), rows: rows.map(({ index }) => index) };
}

function isCause(change: SiteChange, release: number): boolean {
	return isOpen(change) && change.commit >= release;
}

/** Returns the last commit surely before all changes, and the last candidate. */
export function rangeOf(changes: readonly Pick<SiteChange, 'candidates' | 'commit'>[]): {
	readonly good: number | null;
	readonly bad: number;
} {
	const commits = changes.flatMap(({ candidates, commit }) => [commit, ...candidates.map(([index]) => index)]);
	const first = Math.min(...commits);
	return { good: first > 0 ? first - 1 : null, bad: Math.max(...commits) };
}

const SHA_DIGITS = 12;

export function revisionAt({ commits }: Pick<SiteIndex, 'commits'>, index: number): string {
	return commits.sha[index]?.slice(0, SHA_DIGITS) ?? commits.label[index] ?? '?';
}

export function bisectCommand(
	[good, bad]: readonly [string, string],
	{ server, scenario }: Pick<SiteRow, 'server' | 'scenario'>,
): string {
	return commandOf(['bisect', '--good', good, '--bad', bad, '--server', server, '--scenario', scenario]);
}

export function compareCommand(
	[base, head]: readonly [string, string],
	rows: readonly Pick<SiteRow, 'server' | 'scenario'>[],
): string {
	const names = (key: 'server' | 'scenario') => [...new Set(rows.map((row) => row[key]))].join(',');
	const which = rows.length === 0 ? [] : ['--server', names('server'), '--scenario', names('scenario')];
	return commandOf(['compare', '--base', `git:${base}`, '--head', `git:${head}`, ...which]);
}

/** Labels are foreign text. */
function commandOf(words: readonly string[]): string {
	return ['npx', 'benchgate', ...words].map((word) => shellWord(plainText(word, MESSAGE_LIMIT))).join(' ');
}
