/** Doubts that a report states: changes that may affect their own measurement, and job names that look like ours. */
import { isDeepStrictEqual } from 'node:util';
import { asMapping } from '../../config/file/check-scenario.ts';
import { isWithin, parseWorkflow } from '../../init/workflows/executed-files.ts';
import { isInert, isProse } from '../../prepare/content/reads.ts';
import { nameAll } from '../../text/phrase.ts';
import type { Warning } from '../../types/units.ts';
import type { BaseBranch } from './base-branch.ts';

const OWN_ACTIONS = '.github/actions';
const WORKFLOWS = '.github/workflows';
/** Tests and lockfiles. So many pull requests change them that an overlap means nothing. */
const BESIDE_CODE =
	/(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)\.[^/]+$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|[^/]+\.lockb?)$/i;
/** Characters. */
const LONGEST_STEP = 60;
const MOST_NAMED = 3;

type Changes = Pick<BaseBranch, 'changed' | 'workflow' | 'calls' | 'executed'>;

/** Files that decide which code an install fetches and runs. */
const OF_PACKAGES =
	/(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|bunfig\.toml|binding\.gyp|\.(?:npmrc|corepack\.env|yarnrc(?:\.yml)?|pnpmfile\.[cm]?js|node-version|nvmrc|tool-versions)|(?:node_modules|\.yarn|patches)\/.*)$/i;

export function doubtChanges({ changed, workflow, calls, executed }: Changes): readonly string[] {
	// The workflow shows no call, so any other workflow may call benchgate.
	const indirect = calls === null || calls.length === 0 ? [WORKFLOWS] : [];
	const places = [...(workflow === null ? [] : [workflow]), OWN_ACTIONS, ...executed.places, ...indirect];
	const touched = changed.paths.filter(
		(path) =>
			isWithin(path, places) ||
			// A changed path is never a folder. If it is above an executed place, it is or was a link or submodule.
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
			`Steps beside benchgate may execute this change outside of isolation (${steps}): read ${files} before you trust the result. docs/fork-pull-requests.md describes how to avoid such steps.`,
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

/** Returns a note if the change edits the config, because the base branch's config decides. */
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
 * Returns a note if the base branch has changed the same files since the merge base: git may merge both to unmeasured
 * code, in many honest pull requests.
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

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
const EXPRESSION = /\$\{\{.*?\}\}/s;
/** If more workflows change, that is a doubt by itself. */
const MOST_READ = 20;
/** In characters. A longer workflow is a doubt by itself. */
const LONGEST_WORKFLOW = 65_536;
/** Longer names are not parsed, because they may be meant to waste time. */
const LONGEST = 500;

interface NamedJob {
	readonly id: string;
	readonly name: unknown;
	readonly strategy: unknown;
}

/**
 * Returns a sentence if a changed workflow may write a check of this name. Jobs that the base branch already has are
 * ignored.
 */
export async function doubtJobNames(
	{ changed, read }: Pick<BaseBranch, 'changed' | 'read'>,
	checkName: string,
): Promise<readonly string[]> {
	const files = [...new Set(changed.paths)].filter((path) => WORKFLOW.test(path));
	if (files.length > MOST_READ) {
		return [`More than ${MOST_READ} workflows change: see whether a job of theirs is named ${checkName}.`];
	}
	const named: string[] = [];
	for (const file of files) {
		const head = await read(file, 'head');
		if (head === null) continue;
		const jobs = jobsIn(head)?.filter((job) => mayBeNamed(job, checkName)) ?? null;
		const baseJobs = jobs?.length === 0 ? [] : (jobsIn((await read(file)) ?? '') ?? []);
		const isNew = jobs === null || jobs.some((job) => !baseJobs.some((other) => isDeepStrictEqual(other, job)));
		if (isNew) named.push(file);
	}
	if (named.length === 0) return [];
	return [
		`A job in ${nameAll(named, MOST_NAMED)} may write a check named ${checkName}, which is also the name of this one: make sure which is which.`,
	];
}

/** Null for text that we cannot parse, because GitHub may be able to. */
function jobsIn(text: string): readonly NamedJob[] | null {
	if (text.length > LONGEST_WORKFLOW) return null;
	const workflow = parseWorkflow(text);
	if (workflow === null && text.trim() !== '') return null;
	return Object.entries(asMapping(asMapping(workflow).jobs)).map(([id, job]) => {
		const { name, strategy } = asMapping(job);
		return { id, name, strategy };
	});
}

/** An expression may expand to any text. Without an expression, GitHub appends a matrix's values in brackets. */
function mayBeNamed({ id, name, strategy }: NamedJob, checkName: string): boolean {
	const shown = typeof name === 'string' || typeof name === 'number' ? String(name).trim() : id;
	if (shown.length > LONGEST) return true;
	const [first = '', ...others] = shown.split(EXPRESSION);
	const last = others.pop();
	if (last === undefined) {
		return first === checkName || (strategy !== undefined && checkName.startsWith(`${first} (`));
	}
	if (!checkName.startsWith(first)) return false;
	let at = first.length;
	for (const part of others) {
		const start = checkName.indexOf(part, at);
		if (start < 0) return false;
		at = start + part.length;
	}
	return checkName.length - last.length >= at && checkName.endsWith(last);
}
