import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TOOL_ROOT } from '../process/entries.ts';
import { parseJson } from '../text/json.ts';
import { SEED_LIMIT } from '../types/config.ts';
import type { Catalogue } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { refOf } from './load-committed.ts';
import { loadConfig } from './load-config.ts';
import { type RankingRequest, resolveRanking } from './ranking/resolve-ranking.ts';
import type { Flags } from './read-flags.ts';
import {
	type BaselineRequest,
	type BisectOptions,
	type CompareOptions,
	type Request,
	resolveBaseline,
	resolveBisect,
	resolveCompare,
	resolveSelftest,
} from './resolve-request.ts';

/**
 * Resolves a comparison. Flags override the config that they name, or that of `cwd`, and the config overrides defaults.
 */
export async function readRequest(cwd: string, flags: CompareOptions): Promise<Request> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const file = await loadConfig(cwd, flags.config, catalogue);
	const subjectName = guessSubjectName(cwd, flags.head, flags.subject ?? file?.subject ?? '.');
	const ref = flags.config === undefined ? undefined : refOf(flags.config);
	return {
		...resolveCompare(file, flags, subjectName, catalogue, drawSeed),
		...(ref !== undefined && { harnessFrom: `git:${ref}` }),
	};
}

/** Resolves a baseline. Bench servers come from the place of the config, because an older commit may lack them. */
export async function readBaselineRequest(cwd: string, flags: Flags): Promise<BaselineRequest> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const file = await loadConfig(cwd, flags.config, catalogue);
	const head = flags.head ?? 'HEAD';
	const subjectName = flags.subjectName ?? guessSubjectName(cwd, head, flags.subject ?? file?.subject ?? '.');
	const ref = flags.config === undefined ? undefined : refOf(flags.config);
	const from = ref === undefined ? (head === 'HEAD' ? 'HEAD' : undefined) : `git:${ref}`;
	return {
		...resolveBaseline(file, flags, subjectName, catalogue, drawSeed),
		...(from !== undefined && { harnessFrom: from }),
	};
}

export async function readBisect(cwd: string, flags: BisectOptions): Promise<Request> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const file = await loadConfig(cwd, flags.config, catalogue);
	const subjectName = guessSubjectName(cwd, `git:${flags.bad}`, flags.subject ?? file?.subject ?? '.');
	return resolveBisect(file, flags, subjectName, catalogue, drawSeed);
}

/** Resolves a selftest, without a config. Throws UserError that names every unusable flag. */
export async function readSelftest(flags: Flags): Promise<Request> {
	return resolveSelftest(flags, await loadCatalogue(TOOL_ROOT), drawSeed);
}

export interface LoadedMeasure extends RankingRequest {
	readonly catalogue: Catalogue;
}

export async function readRanking(cwd: string, flags: Flags): Promise<LoadedMeasure> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const file = await loadConfig(cwd, flags.config, catalogue);
	return { ...resolveRanking(file, flags, catalogue, drawSeed), catalogue };
}

export function drawSeed(): number {
	return randomInt(SEED_LIMIT);
}

/**
 * Returns the package under test, which selects built-in servers by default: an npm revision's, else the subject
 * folder's.
 */
export function guessSubjectName(cwd: string, head: string, subject: string): string | undefined {
	const [, prefix, value = head] = /^(npm|dir|file|git):(.*)$/s.exec(head) ?? [];
	const folder = resolve(cwd, value);
	if (prefix === 'dir' || (prefix === undefined && existsSync(folder))) return nameIn(join(folder, subject));
	const npmName = /^((?:@[^/@\s]+\/)?[^/@\s]+)(?:@[^@\s]+)?$/.exec(value)?.[1];
	if (prefix === 'npm') return npmName;
	return nameIn(resolve(cwd, subject)) ?? (prefix === undefined ? npmName : undefined);
}

function nameIn(folder: string): string | undefined {
	try {
		const { name } = parseJson(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
		return typeof name === 'string' ? name : undefined;
	} catch {
		return undefined;
	}
}
