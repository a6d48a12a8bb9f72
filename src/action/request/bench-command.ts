import { PERCENTAGE_FORM, parsePercentage } from '../../config/durations.ts';
import { suggest } from '../../config/suggest.ts';
import { plainText } from '../../text/escape.ts';
import { type BenchCommand, DEFAULT_KEY, type MisreadCommand } from '../../types/action-run.ts';

const COMMAND = '/benchgate';
export const SCENARIO_LIMIT = 50;
const NAME = /^[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$/;
const OPTION = /^-*([A-Za-z-]+)=(.*)$/s;
const OPTIONS = ['threshold'];
const KEY_LENGTH = 64;

/**
 * Parses a comment whose first non-empty line is `/benchgate [scenario…] [threshold=5%]`, with words separated by
 * spaces or commas. Returns null for other comments. At most 50 names of up to 64 letters, digits, ".", "_" and "-".
 */
export function parseCommand(text: string): BenchCommand | null | MisreadCommand {
	const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
	const [command = '', ...words] = line.split(/[\s,]+/).filter((word) => word !== '');
	if (command.toLowerCase() !== COMMAND) return null;
	const options = words.filter((word) => OPTION.test(word));
	const names = words.filter((word) => !OPTION.test(word));
	const strange = names.find((name) => !NAME.test(name));
	if (strange !== undefined) return refuse(`${quote(strange)} is not a scenario's name`);
	const scenarios = [...new Set(names)];
	if (scenarios.length > SCENARIO_LIMIT) return refuse(`more than ${SCENARIO_LIMIT} scenarios are named`);
	if (options.length > 1) return refuse('more than one threshold is given');
	if (options[0] === undefined) return { scenarios, threshold: undefined };
	const threshold = readThreshold(options[0]);
	return typeof threshold === 'string' ? { scenarios, threshold } : threshold;
}

export function formatCommand({ scenarios, threshold }: BenchCommand): string {
	return [COMMAND, ...scenarios, ...(threshold === undefined ? [] : [`threshold=${threshold}`])].join(' ');
}

export function hasWords({ scenarios, threshold }: BenchCommand): boolean {
	return scenarios.length > 0 || threshold !== undefined;
}

/**
 * Returns the comment and check key of a command's report. It differs from the job's key, so the report never
 * replaces the gate's result.
 */
export function commandKeyOf(key: string): string {
	if (key === DEFAULT_KEY) return 'command';
	return isCommandKey(key) ? key : `${key.slice(0, KEY_LENGTH - '-command'.length)}-command`;
}

/** Returns the shortest job key that has this command key. */
export function jobKeyOf(commandKey: string): string {
	return commandKey === 'command' ? DEFAULT_KEY : commandKey.replace(/-command$/, '');
}

export function isCommandKey(key: string): boolean {
	return /(?:^|-)command$/.test(key);
}

function readThreshold(option: string): string | MisreadCommand {
	const [, key = '', value = ''] = OPTION.exec(option) ?? [];
	if (key !== 'threshold') {
		const nearest = suggest(key, OPTIONS);
		return refuse(`${quote(`${key}=`)} is no option${nearest === undefined ? '' : `; did you mean "${nearest}="?`}`);
	}
	return parsePercentage(value) === undefined ? refuse(`threshold ${quote(value)} is not ${PERCENTAGE_FORM}`) : value;
}

function refuse(problem: string): MisreadCommand {
	return { problem };
}

function quote(word: string): string {
	return `"${plainText(word, 64)}"`;
}
