import type { ActionRequest, RequestOf } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import { runRecord, sitePlaceOf, storeRequestOf } from '../record/record-mode.ts';
import { runAnnounceMode } from './announce-mode.ts';
import { runBaselineMode } from './baseline-mode.ts';
import { runBisectMode } from './bisect-mode.ts';
import { runCommandMode } from './command-mode.ts';
import { runCompareMode } from './compare-mode.ts';
import { runGatherMode } from './gather-mode.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';
import { runPlanMode } from './plan-mode.ts';
import { runReportMode } from './report-mode.ts';
import { runSelftestMode } from './selftest-mode.ts';
import { runShardMode } from './shard-mode.ts';

const MODES: {
	readonly [Kind in ActionRequest['kind']]: (session: ActionSession, request: RequestOf<Kind>) => Promise<ModeOutcome>;
} = {
	compare: runCompareMode,
	plan: runPlanMode,
	shard: runShardMode,
	gather: runGatherMode,
	baseline: runBaselineMode,
	command: runCommandMode,
	report: runReportMode,
	announce: runAnnounceMode,
	bisect: runBisectMode,
	selftest: runSelftestMode,
	record: (session) =>
		runRecord({
			...storeRequestOf(session),
			site: sitePlaceOf(session),
			folder: session.inputs.records,
			github: session.github,
			warn: (warning) => session.warnings.push(warning),
		}),
	nothing: async (_, { reason }) => ({ ...SILENT, log: `Nothing to do: ${reason}.` }),
};

export function runMode<Kind extends ActionRequest['kind']>(
	session: ActionSession,
	request: RequestOf<Kind>,
): Promise<ModeOutcome> {
	return MODES[request.kind as Kind](session, request);
}
