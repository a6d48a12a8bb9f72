import { lstat, mkdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { SAME_USER } from '../../process/users/same-user.ts';
import type { CustomServer } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import { isFolder } from '../package/install.ts';
import { nameOrigin, type Origin, type Session } from '../prepare-context.ts';

/**
 * Creates the folders that servers may write to, and gives them to the side's user. Throws UserError `writable-outside`
 * unless each is a folder of the checkout. Symlinks are refused: they may lead anywhere.
 */
export async function giveWritable(
	{ isolation }: Session,
	origin: Origin,
	checkout: string,
	servers: readonly CustomServer[],
): Promise<void> {
	const user = isolation?.sides[origin.side] ?? SAME_USER;
	for (const { name, writable = [] } of servers) {
		for (const path of writable) {
			const inside = relative(checkout, resolve(checkout, path));
			const folder = await makeInside(checkout, inside);
			if (folder === null) throw outsideError(origin, name, path);
			await user.give(folder);
		}
	}
}

export function refuseWritable(servers: readonly CustomServer[]): void {
	const asking = servers.find(({ writable = [] }) => writable.length > 0);
	if (asking === undefined) return;
	throw new UserError({
		code: 'writable-shared',
		where: `server ${asking.name}`,
		message:
			'it runs in a package of "harness", whose installation other runs use too: it has no folder to write to there',
		remedy: 'leave "writable" out, and let it write to ${data}, a folder of each process, in its command or env',
	});
}

/** Null if the path leaves the checkout, or if a part is not a folder. */
async function makeInside(checkout: string, inside: string): Promise<string | null> {
	let folder = checkout;
	for (const part of inside.split(sep).filter((name) => name !== '')) {
		if (part === '..') return null;
		folder = join(folder, part);
		const stats = await lstat(folder).catch(() => null);
		if (stats === null) await mkdir(folder);
		else if (!stats.isDirectory()) return null;
	}
	return (await isFolder(folder)) ? folder : null;
}

function outsideError(origin: Origin, server: string, path: string): UserError {
	return new UserError({
		code: 'writable-outside',
		where: `server ${server}`,
		message: `${nameOrigin(origin)}: its writable "${path}" is no folder inside of the checkout`,
		remedy: 'give a folder inside of the repository, relative to its top, that is no link',
	});
}
