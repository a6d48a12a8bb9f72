/** Finds the plan and the files of shards in a folder. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parsePlan } from '../../formats/plan/plan-file.ts';
import { parsePackedRaw } from '../../formats/raw/parse-packed.ts';
import { RAW_LIMITS } from '../../formats/raw/raw-limits.ts';
import type { ShardFile } from '../../judge/gather-shards.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import type { ShardPlan } from '../../types/shards.ts';
import { toolVersion } from '../../version.ts';
import { readNamedFile } from '../read-named-file.ts';

/** Folders inside each other: artifacts are downloaded into one folder each. */
const DEEPEST = 3;
/** Every shard of the largest matrix, a few times over. */
const MOST_FILES = 1_000;
/** Beginning of a file in which its kind stands. */
const HEAD = 400;

/** What a folder of shards holds. */
export interface ShardFolder {
	readonly plan: ShardPlan;
	/** With their latencies packed: twelve files of 5 MB would else take 400 MB. */
	readonly files: readonly ShardFile[];
	/** Raw files that cannot be read, each with the reason. */
	readonly unread: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Returns the plan and the raw files in `folder` and the folders in it; `planFile` is the plan where it lies elsewhere. Other files are
 * passed over. A raw file that is too large, cut off or of another shape is named and left out. Throws a UserError without a
 * readable folder and one plan.
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

/** Cheap, so that a large file of another kind is not parsed: both kinds say what they are in their first keys. */
function kindOf(text: string): string | undefined {
	return /"kind":\s*"(benchgate-[a-z]+)"/.exec(text.slice(0, HEAD))?.[1];
}

/** Returns the paths of the files in `folder` and in those in it whose name fits, sorted. Throws a UserError as `readShardFolder` does. */
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
