/** The command that starts a built-in server. */
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
	if (program === 'bun' && benchgate?.runtime === 'bun') return [join(folder, 'node_modules', bunBinary()), ...args];
	return [program.startsWith('./') ? join(folder, program) : program, ...args];
}

/**
 * Where npm puts Bun for this machine. The program of the package `bun` itself is a note until its install script has run, which
 * npm may be told not to do.
 */
function bunBinary(): string {
	const library = platform === 'linux' && glibcVersion() === null ? '-musl' : '';
	return `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}${library}/bin/bun`;
}
