import type { StoredBaselines } from '../../store/store.ts';
import { trendOf } from '../../trend/trend-of.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { readStore, type StoreFlags, storeFlag } from './local-store.ts';
import { newestFirst, renderBaseline, renderBaselineList, renderStandings } from './render-baselines.ts';

export interface ListFlags extends StoreFlags {
	readonly limit: string;
	readonly json?: boolean;
	/** Shows where each row stands instead of the records. */
	readonly rows?: boolean;
}

export async function runBaselineList(flags: ListFlags): Promise<number> {
	const limit = readLimit(flags.limit);
	const stored = await readStore(flags, flags.rows ? {} : { newest: limit });
	process.stdout.write(listOf(stored, flags));
	return EXIT.passed;
}

function listOf({ records, notes, older = 0 }: StoredBaselines, flags: ListFlags): string {
	if (flags.json && !flags.rows) return `${JSON.stringify(newestFirst(records), null, 2)}\n`;
	if (records.length + older === 0)
		return `There are no baselines in ${flags.store}. Measure and store one: benchgate baseline --save${storeFlag(flags)}\n`;
	return flags.rows ? renderStandings(trendOf(records, { notes }), records) : renderBaselineList(records, older);
}

function readLimit(text: string): number {
	if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
	throw new UserError({
		code: 'bad-limit',
		where: '--limit',
		message: `"${text}" is not a number of baselines`,
		remedy: 'give a whole number above 0, such as 30',
	});
}

export async function runBaselineShow(commit: string, flags: StoreFlags): Promise<number> {
	const { records } = await readStore(flags);
	process.stdout.write(`${renderBaseline(findCommit(records, commit))}\n`);
	return EXIT.passed;
}

/** Finds by label or hash prefix. Throws UserError unless exactly one commit matches. */
export function findCommit(records: readonly BaselineRecord[], name: string): readonly BaselineRecord[] {
	const matches = records.filter(
		({ commit }) =>
			commit.label === name || (/^[0-9a-f]{4,}$/i.test(name) && commit.sha?.startsWith(name.toLowerCase())),
	);
	const commits = new Set(matches.map(({ commit }) => commit.sha ?? commit.label));
	if (commits.size === 1) return matches;
	throw new UserError({
		code: 'unknown-commit',
		where: name,
		message: commits.size === 0 ? 'there is no baseline of this commit' : `${commits.size} commits begin like this`,
		remedy:
			commits.size === 0
				? 'list them: benchgate baseline list'
				: `give more digits of one of ${[...commits].slice(0, 5).join(', ')}`,
	});
}
