import { METHODS } from '../config/file/config-schema-parts.ts';
import { suggest } from '../config/suggest.ts';
import { SAFE_METHODS } from '../init/scenario-lines.ts';
import { writeInitialConfig } from '../init/write-initial-config.ts';
import { EXIT, UserError } from '../types/errors.ts';
import { isTerminal, tryConfig } from './try-config.ts';

/** Flags of `benchgate init` as the command line gives them. */
export interface InitFlags {
	readonly try?: boolean;
	readonly yes?: boolean;
	readonly from?: string;
	readonly methods?: string;
}

/**
 * Writes a starter config into the current folder, says what to do next, and tries what was written when asked to: by a flag, or
 * in answer to a question where somebody can answer. Returns the exit code.
 */
export async function runInitCommand(flags: InitFlags): Promise<number> {
	const cwd = process.cwd();
	const methods = readMethods(flags.methods);
	if (flags.try && !flags.yes && !isTerminal()) throw cannotAsk();
	const written = await writeInitialConfig(cwd, { openapi: flags.from, methods });
	process.stdout.write(`${written}\n`);
	if (!flags.try && !isTerminal()) return EXIT.passed;
	return tryConfig(cwd, { methods, sure: flags.yes === true && flags.try === true, asked: flags.try === true });
}

function readMethods(text: string | undefined): readonly string[] {
	if (text === undefined) return SAFE_METHODS;
	const given = text.split(',').map((name) => name.trim().toUpperCase());
	const wrong = given.find((name) => !METHODS.some((method) => method === name));
	if (wrong === undefined) return [...new Set([...SAFE_METHODS, ...given])];
	const near = suggest(wrong, [...METHODS]);
	throw new UserError({
		code: 'bad-flag',
		where: `--methods ${text}`,
		message: `"${wrong}" is not a method${near === undefined ? '' : `; did you mean "${near}"?`}`,
		remedy: `write methods separated by commas, of ${METHODS.join(', ')}`,
	});
}

function cannotAsk(): UserError {
	return new UserError({
		code: 'bad-flag',
		where: '--try',
		message: 'it asks before it runs anything, and this is no terminal to answer in',
		remedy: 'add --yes to run what is written without being asked',
	});
}
