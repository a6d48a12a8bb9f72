import { realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { UserError } from '../types/errors.ts';
import { nodeVersion } from './machine.ts';

/** Returns the absolute path of the Node binary for both sides: the flag's, else the first on PATH. */
export function findNode(flag: string | undefined): string {
	const candidates = flag === undefined ? onPath() : [resolve(flag)];
	for (const candidate of candidates) {
		try {
			nodeVersion(candidate);
			return realpathSync(candidate);
		} catch {
			// Try the next one on PATH.
		}
	}
	throw new UserError({
		code: 'no-node',
		where: flag === undefined ? 'PATH' : `--node ${flag}`,
		message: flag === undefined ? 'there is no node on PATH' : 'that is not a Node binary that runs here',
		remedy: 'give the path of a Node binary, e.g. --node "$(command -v node)"',
	});
}

function onPath(): string[] {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	return (process.env.PATH ?? '')
		.split(delimiter)
		.filter((folder) => folder !== '')
		.map((folder) => join(folder, name));
}
