/** Explains rows after their verdict is published. */
import { explainOptionsOf } from '../../config/read-flags.ts';
import { chooseRows } from '../../explain/choose-rows.ts';
import { listChangedFiles, listChangesBetween } from '../../github/repository.ts';
import { explainSides } from '../../runs/explain/explain-run.ts';
import type { AskedPair } from '../../runs/verify-pair.ts';
import { countOf, formatDuration } from '../../text/numbers.ts';
import type { ChangedLines } from '../../types/difference.ts';
import { isUserError } from '../../types/errors.ts';
import type { ExplainOptions, Explanation } from '../../types/explain.ts';
import type { Raw } from '../../types/result.ts';
import type { Seconds } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import type { ArtifactStore } from '../publish/artifact-store.ts';
import { describeFailure } from '../publish/describe-failure.ts';
import { type Ended, publishExplanation } from '../publish/publish.ts';
import { explainIn } from '../request/inputs.ts';
import { runForeignCode } from '../services/foreign-code.ts';
import type { ModeOutcome } from './mode-outcome.ts';

/** For preparing, and for ending a step that takes longer than planned. */
const GRACE: Seconds = 60;

export interface ComparedPair extends AskedPair {
	readonly reproduce: string;
}

/** Returns what is left to do once a comparison is published; null if no row is to be explained. */
export function explainLater(
	session: ActionSession,
	ended: Ended,
	pair: ComparedPair | null,
	store: ArtifactStore,
): ModeOutcome['later'] {
	const options = explainOptionsOf(explainIn(session.inputs.options));
	const { conclusion, raw } = ended;
	if (conclusion.kind !== 'compared' || raw === null || pair === null) return null;
	const rows = chooseRows(conclusion.result, options.policy).length;
	if (rows === 0) return null;
	return async () => {
		const time = formatDuration(options.budgetSeconds);
		session.progress.step(`The verdict is published. Explaining ${countOf(rows, 'row')} for at most ${time}.`);
		const end = AbortSignal.timeout(1000 * (options.budgetSeconds + GRACE));
		const signal = AbortSignal.any([session.signal, end]);
		try {
			const explanation = await explain(session, { ...pair, signal }, raw, options);
			// A cancelled job has seconds left.
			if (explanation === null || session.signal.aborted) return null;
			session.warnings.push(...explanation.warnings);
			const lines = await readLines(session, ended, explanation);
			return await publishExplanation(session, ended, { explanation, lines }, store);
		} catch (error) {
			// The verdict stands, whatever fails.
			const why = signal.aborted ? 'its time was over' : describeFailure(error).message;
			session.warnings.push({ code: 'explanation-ended', message: `Rows were not explained: ${why}.` });
			return null;
		}
	};
}

async function explain(
	session: ActionSession,
	pair: ComparedPair,
	raw: Raw,
	options: ExplainOptions,
): Promise<Explanation | null> {
	const { value, rewritten } = await runForeignCode(session, () => explainSides(pair, raw, options));
	if (rewritten === null) return value;
	session.warnings.push(rewritten);
	return null;
}

/** The change that GitHub shows, if head was measured as it is there. */
async function readLines(
	{ github, runner: { repository }, warnings }: ActionSession,
	{ place: { headSha, pullRequest } }: Ended,
	{ base, head }: Explanation,
): Promise<ChangedLines> {
	if (github === null || head.sha !== headSha) return new Map();
	try {
		if (pullRequest) return (await listChangedFiles(github, repository, pullRequest.number)).lines;
		return base.sha ? (await listChangesBetween(github, repository, base.sha, headSha)).lines : new Map();
	} catch (error) {
		if (!isUserError(error)) throw error;
		warnings.push({ code: error.code, message: error.message });
		return new Map();
	}
}
