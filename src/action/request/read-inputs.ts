import { getInput } from '@actions/core';
import { type ActionInputs, INPUT_NAMES, parseInputs } from './inputs.ts';

/**
 * Returns the action's inputs as the runner passes them (`INPUT_*` variables). To be called before `takeSecrets`, which
 * removes the token's variable.
 *
 * @throws UserError `bad-input` as `parseInputs` does.
 */
export function readInputs(): ActionInputs {
	return parseInputs(Object.fromEntries(INPUT_NAMES.map((name) => [name, getInput(name)])));
}
