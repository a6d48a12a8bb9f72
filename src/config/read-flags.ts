import { DESIGNS, type Design, INCONCLUSIVE_POLICIES, type InconclusivePolicy } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import { METRIC_NAMES, type MetricName } from '../types/metric.ts';
import type { Fraction, Seconds } from '../types/units.ts';
import { DURATION_FORM, PERCENTAGE_FORM, parseDuration, parsePercentage } from './durations.ts';
import { suggest } from './suggest.ts';

/** Flags of the command line, or inputs of the action, as the user typed them. Empty text counts as absent. */
export interface Flags {
	/** Comma-separated names. */
	readonly server?: string | undefined;
	/** Comma-separated names and groups. */
	readonly scenario?: string | undefined;
	readonly subject?: string | undefined;
	readonly threshold?: string | undefined;
	readonly tolerance?: string | undefined;
	readonly budget?: string | undefined;
	readonly design?: string | undefined;
	readonly rounds?: string | undefined;
	readonly seed?: string | undefined;
	readonly onInconclusive?: string | undefined;
	/** Comma-separated metrics. */
	readonly metrics?: string | undefined;
	/** Not typed by the user: name in the package.json of the subject, when there is one. */
	readonly subjectName?: string | undefined;
	/** How messages spell a flag: `--on-inconclusive` (default), or `input on-inconclusive` for the action. */
	readonly spelling?: 'flag' | 'input' | undefined;
}

/** Flags with their values read; what was not given is undefined. */
export interface FlagValues {
	readonly servers: readonly string[] | undefined;
	readonly scenarios: readonly string[] | undefined;
	readonly subject: string | undefined;
	readonly threshold: Fraction | undefined;
	readonly tolerance: Fraction | undefined;
	readonly budgetSeconds: Seconds | undefined;
	readonly design: Design | undefined;
	readonly rounds: number | undefined;
	readonly seed: number | undefined;
	readonly onInconclusive: InconclusivePolicy | undefined;
	readonly metrics: readonly MetricName[] | undefined;
}

/** Fewest and most rounds a user can ask for: one round has no spread. */
const ROUNDS = { fewest: 2, most: 1000 } as const;

/** Collects what is wrong with flags, so that all of it is said at once. */
export type Complain = (flag: keyof Flags, message: string) => void;

/** The action's inputs are lists. */
const INPUT_SPELLINGS: Partial<Record<keyof Flags, string>> = { server: 'servers', scenario: 'scenarios' };

/** Returns how messages name a flag. */
export function spellFlag(flag: keyof Flags, flags: Flags): string {
	const name = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
	if (flags.spelling !== 'input') return `--${name}`;
	return `input ${INPUT_SPELLINGS[flag] ?? name}`;
}

/** Returns one error that lists every complaint about flags. */
export function flagsError(complaints: readonly string[]): UserError {
	return new UserError({ code: 'bad-flag', message: complaints.join('\n') });
}

/** Returns the values of all flags. A flag that cannot be read is complained about and counts as absent. */
export function readFlags(flags: Flags, complain: Complain): FlagValues {
	const read = <T>(flag: keyof Flags, parse: (text: string) => T | undefined, form: string): T | undefined => {
		const text = flags[flag]?.trim();
		if (text === undefined || text === '') return undefined;
		const value = parse(text);
		if (value === undefined) complain(flag, `not allowed; ${form}`);
		return value;
	};
	const word = <T extends string>(flag: keyof Flags, words: readonly T[]): T | undefined =>
		read(flag, (text) => words.find((candidate) => candidate === text), oneOf(flags[flag], words));
	const names = (flag: keyof Flags) => read(flag, splitNames, 'names separated by commas');
	return {
		servers: names('server'),
		scenarios: names('scenario'),
		subject: read('subject', (text) => text, 'a folder'),
		threshold: read('threshold', parsePercentage, PERCENTAGE_FORM),
		tolerance: read('tolerance', parsePercentage, PERCENTAGE_FORM),
		budgetSeconds: read('budget', parseDuration, DURATION_FORM),
		design: word('design', DESIGNS),
		rounds: read(
			'rounds',
			wholeNumber(ROUNDS.fewest, ROUNDS.most),
			`a whole number from ${ROUNDS.fewest} to ${ROUNDS.most}`,
		),
		seed: read('seed', wholeNumber(0, Number.MAX_SAFE_INTEGER), 'a whole number from 0'),
		onInconclusive: word('onInconclusive', INCONCLUSIVE_POLICIES),
		metrics: read('metrics', splitMetrics, oneOf(flags.metrics, METRIC_NAMES)),
	};
}

function oneOf(text: string | undefined, words: readonly string[]): string {
	const nearest = suggest(text?.trim() ?? '', words);
	return `one of ${words.join(', ')}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}

function splitNames(text: string): string[] | undefined {
	const names = text.split(',').map((name) => name.trim());
	return names.includes('') ? undefined : [...new Set(names)];
}

function splitMetrics(text: string): MetricName[] | undefined {
	const metrics = splitNames(text)?.map((name) => METRIC_NAMES.find((metric) => metric === name));
	return metrics?.every((metric) => metric !== undefined) ? metrics : undefined;
}

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
	return (text) => {
		const value = Number(text);
		return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
	};
}
