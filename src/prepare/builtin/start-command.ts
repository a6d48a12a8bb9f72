/** The command that starts a built-in server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, platform } from 'node:process';
import type { ServerPackage } from '../../config/load-catalogue-files.ts';
import { glibcVersion } from '../../process/system/programs.ts';

/** What a server without a start script is: how every server of Node's begins. */
const START = 'node server.mjs';

/**
 * Returns the command of a built-in server's `start` script as an argument vector: `node` is the Node at hand, its own files and
 * the runtime it brings along are absolute, and anything else is found on PATH.
 *
 * @param at The Node, and the absolute folder the server is installed in.
 */
export function startCommand(
	{ scripts, benchgate }: ServerPackage,
	{ node, folder }: { readonly node: string; readonly folder: string },
): string[] {
	const [program = '', ...args] = (scripts?.start ?? START).split(' ');
	if (program === 'node') return [node, ...args];
	if (program === 'bun' && benchgate?.runtime === 'bun') return [findBun(folder), ...args];
	return [program.startsWith('./') ? join(folder, program) : program, ...args];
}

/**
 * Returns where npm has put Bun for this machine: in a package of its own, from where the install script of the package `bun` moves
 * it, unless npm is told to run none. Until then what that package has is a note.
 */
function findBun(folder: string): string {
	const library = platform === 'linux' && glibcVersion() === null ? '-musl' : '';
	const machine = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}${library}/bin/bun`;
	const [own = '', moved = ''] = [machine, 'bun/bin/bun.exe'].map((path) => join(folder, 'node_modules', path));
	return !existsSync(own) && existsSync(moved) ? moved : own;
}
