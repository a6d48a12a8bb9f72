/** The programs of a runtime, in the folder that comes first on PATH. */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../../text/shell-word.ts';
import type { RuntimeName } from '../../types/runtime.ts';

/** Folder of a runtime's programs, which comes first on PATH. */
const BIN = 'bin';

/** npm is a program of Node. It runs on the next one of PATH, and what it starts finds this folder first all the same. */
const NPM = `#!/bin/sh
rest="\${PATH#*:}"
npm="$(PATH="$rest" command -v npm)" || { echo 'npm: not found' >&2; exit 127; }
exec "$(PATH="$rest" command -v node)" "$npm" "$@"
`;

/**
 * Deno asks for leave and for a command, and takes every script for a module, where Node does not; it keeps what it has compiled
 * below HOME.
 */
const denoAsNode = (program: string) => `#!/bin/sh
export DENO_DIR="\${TMPDIR:-/tmp}/deno" DENO_NO_UPDATE_CHECK=1
exec ${shellWord(program)} run --allow-all --no-prompt --unstable-detect-cjs "$@"
`;

/** Returns the path of the program called `node` in a runtime's folder. */
export function nodeIn(folder: string): string {
	return join(folder, BIN, 'node');
}

/** Makes the programs of a runtime in its folder, given the absolute path of the runtime itself. */
export async function makePrograms(folder: string, name: RuntimeName, program: string): Promise<void> {
	await mkdir(join(folder, BIN));
	if (name === 'node') return symlink(program, nodeIn(folder));
	await symlink(program, join(folder, BIN, name));
	await writeProgram(join(folder, BIN, 'npm'), NPM);
	// Bun that is called `node` is like Node.
	if (name === 'bun') await symlink(program, nodeIn(folder));
	else await writeProgram(nodeIn(folder), denoAsNode(program));
}

async function writeProgram(path: string, text: string): Promise<void> {
	await writeFile(path, text);
	await chmod(path, 0o755);
}
