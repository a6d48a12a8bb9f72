import satisfies from 'semver/functions/satisfies.js';
import type { CatalogueServer } from '../../config/catalogue.ts';
import { findUnmetNeed } from '../../config/servers/server-needs.ts';
import { glibcVersion, missingPrograms } from '../../process/system/programs.ts';
import { UserError } from '../../types/errors.ts';
import type { Session } from '../prepare-context.ts';

/** Throws UserError `server-unsupported`, before anything of it is downloaded, for a built-in server that cannot run here. */
export function refuseUnsupported(session: Session, server: CatalogueServer): void {
	const unmet = findUnmetNeed(server, {
		node: session.nodeVersion,
		// It takes some milliseconds.
		glibc: server.glibc === undefined ? null : glibcVersion(),
		missing: missingPrograms(server.programs ?? [], session.environment.PATH),
		satisfies,
	});
	if (unmet === null) return;
	throw new UserError({
		code: 'server-unsupported',
		where: `server ${server.name}`,
		message: unmet.reason,
		remedy: `${unmet.remedy}, or leave the server out`,
	});
}
