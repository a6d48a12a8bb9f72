import type { RequestOf, RunnerContext } from '../../types/action-run.ts';
import type { ActionInputs } from './inputs.ts';

/** What the reader of one kind of event has to go by. */
export interface Event {
	readonly runner: RunnerContext;
	readonly payload: unknown;
	readonly inputs: ActionInputs;
	/** `mode: compare`: compare also where `auto` would leave it. */
	readonly forced: boolean;
}

/** Returns the request to do nothing, green, with the reason in the log. */
export function nothing(reason: string): RequestOf<'nothing'> {
	return { kind: 'nothing', reason };
}
