/** A closed folder of the running user, like a home, with an isolation in it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { asRoot, type OrdinaryUser, type Who } from '../support/ordinary-user.ts';
import { type Client, type ClientOptions, openClient } from './isolation-client.ts';

export interface Place {
	readonly iso: Client;
	readonly folder: string;
}

/** Opens the requested level, which must be reached. Everything is removed after the test. */
export async function openPlace(
	t: TestContext,
	who: Who,
	user: OrdinaryUser,
	more: Partial<ClientOptions> = {},
): Promise<Place> {
	const folder = makePlace(t, who, user);
	const iso = await openClient(t, { who, user, folder, ...more });
	assert.deepEqual([iso.level, iso.reason], [more.wish ?? 'users', null]);
	return { iso, folder };
}

/** Only the folder. */
export function makePlace(t: TestContext, who: Who, user: OrdinaryUser): string {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-place-'));
	t.after(() => runAsRoot('rm', '-rf', folder));
	mkdirSync(join(folder, 'cache'));
	if (who === 'sudo') runAsRoot('chown', '-R', user.name, folder);
	return join(folder, 'cache');
}

export function runAsRoot(...argv: readonly string[]): void {
	const [program = '', ...args] = asRoot(argv);
	execFileSync(program, args);
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
	for (let attempt = 0; attempt < 2_400; attempt++) {
		if (await isSo()) return;
		await delay(25);
	}
	assert.fail('it did not happen');
}
