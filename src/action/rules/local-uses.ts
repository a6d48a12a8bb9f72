/** Which files of its repository decide what a workflow runs. */
import { posix } from 'node:path';
import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { parseWorkflow } from './measuring-workflow.ts';

/** Actions and workflows of the repository that are followed, those that they use among them. */
const MOST_FOLLOWED = 20;
/** `./` is the checkout, `$/` the workflow's own repository at its own commit. */
const LOCAL = /^[.$][/\\]/;
const WORKFLOW = /\.ya?ml$/i;
/** What an action runs by a path of its own. */
const ENTRIES = ['pre', 'main', 'post', 'pre-entrypoint', 'entrypoint', 'post-entrypoint', 'image'];

/**
 * Returns what a workflow uses of its own repository, in jobs and steps: folders of actions and files of workflows, as paths
 * without `./`; the empty path is the repository itself.
 */
export function readLocalUses(text: string): readonly string[] {
	const jobs = Object.values(asMapping(asMapping(parseWorkflow(text)).jobs));
	return localOf(jobs.flatMap((job) => [job, ...asList(asMapping(job).steps)]));
}

/**
 * Returns the files and folders of the repository that decide what a workflow runs: what it uses by a path, and what that uses in
 * turn. `.github` as a whole when there is too much of it to follow.
 *
 * @param read Text of a file of the repository; null when there is none.
 */
export async function followLocalUses(
	text: string,
	read: (path: string) => Promise<string | null>,
): Promise<readonly string[]> {
	const places = new Set<string>();
	const uses = new Set(readLocalUses(text));
	// A set that grows while it is walked is walked to its new end.
	for (const use of uses) {
		if (uses.size > MOST_FOLLOWED) return [...places, ...uses, '.github'].filter((place) => place !== '');
		if (WORKFLOW.test(use)) {
			places.add(use);
			for (const next of readLocalUses((await read(use)) ?? '')) uses.add(next);
			continue;
		}
		const files = ['action.yml', 'action.yaml'].map((name) => posix.join(use, name));
		for (const place of use === '' ? files : [use]) places.add(place);
		for (const file of files) {
			const runs = asMapping(asMapping(parseWorkflow((await read(file)) ?? '')).runs);
			for (const place of entriesOf(use, runs)) places.add(place);
			for (const next of localOf(asList(runs.steps))) uses.add(next);
		}
	}
	return [...places];
}

/** Returns whether a path is one of these files, or below one of these folders. */
export function isWithin(path: string, places: readonly string[]): boolean {
	return places.some((place) => path === place || path.startsWith(`${place}/`));
}

function localOf(callers: readonly unknown[]): readonly string[] {
	return callers.flatMap((caller) => {
		const { uses } = asMapping(caller);
		if (typeof uses !== 'string' || !LOCAL.test(uses)) return [];
		const path = posix.normalize(uses.slice(2).replaceAll('\\', '/')).replace(/^\/|\/$/g, '');
		return path.startsWith('..') ? [] : [path === '.' ? '' : path];
	});
}

/** A program is usually a bundle, and what is beside it belongs to it. */
function entriesOf(folder: string, runs: Readonly<Record<string, unknown>>): readonly string[] {
	return ENTRIES.flatMap((name) => {
		const entry = runs[name];
		if (typeof entry !== 'string' || entry.includes('://')) return [];
		const path = posix.join(folder, entry);
		const beside = posix.dirname(path);
		return [beside === '.' ? path : beside];
	});
}
