import { realpathSync } from 'node:fs';

/** Returns whether a Node binary is the one that runs this process, which knows about itself without being started. */
export function isOwnNode(node: string): boolean {
	try {
		return realpathSync(node) === realpathSync(process.execPath);
	} catch {
		return false;
	}
}
