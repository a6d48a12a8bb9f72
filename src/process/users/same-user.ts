/** The private folders of a process that runs as our own user. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scratch, SideUser } from '../../types/isolation.ts';
import { signalGroup } from '../processes.ts';
import { runPlain } from './run-as-root.ts';

/** Without following a link, each before what is in it is looked at. */
const OPEN_FOLDERS = ['-type', 'd', '!', '-perm', '-0700', '-exec', 'chmod', 'u+rwx', '{}', ';'];

/** Not to be guessed by other users of the machine, who could make the folder first. */
const OWN = randomBytes(6).toString('hex');

/**
 * Returns the folders of one process below `place`, which the process sees as `shown`, removed by `remove`. Their paths are short:
 * programs make sockets there, whose names the kernel limits to 107 bytes.
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

/** Our own user in the place of a side's: nothing is changed, and nothing is protected. */
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

// Removes what another user left in a folder.

/**
 * Removes a folder that is all our user's, also where foreign code that ran as our user has closed folders in it. Rejects when
 * something in it is somebody else's.
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
