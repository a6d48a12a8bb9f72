/** What a side's builds have left where it may write, copied for the servers of a further lane, which find it at the same places. */
import { join } from 'node:path';
import { shellWord } from '../../text/shell-word.ts';
import type { SideUser } from '../../types/isolation.ts';
import { isBelow, type View } from '../view-script.ts';
import { pipeSides } from './pipe-sides.ts';

/** Copying goes at hundreds of megabytes a second: no home that is of use takes longer. */
const PATIENCE_MS = 300_000;

/** Returns a folder of its own below `own` in place of each of `paths`; one inside of another goes with that. */
export function swapsFor(paths: readonly string[], own: string): View['swaps'] {
	const outermost = [...new Set(paths)].filter((path) => !paths.some((other) => isBelow(path, other)));
	return outermost.map((path, index) => ({ path, by: join(own, `copy-${index + 1}`) }));
}

/**
 * Copies the folders from what `from` sees to what `to` sees at the same paths, with the rights of either, so that no link leads
 * anywhere else. Nothing of `from` runs. What it may not read itself is left out, and so are sockets.
 *
 * @throws Error when `to` could not write all; it has nothing then, so that the disk is not full because of it.
 */
export async function copyBuilt(from: SideUser, to: SideUser, paths: readonly string[]): Promise<void> {
	const names = paths.map((path) => shellWord(`.${path}`)).join(' ');
	const pack = { user: from, script: `cd / && exec tar -cf - ${names} 2>/dev/null` };
	const unpack = { user: to, script: 'cd / && exec tar -xpf - 2>/dev/null' };
	if (await pipeSides(pack, unpack, PATIENCE_MS)) return;
	const remove = { user: to, script: `cd / && find ${names} -mindepth 1 -delete 2>/dev/null` };
	await pipeSides({ user: from, script: 'exit' }, remove, PATIENCE_MS);
	throw new Error('what its build left in HOME and in writable folders could not be copied (is the disk full?)');
}
