/** What the machine has installed. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns those of the programs that are in no folder of `path`, which is like the variable PATH. */
export function missingPrograms(names: readonly string[], path = process.env.PATH ?? ''): ReadonlySet<string> {
	const folders = path.split(delimiter).filter((folder) => folder !== '');
	return new Set(names.filter((name) => !folders.some((folder) => isProgram(join(folder, name)))));
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

/** Returns the version of the GNU C library this process runs with, like `2.36`; null when it is another library. */
export function glibcVersion(): string | null {
	// Otherwise it looks up the names of all addresses this process is connected to.
	Object.assign(process.report, { excludeNetwork: true });
	const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
	return header.glibcVersionRuntime ?? null;
}

/** Returns whether a Node binary is the one that runs this process, which knows about itself without being started. */
export function isOwnNode(node: string): boolean {
	try {
		return realpathSync(node) === realpathSync(process.execPath);
	} catch {
		return false;
	}
}
