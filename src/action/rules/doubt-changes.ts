/** Whether a change may have changed how it was measured itself. */
import { isWithin } from '../../init/workflows/executed-files.ts';
import { isInert, isProse } from '../../prepare/content/inert.ts';
import { nameAll } from '../../text/phrase.ts';
import type { Warning } from '../../types/units.ts';
import type { BaseBranch } from './base-branch.ts';

/** Actions of the repository itself, which its workflows run. */
const OWN_ACTIONS = '.github/actions';
const WORKFLOWS = '.github/workflows';
/** What changes in so many pull requests that it says nothing when it does in two: tests and lockfiles. */
const BESIDE_CODE =
	/(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)\.[^/]+$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|[^/]+\.lockb?)$/i;
/** Longest quotation of a step in a sentence (characters). */
const LONGEST_STEP = 60;
/** Paths a sentence names before the rest becomes a number. */
const MOST_NAMED = 3;

type Changes = Pick<BaseBranch, 'changed' | 'workflow' | 'calls' | 'executed'>;

/** Manifests, lockfiles and settings of package managers, at any path: they decide which code an install fetches and runs. */
const OF_PACKAGES =
	/(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|bunfig\.toml|binding\.gyp|\.(?:npmrc|corepack\.env|yarnrc(?:\.yml)?|pnpmfile\.[cm]?js|node-version|nvmrc|tool-versions)|(?:node_modules|\.yarn|patches)\/.*)$/i;

/** Returns a sentence for each way in which a change may have changed how it was measured; usually none. */
export function doubtChanges({ changed, workflow, calls, executed }: Changes): readonly string[] {
	// Who else calls benchgate, when the workflow does not do so itself, may be any other one.
	const indirect = calls === null || calls.length === 0 ? [WORKFLOWS] : [];
	const places = [...(workflow === null ? [] : [workflow]), OWN_ACTIONS, ...executed.places, ...indirect];
	const touched = changed.paths.filter(
		(path) =>
			isWithin(path, places) ||
			// A changed path is no folder: a link, or a submodule, was or is above what is executed.
			[...places, ...executed.folders].some((place) => isWithin(place, [path])) ||
			(executed.packages && OF_PACKAGES.test(path)),
	);
	const doubts: string[] = [];
	if (touched.length > 0) {
		const files = nameAll(touched, MOST_NAMED);
		doubts.push(`This change also changes how it is measured (${files}): read that before you trust the result.`);
	}
	const others = changed.paths.filter((path) => !touched.includes(path) && !isProse(path));
	if (executed.unread.length > 0 && others.length > 0) {
		const steps = nameAll(executed.unread.map(quote), MOST_NAMED);
		const files = nameAll(others, MOST_NAMED);
		doubts.push(
			`Steps beside benchgate may execute this change outside of isolation (${steps}): read ${files} before you trust the result. docs/fork-pull-requests.md says how to do without such steps.`,
		);
	}
	if (!changed.complete) {
		doubts.push('There are more changed files than GitHub lists: see whether they change how it is measured.');
	}
	return doubts;
}

function quote(step: string): string {
	return step.length <= LONGEST_STEP ? step : `${step.slice(0, LONGEST_STEP - 1)}…`;
}

/** Returns what to say of a change of the config: the base branch's own decided. */
export function noteChanges(
	{ changed }: Pick<BaseBranch, 'changed'>,
	configPaths: readonly string[],
	source: string,
): readonly Warning[] {
	const touched = changed.paths.filter((path) => configPaths.includes(path));
	if (touched.length === 0) return [];
	const message = `This change also changes ${nameAll(touched, MOST_NAMED)}. It was judged by ${source}; the new version counts once it is merged.`;
	return [{ code: 'config-changed', message }];
}

/**
 * Returns what to say where the base branch has changed files of this change since it left that branch: then git may merge what nobody
 * has measured. Nothing is concluded from it: it is so in many an honest pull request, and a neutral check could be merged all the same.
 */
export function noteBehind({
	branch,
	changed,
	changedSince,
}: Pick<BaseBranch, 'branch' | 'changed' | 'changedSince'>): readonly Warning[] {
	const since = new Set(changedSince);
	const both = changed.paths.filter((path) => since.has(path) && !isInert(path, []) && !BESIDE_CODE.test(path));
	if (both.length === 0) return [];
	const files = nameAll([...new Set(both)], MOST_NAMED);
	const message = `${branch.name} has changed ${files} too since this change branched off. It was compared with the commit where it did; what a merge makes of both changes was not measured. Update the branch to measure that.`;
	return [{ code: 'both-changed', message }];
}
