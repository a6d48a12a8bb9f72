import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openIsolation } from '../isolation/open-isolation.ts';
import { ENTRY_KINDS } from '../prepare/cache.ts';
import { QUESTION_MS } from '../process/deadline.ts';
import { nameAll } from '../text/phrase.ts';
import type { Config } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import { type Isolation, type IsolationReport, meetsLevel, nameLevel } from '../types/isolation.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Warning } from '../types/units.ts';

const NAMED = 3;

export interface SidesOptions {
	readonly config: Pick<Config, 'isolation' | 'isolationRequired'>;
	readonly cwd: string;
	readonly cacheFolder: string;
	readonly node: string;
	readonly janitor: Janitor;
}

/** Opens the isolation. Throws UserError `isolation-required` when a higher level is required than it has. */
export async function openSides({ config, cwd, cacheFolder, node, janitor }: SidesOptions): Promise<Isolation> {
	await mkdir(cacheFolder, { recursive: true });
	const wish = config.isolation ?? 'auto';
	const repository = findRepository(cwd);
	const passed = ENTRY_KINDS;
	const isolation = await openIsolation({ wish, folder: cacheFolder, passed, needed: [], node, repository, janitor });
	const required = config.isolationRequired;
	if (required === undefined || meetsLevel(isolation, required)) return isolation;
	const { reason } = isolation;
	await isolation.close();
	throw new UserError({
		code: 'isolation-required',
		message: `isolation-required is ${required}, but only ${nameLevel(isolation)} is possible here: ${reason ?? `isolation is ${wish}`}`,
		remedy:
			reason === null
				? `set isolation to auto or ${required}`
				: 'run as root or as a user with passwordless sudo, with util-linux installed, in a container with the right to mount (CAP_SYS_ADMIN); or leave isolation-required out',
	});
}

export function reportIsolation({
	level,
	reason,
	hidesProcesses,
	readOnly,
	refusesRival = false,
}: Isolation): IsolationReport {
	return { level, reason, hidesProcesses, readOnly, refusesRival };
}

/** Beginnings of warnings. The reason follows. */
const LESS: Readonly<Record<IsolationReport['level'], string>> = {
	users: 'Base and head ran as users of their own, which could reach more of the machine than they need',
	namespace: 'Base and head ran behind namespaces, as the user that ran benchgate. More isolation was not possible',
	none: 'Base and head ran as the user that ran benchgate, so either could have reached the other, and the measurement. More isolation was not possible',
};

export function isolationWarnings({ isolation = 'auto' }: Pick<Config, 'isolation'>, opened: Isolation): Warning[] {
	if (isolation === 'none' || opened.reason === null) return [];
	return [{ code: 'less-isolation', message: `${LESS[opened.level]}: ${opened.reason}.` }];
}

/** Warns of files that a side could read for a while, because another program replaced them. */
export function uncoveredWarnings(opened: Pick<Isolation, 'uncovered'>): Warning[] {
	const paths = opened.uncovered();
	if (paths.length === 0) return [];
	const message = `Another program replaced ${nameAll(paths, NAMED)} during the run. So base and head could read it, until benchgate hid it again before it started the next process.`;
	return [{ code: 'uncovered', message }];
}

/** Returns git's common folder, to which worktrees refer. */
function findRepository(cwd: string): string | null {
	try {
		const gitFolder = execFileSync('git', ['rev-parse', '--git-common-dir'], {
			cwd,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
			timeout: QUESTION_MS,
		});
		return resolve(cwd, gitFolder.trim());
	} catch {
		return null;
	}
}
