import type { CatalogueServer } from '../../config/catalogue.ts';
import { packageFlags } from '../../config/packages/unserved.ts';
import { EXIT, isUserError, UserError } from '../../types/errors.ts';

/**
 * Returns UserError `not-installed` when an install of a built-in server failed because the registry lacks a package, with
 * where else to take it from; any other error as it is.
 */
export function explainUnserved(server: CatalogueServer, error: unknown): unknown {
	if (!isUserError(error) || error.code !== 'build-failed') return error;
	const missing = missingPackage(error.details ?? '');
	if (missing === null) return error;
	return new UserError({
		code: 'not-installed',
		where: `server ${server.name}`,
		message: `the registry has no package ${missing}`,
		remedy: `give it from elsewhere (${packageFlags([missing])}, a tarball or another version), or leave the server out`,
		exitCode: EXIT.nothingMeasured,
		cause: error,
	});
}

/** How npm names a package that there is not, in its releases and for what a registry answers. */
const SAYINGS = [
	/'(@?[^@'\s]+)@[^']*' is not in/,
	/requested resource '(@?[^@'\s]+)(?:@[^']*)?' could not be found/,
	/No matching version found for (@?[^@\s]+)@/,
];

/** Returns the package that npm's output says the registry does not have, or has not in this version; null for neither. */
export function missingPackage(output: string): string | null {
	if (!/^npm (?:error|ERR!) code (?:E404|ETARGET)/m.test(output)) return null;
	const found = SAYINGS.map((saying) => saying.exec(output)?.[1]);
	return found.find((name) => name !== undefined) ?? null;
}
