/** The private folders of a process that runs as our own user. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scratch, SideUser } from '../../types/isolation.ts';
import { signalGroup } from '../processes.ts';
import { removeOwn } from './remove-own.ts';

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
