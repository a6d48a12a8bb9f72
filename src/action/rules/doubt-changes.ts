import type { Warning } from '../../types/units.ts';
import type { BaseBranch } from './base-branch.ts';

/** Actions of the repository itself, which its workflows run. */
const OWN_ACTIONS = /^\.github\/actions\//;
/** Paths a sentence names before the rest becomes a number. */
const MOST_NAMED = 3;

/** Returns a sentence for each way in which a pull request may have changed how it was measured; usually none. */
export function doubtChanges({ changed, workflow }: Pick<BaseBranch, 'changed' | 'workflow'>): readonly string[] {
	if (changed === null) return [];
	const touched = changed.paths.filter((path) => path === workflow || OWN_ACTIONS.test(path));
	const doubts: string[] = [];
	if (touched.length > 0) {
		doubts.push(
			`This pull request changes how it is measured (${nameAll(touched)}): read that change before you trust the result.`,
		);
	}
	if (!changed.complete) {
		doubts.push('This pull request changes more files than GitHub lists: see whether it changes how it is measured.');
	}
	return doubts;
}

/** Returns what to say of a pull request that changes the config: the base branch's own decided. */
export function noteChanges(
	{ changed }: Pick<BaseBranch, 'changed'>,
	configPaths: readonly string[],
	source: string,
): readonly Warning[] {
	const touched = changed?.paths.filter((path) => configPaths.includes(path)) ?? [];
	if (touched.length === 0) return [];
	const message = `This pull request changes ${nameAll(touched)}. It was judged by ${source}; the change counts once it is merged.`;
	return [{ code: 'config-changed', message }];
}

function nameAll(paths: readonly string[]): string {
	const names = [...new Set(paths)];
	const rest = names.length - MOST_NAMED;
	return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
