import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the programs that no folder of `path` (like PATH) contains. */
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

/** Returns this process's GNU C library version, like `2.36`; null for another library. */
export function glibcVersion(): string | null {
	// Otherwise the report resolves the names of all connected addresses.
	Object.assign(process.report, { excludeNetwork: true });
	const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
	return header.glibcVersionRuntime ?? null;
}

/** Whether a Node binary runs this process. Its features then need no test. */
export function isOwnNode(node: string): boolean {
	try {
		return realpathSync(node) === realpathSync(process.execPath);
	} catch {
		return false;
	}
}
