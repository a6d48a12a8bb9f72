import { findEnterpriseHost, ONE_JOB } from '../../init/workflows/enterprise-server.ts';
import type { ActionRequest, RunnerContext } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import { isReportedElsewhere } from '../publish/comment-context.ts';
import type { ActionInputs } from '../request/inputs.ts';

const PARTS: readonly ActionRequest['kind'][] = ['plan', 'shard', 'gather'];

/** Returns what GitHub Enterprise Server will lose, if anything. Throws UserError `no-artifacts` if it is all. */
export function warnAboutServer(
	{ serverUrl }: Pick<RunnerContext, 'serverUrl'>,
	inputs: ActionInputs,
	{ kind }: Pick<ActionRequest, 'kind'>,
	hasOwnFolder: boolean,
): Warning | null {
	const host = findEnterpriseHost(serverUrl);
	if (host === null || hasOwnFolder) return null;
	const why = `${host} is GitHub Enterprise Server, to which benchgate cannot upload artifacts`;
	if (PARTS.includes(kind)) {
		throw new UserError({
			code: 'no-artifacts',
			where: 'input mode',
			message: `${why}, and the jobs of a comparison on several machines need them`,
			remedy: `measure on one machine: ${ONE_JOB}`,
		});
	}
	const lost =
		kind === 'baseline'
			? 'mode: record gets nothing to store'
			: kind === 'compare' && isReportedElsewhere({ inputs })
				? 'a reporting workflow gets nothing to publish'
				: null;
	return lost === null ? null : { code: 'no-artifacts', message: `${why}, so ${lost}. Instead, ${ONE_JOB}.` };
}
