import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TOOL_ROOT } from '../process/entries.ts';
import { type Config, SEED_LIMIT } from '../types/config.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { loadConfig } from './load-config.ts';
import type { OptionTexts } from './option-names.ts';
import { repeatCommand } from './repeat-command.ts';
import { resolveConfig } from './resolve-config.ts';

/** What is to be measured, complete, and the command that asks for it again. */
export interface Request {
	readonly config: Config;
	readonly reproduce: string;
}

/** Both revisions of a comparison are always given. */
export type CompareOptions = OptionTexts & { readonly base: string; readonly head: string };

/** Returns the request of a comparison: flags over the config file of `cwd` over defaults. */
export async function readRequest(cwd: string, flags: CompareOptions): Promise<Request> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const file = await loadConfig(cwd, flags.config, catalogue);
	const subjectName = guessSubjectName(cwd, flags.head, flags.subject ?? file?.subject ?? '.');
	const config = resolveConfig(file, { ...flags, subjectName }, catalogue, drawSeed);
	const { base, head, config: path, node } = flags;
	const reproduce = repeatCommand({
		command: 'compare',
		given: { base, head, config: path, node },
		config,
		// Without the name of the subject, which is read from whatever is checked out when the command is run.
		resolve: (texts) => resolveConfig(file, texts, catalogue, drawSeed),
	});
	return { config, reproduce };
}

/** Returns a seed for a run that was given none. */
export function drawSeed(): number {
	return randomInt(SEED_LIMIT);
}

/**
 * Returns the name of the package under test, which chooses the built-in servers when none is named: of an npm revision its
 * own, else what the package.json of the subject folder says. Undefined when neither tells.
 */
export function guessSubjectName(cwd: string, head: string, subject: string): string | undefined {
	const [, prefix, rest = head] = /^(npm|dir|file|git):(.*)$/s.exec(head) ?? [];
	const folder = resolve(cwd, rest);
	if (prefix === 'dir' || (prefix === undefined && existsSync(folder))) return nameIn(join(folder, subject));
	const npmName = /^((?:@[^/@\s]+\/)?[^/@\s]+)(?:@[^@\s]+)?$/.exec(rest)?.[1];
	if (prefix === 'npm') return npmName;
	return nameIn(resolve(cwd, subject)) ?? (prefix === undefined ? npmName : undefined);
}

function nameIn(folder: string): string | undefined {
	try {
		const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
		return typeof name === 'string' ? name : undefined;
	} catch {
		return undefined;
	}
}
