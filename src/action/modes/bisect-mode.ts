/** The bisect mode as a table of contents: both ends → measure until one commit is named and proven → summary. It writes nothing. */
import { readBisect } from '../../config/load-request.ts';
import { findNode } from '../../measure/find-node.ts';
import { renderBisectMarkdown } from '../../report/bisect/bisect-markdown.ts';
import { renderBisect } from '../../report/bisect/bisect-terminal.ts';
import { runBisect } from '../../runs/bisect/run-bisect.ts';
import { bisectExitCode } from '../../trend/bisect/bisect-exit-code.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { LOG_STYLE } from '../publish/speak.ts';
import { runForeignCode } from '../services/run-foreign-code.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';

/** Finds the commit between the inputs `good` and `bad` that made a row slower. Red only when nothing could be measured. */
export async function runBisectMode(session: ActionSession): Promise<ModeOutcome> {
	const { inputs, runner, janitor, progress, signal } = session;
	const { good, bad } = bothEnds(inputs.options);
	const { config, reproduce } = await readBisect(runner.workspace, { ...inputs.options, good, bad, spelling: 'input' });
	const { value: result, rewritten } = await runForeignCode(session, () =>
		runBisect({
			config,
			good,
			bad,
			reproduce,
			cwd: runner.workspace,
			cacheFolder: cacheFolderOf(session),
			node: findNode(inputs.options.node),
			withheld: session.withheld,
			janitor,
			progress,
			signal,
		}),
	);
	if (rewritten !== null) return { ...SILENT, failure: rewritten, fail: [rewritten.message] };
	const code = bisectExitCode(result);
	return {
		...SILENT,
		summary: renderBisectMarkdown(result),
		outputs: { outcome: code === EXIT.passed ? 'pass' : code === EXIT.gateFailed ? 'fail' : 'error' },
		log: renderBisect(result, LOG_STYLE),
		fail: code === EXIT.nothingMeasured ? ['nothing could be measured: see the summary of the job'] : [],
		cutOff: code === EXIT.interrupted,
	};
}

function bothEnds({ good, bad }: ActionSession['inputs']['options']): { readonly good: string; readonly bad: string } {
	if (good !== undefined && bad !== undefined) return { good, bad };
	throw new UserError({
		code: 'bad-input',
		where: `input ${good === undefined ? 'good' : 'bad'}`,
		message: 'a bisect needs both ends of the range',
		remedy: 'give good, a commit that was fast, and bad, a later one that is slow',
		exitCode: EXIT.usage,
	});
}
