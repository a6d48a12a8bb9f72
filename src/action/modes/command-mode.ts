import type { RequestOf } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import { readCommand } from '../request/command-request.ts';
import { runCompareMode } from './compare-mode.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';

/** Runs the comparison a comment asks for, when its author may ask for one. */
export async function runCommandMode(session: ActionSession, request: RequestOf<'command'>): Promise<ModeOutcome> {
	const read = await readCommand(session, request);
	return read.kind === 'compare' ? runCompareMode(session, read) : { ...SILENT, log: `Nothing to do: ${read.reason}.` };
}
