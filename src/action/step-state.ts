import { getState, saveState } from '@actions/core';

/** What the step remembers for its post step. Texts, because the runner keeps nothing else. */
export const REMEMBERED = ['started', 'check', 'comment', 'headSha', 'title', 'key', 'concluded'] as const;
export type RememberedName = (typeof REMEMBERED)[number];

/** Whether this process is the post step. */
export function isPost(): boolean {
	return getState('started') !== '';
}

/** Remembers a value for the post step; a later one of the same name replaces it. */
export function remember(name: RememberedName, value: string): void {
	saveState(name, value);
}

/** Returns everything the step remembered; empty text for what it did not come to. */
export function recall(): Readonly<Record<RememberedName, string>> {
	return Object.fromEntries(REMEMBERED.map((name) => [name, getState(name)])) as Record<RememberedName, string>;
}
