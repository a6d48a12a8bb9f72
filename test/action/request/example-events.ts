/** Real payloads of GitHub's events, and the runner around them. */
import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { readRequest } from '../../../src/action/request/request.ts';
import type { ActionRequest, RunnerContext } from '../../../src/types/action-run.ts';

// biome-ignore lint/suspicious/noExplicitAny: payloads are read and changed freely here.
export type Payload = any;

/** The package's own types do not match. */
const EXAMPLES = examples as unknown as readonly { name: string; examples: readonly unknown[] }[];

export const RUNNER_SHA = 'f'.repeat(40);

/** Returns copies of all example payloads of an event; `schedule` has its own. */
export function payloadsOf(eventName: string): Payload[] {
	if (eventName === 'schedule') return [{ schedule: '0 4 * * 1', repository: payloadsOf('push')[0].repository }];
	const entry = EXAMPLES.find(({ name }) => name === eventName);
	if (entry === undefined) throw new Error(`no example of ${eventName}`);
	return structuredClone(entry.examples) as Payload[];
}

/** Returns a copy of the first example payload of an event, with this action if one is named. */
export function payloadOf(eventName: string, action?: string): Payload {
	const payload = payloadsOf(eventName).find((example) => action === undefined || example.action === action);
	if (payload === undefined) throw new Error(`no example of ${eventName} ${action}`);
	return payload;
}

/** Returns the request of an event, in the repository of its payload. */
export function requestFor(
	eventName: string,
	payload: unknown,
	inputs: Record<string, string> = {},
	runner: Partial<RunnerContext> = {},
): ActionRequest {
	return readRequest(runnerOf(eventName, payload, runner), parseInputs(inputs));
}

export function runnerOf(eventName: string, payload: unknown, changes: Partial<RunnerContext> = {}): RunnerContext {
	return {
		eventName,
		payload,
		repository: { owner: 'octo-org', repo: 'octo-repo' },
		sha: RUNNER_SHA,
		ref: 'refs/heads/main',
		run: { id: 1, attempt: 1, url: 'https://github.com/octo-org/octo-repo/actions/runs/1' },
		serverUrl: 'https://github.com',
		apiUrl: 'https://api.github.com',
		workspace: '/work',
		tempFolder: '/temp',
		...changes,
	};
}
