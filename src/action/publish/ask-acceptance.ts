import { findAcceptances } from '../../github/acceptances.ts';
import type { GitHub } from '../../github/github-client.ts';
import { findQueuedPull } from '../../github/merge-group.ts';
import { acceptRedRows, weighResult } from '../../judge/acceptance.ts';
import { describeAcceptedRows } from '../../report/compare/acceptance-words.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { Conclusion, MeasuredRun } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { Acceptance } from '../../types/verdict.ts';
import type { ActionSession, Place } from '../action-session.ts';
import { peek } from '../request/payload.ts';
import { isReportedElsewhere } from './comment-context.ts';

export interface Asked {
	readonly conclusion: Conclusion;
	readonly warnings: readonly Warning[];
}

type Asking = Pick<ActionSession, 'runner' | 'inputs'> & { readonly github: GitHub | null };
/** `measured` is set if the measuring run is another run. */
type AskedPlace = Pick<Place, 'pullRequest' | 'headSha'> & { readonly measured?: MeasuredRun };

/**
 * Marks red rows that a user with write access has accepted in the pull request, or in that of a merge group, by the
 * API.
 */
export async function accept(session: Asking, place: AskedPlace, conclusion: Conclusion): Promise<Asked> {
	const { github, runner, inputs } = session;
	if (conclusion.kind !== 'compared' || !github) return { conclusion, warnings: [] };
	if (weighResult(conclusion.result).open.length === 0) return { conclusion, warnings: [] };
	const pull = await findPull(github, session, place);
	if (pull === null) return { conclusion, warnings: [] };
	if ('warning' in pull) return { conclusion, warnings: [pull.warning] };
	const acceptancePlace = {
		...pull,
		repository: runner.repository,
		label: inputs.acceptLabel,
		decidedElsewhere: isReportedElsewhere({ inputs }),
	};
	const { acceptances, warnings } = await findAcceptances(github, acceptancePlace);
	const result = acceptRedRows(conclusion.result, acceptances);
	const unused = result.gate.accepted ? [] : acceptances.map(warnUnused);
	return { conclusion: { kind: 'compared', result }, warnings: [...warnings, ...unused] };
}

async function findPull(github: GitHub, session: Asking, place: AskedPlace) {
	const { pullRequest, headSha } = place;
	if (pullRequest) return { number: pullRequest.number, headSha };
	const queue = queueOf(session, place);
	return queue && (await findQueuedPull(github, { ...queue, repository: session.runner.repository, headSha }));
}

/** The branch of a merge group, from the measuring run's event. */
function queueOf({ runner }: Asking, { measured }: AskedPlace): { ref: string; baseSha: string | null } | null {
	if (measured) {
		const { owner, repo } = runner.repository;
		const isOwnRepository = measured.headRepository.toLowerCase() === `${owner}/${repo}`.toLowerCase();
		return measured.event === 'merge_group' && isOwnRepository ? { ref: measured.headBranch, baseSha: null } : null;
	}
	if (runner.eventName !== 'merge_group') return null;
	return { ref: runner.ref, baseSha: String(peek(runner.payload, 'merge_group.base_sha')) };
}

function warnUnused(acceptance: Acceptance): Warning {
	const who = plainText(acceptance.by, NAME_LIMIT);
	const message = `Nothing that is red is covered by what ${who} accepts (${describeAcceptedRows(acceptance)}).`;
	return { code: 'acceptance-unused', message };
}
