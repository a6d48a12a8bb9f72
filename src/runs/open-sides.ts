import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openIsolation } from '../isolation/open-isolation.ts';
import type { Config } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import { ISOLATION_LEVELS, type Isolation, type IsolationReport } from '../types/isolation.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Warning } from '../types/units.ts';

export interface SidesOptions {
	readonly config: Pick<Config, 'isolation' | 'isolationRequired'>;
	readonly cwd: string;
	readonly cacheFolder: string;
	readonly node: string;
	readonly janitor: Janitor;
}

/** Returns who the code of both sides runs as. Throws UserError `isolation-required` when that is less than is required. */
export async function openSides({ config, cwd, cacheFolder, node, janitor }: SidesOptions): Promise<Isolation> {
	await mkdir(cacheFolder, { recursive: true });
	const wish = config.isolation ?? 'none';
	const repository = findRepository(cwd);
	const isolation = await openIsolation({ wish, folder: cacheFolder, needed: [], node, repository, janitor });
	const required = config.isolationRequired;
	if (required === undefined || rank(isolation.level) <= rank(required)) return isolation;
	await isolation.close();
	throw new UserError({
		code: 'isolation-required',
		message: `isolation-required asks for ${required}, and only ${isolation.level} can be had: ${isolation.reason ?? `isolation is ${wish}`}`,
		remedy:
			isolation.reason === null
				? `set isolation to auto or ${required}`
				: 'run as root or as a user with passwordless sudo, with util-linux installed; or leave isolation-required out',
	});
}

/** Returns the part of an isolation that reports tell. */
export function reportIsolation({ level, reason, hidesProcesses, readOnly }: Isolation): IsolationReport {
	return { level, reason, hidesProcesses, readOnly };
}

/** Returns the warning that `auto` came to less than users of their own. */
export function isolationWarnings({ isolation = 'none' }: Pick<Config, 'isolation'>, opened: Isolation): Warning[] {
	if (isolation === 'none' || opened.reason === null) return [];
	const then =
		opened.level === 'none'
			? 'Base and head ran as the user that ran benchgate, so either could have reached the other, and the measurement'
			: 'Base and head ran behind namespaces, as the user that ran benchgate';
	return [{ code: 'less-isolation', message: `${then}. Users of their own could not be had: ${opened.reason}.` }];
}

function rank(level: IsolationReport['level']): number {
	return ISOLATION_LEVELS.indexOf(level);
}

/** The folder git keeps a repository in, which worktrees refer to; null outside of one. */
function findRepository(cwd: string): string | null {
	try {
		const stdio = ['ignore', 'pipe', 'ignore'] as const;
		return resolve(
			cwd,
			execFileSync('git', ['rev-parse', '--git-common-dir'], { cwd, encoding: 'utf8', stdio: [...stdio] }).trim(),
		);
	} catch {
		return null;
	}
}
