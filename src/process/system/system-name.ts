/** What the operating system calls itself, for reports. */
import { existsSync, readFileSync } from 'node:fs';
import { type, version } from 'node:os';
import { join } from 'node:path';

/** Files that container engines leave in a container, and what they are called. */
const CONTAINERS = [
	['.dockerenv', 'Docker'],
	['run/.containerenv', 'Podman'],
] as const;
const LONGEST = 60;

/** Returns the system by its own name, `Debian GNU/Linux 12 (bookworm), in Docker`. `root` is the folder that everything is in. */
export function systemName(root = '/'): string {
	const engine = CONTAINERS.find(([file]) => existsSync(join(root, file)));
	const name = readName(root) ?? `${type()} ${version()}`;
	return `${name.slice(0, LONGEST)}${engine === undefined ? '' : `, in ${engine[1]}`}`;
}

/** Systems other than Linux have no such file, nor do the smallest images. */
function readName(root: string): string | null {
	try {
		const text = readFileSync(join(root, 'etc/os-release'), 'utf8');
		return /^PRETTY_NAME=(["']?)(.+)\1$/m.exec(text)?.[2]?.trim() || null;
	} catch {
		return null;
	}
}
