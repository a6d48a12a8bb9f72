import { getState, saveState } from '@actions/core';

/** Values saved for the post step. The runner keeps strings only. */
export const REMEMBERED = ['check', 'comment', 'headSha', 'title', 'key', 'concluded'] as const;
export type RememberedName = (typeof REMEMBERED)[number];

/** The post step can look these up on GitHub. */
const FOUND_OTHERWISE: readonly RememberedName[] = ['check', 'concluded'];

/**
 * Saves a value for the post step and replaces an earlier one of the same name. Throws the system's error (such as a
 * full disk) unless the post step can look the value up.
 */
export function remember(name: RememberedName, value: string): void {
	try {
		saveState(name, value);
	} catch (error) {
		if (!FOUND_OTHERWISE.includes(name)) throw error;
	}
}

export function recall(): Readonly<Record<RememberedName, string>> {
	return Object.fromEntries(REMEMBERED.map((name) => [name, getState(name)])) as Record<RememberedName, string>;
}
