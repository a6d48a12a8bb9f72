import { getState, saveState } from '@actions/core';

/** What the step remembers for its post step. Texts, because the runner keeps nothing else. */
export const REMEMBERED = ['check', 'comment', 'headSha', 'title', 'key', 'concluded'] as const;
export type RememberedName = (typeof REMEMBERED)[number];

/** What the post step can find out from GitHub: that it cannot be kept ends no step that has announced something. */
const FOUND_OTHERWISE: readonly RememberedName[] = ['check', 'concluded'];

/**
 * Remembers a value for the post step; a later one of the same name replaces it. Throws what the system says when the runner's
 * file cannot be written (a full disk) and the post step could not do without.
 */
export function remember(name: RememberedName, value: string): void {
	try {
		saveState(name, value);
	} catch (error) {
		if (!FOUND_OTHERWISE.includes(name)) throw error;
	}
}

/** Returns everything the step remembered; empty text for what it did not come to. */
export function recall(): Readonly<Record<RememberedName, string>> {
	return Object.fromEntries(REMEMBERED.map((name) => [name, getState(name)])) as Record<RememberedName, string>;
}
