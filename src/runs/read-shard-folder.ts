/** Reads a plan and shard files. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parsePlan } from '../formats/plan-file.ts';
import { parsePackedRaw } from '../formats/raw/parse-packed.ts';
import { RAW_LIMITS } from '../formats/raw/raw-limits.ts';
import type { ShardFile } from '../judge/gather-shards.ts';
import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { isUserError, UserError } from '../types/errors.ts';
import type { ShardPlan } from '../types/shards.ts';
import { toolVersion } from '../version.ts';
import { readNamedFile } from './read-named-file.ts';

/** Folders are nested, because each artifact is downloaded into its own. */
const DEEPEST = 3;
/** Several times the shards of the largest matrix. */
const MOST_FILES = 1_000;
/** Length of the beginning, which contains `kind`. */
const HEAD = 400;

export interface ShardFolder {
	readonly plan: ShardPlan;
	/** Latencies are packed, because twelve files of 5 MB would otherwise take 400 MB. */
	readonly files: readonly ShardFile[];
	readonly unread: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Returns the plan and raw files in `folder` and below, and lists unusable raw files. Throws UserError if the folder is
 * unreadable, or does not have exactly one plan.
 */
export function readShardFolder(folder: string, planFile: string | undefined): ShardFolder {
	const plans = new Map<string, ShardPlan>();
	if (planFile !== undefined) addPlan(plans, readNamedFile(planFile, { what: 'plan' }), planFile);
	const files: ShardFile[] = [];
	const unread: { name: string; why: string }[] = [];
	for (const path of listFiles(folder, (file) => file.endsWith('.json'))) {
		const name = relative(folder, path);
		if (statSync(path).size > RAW_LIMITS.bytes) {
			unread.push({ name, why: `it has more than ${RAW_LIMITS.bytes} bytes` });
			continue;
		}
		const text = readNamedFile(path);
		const kind = kindOf(text);
		try {
			if (kind === 'benchgate-raw') files.push({ name, raw: parsePackedRaw(text, name, toolVersion()) });
			else if (kind === 'benchgate-plan' && planFile === undefined) addPlan(plans, text, name);
		} catch (error) {
			if (!isUserError(error) || kind !== 'benchgate-raw') throw error;
			unread.push({ name, why: plainText(error.message, 4 * NAME_LIMIT) });
		}
	}
	const [plan, ...others] = plans.values();
	if (plan === undefined) throw wrongPlans(folder, 'there is no plan in it');
	if (others.length > 0) throw wrongPlans(folder, 'there are several plans in it');
	return { plan, files, unread };
}

function addPlan(plans: Map<string, ShardPlan>, text: string, where: string): void {
	const plan = parsePlan(text, where);
	plans.set(plan.planHash, plan);
}

/** Avoids parsing large files of other kinds. */
function kindOf(text: string): string | undefined {
	return /"kind":\s*"(benchgate-[a-z]+)"/.exec(text.slice(0, HEAD))?.[1];
}

/** Returns sorted paths in `folder` and below. Throws UserError like `readShardFolder`. */
export function listFiles(folder: string, fits: (name: string) => boolean): string[] {
	let names: string[];
	try {
		names = readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && fits(entry.name))
			.map((entry) => join(entry.parentPath, entry.name));
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		throw new UserError({
			code: 'cannot-read',
			where: folder,
			message: code === 'ENOENT' ? 'there is no such folder' : `the folder cannot be read: ${code}`,
			remedy:
				'name the folder with the plan and the files that `benchgate compare --plan` wrote, or with those of --out',
			cause,
		});
	}
	const near = names.filter((path) => relative(folder, path).split('/').length <= DEEPEST + 1).sort();
	if (near.length > MOST_FILES) throw wrongPlans(folder, `it has more than ${MOST_FILES} files`);
	return near;
}

function wrongPlans(folder: string, what: string): UserError {
	return new UserError({
		code: 'no-plan',
		where: folder,
		message: what,
		remedy: 'put the plan.json of these shards into the folder, or name it with --plan',
	});
}
