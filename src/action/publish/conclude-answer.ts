import { changeAnswer, formatOrder } from '../../github/command.ts';
import type { GitHub } from '../../github/github-client.ts';
import { renderCommandAnswer } from '../../report/github/command-answer.ts';
import type { Repository, RunIdentity } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { OrderedCommand } from '../request/ordered-command.ts';

/**
 * Links a command's report (null: no comment) in the comment with its order, which stays, because the attempt may be
 * reported again. Returns a warning on failure.
 */
export function concludeAnswer(
	github: GitHub,
	repository: Repository,
	{ order }: OrderedCommand,
	{ run, reportUrl }: { readonly run: RunIdentity; readonly reportUrl: string | null },
): Promise<Warning | null> {
	const { command, commentId } = order;
	const answer = { kind: 'ended', command, runUrl: run.url, attempt: run.attempt, reportUrl } as const;
	return changeAnswer(github, repository, commentId, `${formatOrder(order)}\n${renderCommandAnswer(answer)}`);
}
