/** Detects new jobs whose check would have our name. */
import { isDeepStrictEqual } from 'node:util';
import { asMapping } from '../../config/file/check-scenario.ts';
import { parseWorkflow } from '../../init/workflows/executed-files.ts';
import { nameAll } from '../../text/phrase.ts';
import type { BaseBranch } from './base-branch.ts';

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
const EXPRESSION = /\$\{\{.*?\}\}/s;
/** If more workflows change, that is a doubt by itself. */
const MOST_READ = 20;
const MOST_NAMED = 3;
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

/** Returns null for text that we cannot parse, because GitHub may be able to. */
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
