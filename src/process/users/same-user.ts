/** Folders of a process that runs as our own user. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scratch, SideUser } from '../../types/isolation.ts';
import { signalGroup } from '../processes.ts';
import { runPlain } from './run-as-root.ts';

/** `find` follows no symlinks, and opens a folder before it visits the contents. */
const OPEN_FOLDERS = ['-type', 'd', '!', '-perm', '-0700', '-exec', 'chmod', 'u+rwx', '{}', ';'];

/** Unpredictable, so no other user can create the folder first. */
const OWN = randomBytes(6).toString('hex');

/**
 * Returns a process's folders below `place`, which the process sees as `shown`. The paths are short, because the kernel
 * limits socket names to 107 bytes.
 */
export function scratchIn(
	place: string,
	name: string,
	remove: (folder: string) => Promise<unknown>,
	shown = place,
): Scratch {
	const folder = join(place, name);
	return {
		folder,
		temporary: join(shown, name, 't'),
		data: join(shown, name, 'd'),
		async remove() {
			await remove(folder);
		},
	};
}

/** Our own user in the role of a side's user. It changes and protects nothing. */
export const SAME_USER: SideUser = {
	uid: null,
	group: null,
	environment: (inherited) => ({ ...inherited }),
	launch: (argv, { cwd, env, makes = [] }) => {
		for (const folder of makes) mkdirSync(folder, { recursive: true, mode: 0o700 });
		return { argv, cwd, env };
	},
	scratch: (name) => scratchIn(tmpdir(), `benchgate-${name}-${OWN}`, removeOwn),
	hold() {},
	signalGroup,
	listens() {},
	endAll: async () => 0,
	give: async () => {},
	seal: async () => {},
	allow: async () => {},
};

/**
 * Removes a folder of our user, even if foreign code left inaccessible folders in it. Rejects for files of other users.
 */
export async function removeOwn(folder: string): Promise<void> {
	const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
	try {
		await remove();
	} catch {
		await runPlain(['find', folder, ...OPEN_FOLDERS]).catch(() => {});
		await remove();
	}
}
