import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/parse-config.ts';
import { scenarioChoices } from '../../config/selection.ts';
import { suggest } from '../../config/suggest.ts';
import { nameAll } from '../../text/phrase.ts';
import type { BenchCommand } from '../../types/action-run.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import { formatCommand } from '../request/bench-command.ts';

const MOST_NAMED = 8;

/**
 * Resolves configs with the words of a command; `files` may define its scenarios.
 *
 * @throws UserError `bad-command` with the command to write instead; errors of `resolve`.
 */
export function fitCommand<T>(
	command: BenchCommand | null,
	files: readonly (ConfigFile | null)[],
	catalogue: Catalogue,
	resolve: () => T,
): T {
	if (command === null) return resolve();
	const listed = files
		.flatMap((file) => file?.scenarios ?? [])
		.map((one) => (typeof one === 'string' ? one : one.name));
	const choices = [...new Set([...listed, ...files.flatMap((file) => scenarioChoices(file, catalogue))])];
	const unknown = command.scenarios.filter((name) => !choices.includes(name));
	if (unknown.length > 0) throw unknownScenarios(command, unknown, choices);
	try {
		return resolve();
	} catch (error) {
		if (!isUserError(error) || error.code !== 'bad-flag') throw error;
		throw misfit(error.message.replace(/^input /gm, ''), 'write another command in a new comment');
	}
}

function unknownScenarios(command: BenchCommand, unknown: readonly string[], choices: readonly string[]): UserError {
	const meant = command.scenarios.map((name) => (choices.includes(name) ? name : suggest(name, choices)));
	const scenarios = [...new Set(meant.flatMap((name) => name ?? []))];
	const names = unknown.map((name) => `"${name}"`);
	const what = names.length === 1 ? `${names[0]} is not a scenario` : `${nameAll(names, MOST_NAMED)} are not scenarios`;
	return misfit(
		what,
		meant.includes(undefined)
			? `name scenarios of the config in a new comment: ${nameAll(choices, MOST_NAMED)}`
			: `write "${formatCommand({ ...command, scenarios })}" in a new comment`,
	);
}

function misfit(message: string, remedy: string): UserError {
	return new UserError({ code: 'bad-command', where: 'the /benchgate comment', message, remedy });
}
