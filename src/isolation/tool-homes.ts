/** Where toolchains lie that look for their programs below HOME. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Managers of toolchains that look for their programs below HOME, and the variable that says where instead. */
const TOOL_HOMES: Readonly<Record<string, string>> = {
	RUSTUP_HOME: '.rustup',
	VOLTA_HOME: '.volta',
	PYENV_ROOT: '.pyenv',
	RBENV_ROOT: '.rbenv',
	NODENV_ROOT: '.nodenv',
	GOENV_ROOT: '.goenv',
	ASDF_DATA_DIR: '.asdf',
	MISE_DATA_DIR: '.local/share/mise',
	SDKMAN_DIR: '.sdkman',
};

/**
 * Returns where toolchains of ours are, by the variable that tells a program of another user, who has a home of its own: what we
 * say already, else its place in our home when there is something.
 */
export function findToolHomes(environment: NodeJS.ProcessEnv = process.env, home = homedir()): Record<string, string> {
	const found = Object.entries(TOOL_HOMES).flatMap(([name, place]) => {
		const folder = environment[name] || join(home, place);
		return existsSync(folder) ? [[name, folder] as const] : [];
	});
	return Object.fromEntries(found);
}
