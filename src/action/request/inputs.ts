/** The inputs of the action, checked and complete. */

import { getInput } from '@actions/core';
import { formatValue } from '../../config/file/problem.ts';
import { INPUT_OPTIONS, type InputOption, inputOf, type OptionInput, optionOf } from '../../config/option-names.ts';
import { oneOf } from '../../config/options/option-kinds.ts';
import { OPTIONS } from '../../config/options.ts';
import { formFor, readFlags } from '../../config/read-flags.ts';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import {
	ACTION_MODES,
	type ActionMode,
	type BenchCommand,
	COMMENT_POLICIES,
	CONFIG_SOURCES,
	type CommentPolicy,
	type ConfigSource,
	DEFAULT_KEY,
	GATE_MODES,
	type GateMode,
} from '../../types/action-run.ts';
import { DEFAULT_SITE } from '../../types/baseline.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import { DEFAULT_STORE } from '../../types/shared-names.ts';
import type { Side } from '../../types/units.ts';
import { isCommandKey } from './bench-command.ts';

/** What drift does. They say nothing of what was to be measured. */
export const DRIFT_INPUTS: readonly InputOption[] = ['drift', 'driftThreshold'];

/**
 * Inputs that decide which rows there are, what they run on, and how they are judged. The measuring and the reporting workflow take
 * them alike.
 */
export const DECIDING: readonly InputOption[] = [
	...(['config', 'server', 'scenario', 'subject'] as const),
	...(['threshold', 'tolerance', 'budget', 'design'] as const),
	...(['runtime', 'baseRuntime', 'headRuntime'] as const),
	...DRIFT_INPUTS,
];

/** The action's own inputs with what holds when they are empty. The token's default is the platform's. */
const OWN_DEFAULTS = {
	mode: 'auto',
	'config-from': 'base',
	gate: '',
	comment: 'always',
	'comment-key': DEFAULT_KEY,
	'comment-keys': '',
	'check-run': 'true',
	'artifact-name': 'benchgate',
	'github-token': '',
	'accept-label': 'benchgate: accepted',
	'skip-unchanged': 'true',
	workflow: 'benchgate.yml',
	store: DEFAULT_STORE,
	records: 'benchgate-baselines',
	site: DEFAULT_SITE,
	shards: 'auto',
	shard: '',
	'shard-files': 'benchgate-shards',
} as const satisfies Record<string, string>;

export type InputName = keyof typeof OWN_DEFAULTS | OptionInput;

/** Every input with its default, as action.yml says (a test compares). What an empty option means is said where it is read. */
export const INPUT_DEFAULTS: Readonly<Record<InputName, string>> = {
	...OWN_DEFAULTS,
	...(Object.fromEntries(INPUT_OPTIONS.map(([name]) => [inputOf(name), ''])) as Record<OptionInput, string>),
};
export const INPUT_NAMES = Object.keys(INPUT_DEFAULTS) as InputName[];

/** Inputs of the action, read and checked. */
export interface ActionInputs {
	readonly mode: ActionMode;
	/** What only the engine reads stays text, as flags of the command line do. Undefined when empty. */
	readonly options: { readonly [K in InputOption]: string | undefined };
	/** Also needed when nothing is measured. */
	readonly onInconclusive: InconclusivePolicy | undefined;
	readonly configFrom: ConfigSource;
	/** Undefined: enforce for pull requests and merge groups, advisory elsewhere. */
	readonly gate: GateMode | undefined;
	readonly comment: CommentPolicy;
	/** Tells several comments of one pull request apart: `[A-Za-z0-9._-]{1,64}`. */
	readonly commentKey: string;
	/** In the reporting job: further keys that artifacts may have. */
	readonly commentKeys: readonly string[];
	readonly checkRun: boolean;
	readonly artifactName: string;
	readonly skipUnchanged: boolean;
	/** Label that accepts a regression. */
	readonly acceptLabel: string;
	/** File name of the workflow that measures pull requests, which a command starts again. */
	readonly workflow: string;
	/** Where baselines are kept. */
	readonly store: string;
	/** Folder with the artifact of the job that measured. */
	readonly records: string;
	/** Where the dashboard goes. */
	readonly site: string;
	/** How many machines a comparison is divided among; as many as are worth it when null. */
	readonly shards: number | null;
	/** Which of them this job is, from 1; undefined where it is none. */
	readonly shard: number | undefined;
	/** Folder with what the jobs before have left. */
	readonly shardFiles: string;
	/** Never logged, never in an environment of a child. Empty when the user passed none. */
	readonly token: string;
}

/** Characters GitHub allows everywhere such a name goes: artifact, HTML comment, file. */
const NAME = /^(?!\.)[A-Za-z0-9._-]{1,64}$/;
const NAME_FORM = 'up to 64 letters, digits, ".", "_" and "-", not beginning with "."';
const RESERVED = 'a name that does not end in "command": those are the keys of /benchgate comments';
const WORKFLOW = /^[A-Za-z0-9._-]{1,100}\.ya?ml$/;
const WORKFLOW_FORM = 'the name of a file in .github/workflows, such as benchgate.yml, without its folder';
/** GitHub's own limit for labels. */
const LABEL_LENGTH = 50;
const CONTROL = /\p{Cc}/u;

/**
 * Returns the inputs, checked and with defaults filled in. An empty input counts as not given, so that a reusable workflow
 * can pass its own on. What is checked against files or a catalogue (names, paths) stays for the engine.
 *
 * @throws UserError `bad-input` with one line per problem: input, value, allowed form, nearest valid word.
 */
export function parseInputs(raw: Readonly<Record<string, string>>): ActionInputs {
	const problems: string[] = [];
	const read = readerOf(raw, problems);
	const options = Object.fromEntries(
		INPUT_OPTIONS.map(([name]) => [name, read.option(name)]),
	) as ActionInputs['options'];
	// Read here as well, so that their problems are said together with all others and before anything starts.
	const { onInconclusive } = readFlags(options, (name, message) =>
		problems.push(`input ${inputOf(name as InputOption)} ${formatValue(options[name as InputOption])}: ${message}`),
	);
	const inputs: ActionInputs = {
		mode: read.word('mode', ACTION_MODES) ?? 'auto',
		options,
		onInconclusive,
		configFrom: read.word('config-from', CONFIG_SOURCES) ?? 'base',
		gate: read.word('gate', GATE_MODES),
		comment: read.word('comment', COMMENT_POLICIES) ?? 'always',
		commentKey: read.key('comment-key'),
		commentKeys: read.keyList('comment-keys'),
		checkRun: read.truth('check-run'),
		artifactName: read.name('artifact-name'),
		skipUnchanged: read.truth('skip-unchanged'),
		acceptLabel: read.label('accept-label'),
		workflow: read.file('workflow'),
		store: read.text('store', 'branch:NAME, pull-request or dir:PATH') ?? DEFAULT_STORE,
		records: read.text('records', 'a folder') ?? '',
		site: read.text('site', 'branch:NAME, dir:PATH or none') ?? DEFAULT_SITE,
		shards: read.count('shards') ?? null,
		shard: read.count('shard') ?? undefined,
		shardFiles: read.text('shard-files', 'a folder') ?? '',
		token: read.token('github-token'),
	};
	if (problems.length > 0) throw new UserError({ code: 'bad-input', message: problems.join('\n') });
	return inputs;
}

function readerOf(raw: Readonly<Record<string, string>>, problems: string[]) {
	const value = (name: InputName): string =>
		((Object.hasOwn(raw, name) ? raw[name] : undefined) ?? '').trim() || INPUT_DEFAULTS[name];
	const refuse = (name: InputName, form: string): undefined => {
		problems.push(`input ${name} ${formatValue(value(name))}: not allowed; ${form}`);
	};
	const text = (name: InputName, form: string): string | undefined => {
		const given = value(name);
		if (CONTROL.test(given)) return refuse(name, `${form}, on one line`);
		return given || undefined;
	};
	const word = <T extends string>(name: InputName, words: readonly T[]): T | undefined => {
		const given = value(name);
		if (given === '') return undefined;
		const kind = oneOf(words);
		return kind.parse(given) ?? refuse(name, formFor(given, kind));
	};
	const revision = (name: InputName, side: Side): string | undefined => {
		const given = text(name, 'a revision');
		if (given === undefined) return undefined;
		if (given.startsWith('-')) return refuse(name, 'a branch, tag or commit, or a revision with its prefix');
		try {
			parseRevision(given, side);
		} catch (error) {
			if (!isUserError(error)) throw error;
			return refuse(name, error.remedy ?? error.message);
		}
		return given;
	};
	return {
		word,
		text,
		/** A name that holds even where it is refused, so that the result is complete. */
		name: (name: InputName): string => {
			if (!NAME.test(value(name))) refuse(name, NAME_FORM);
			return value(name);
		},
		key: (name: InputName): string => {
			const given = value(name);
			if (!NAME.test(given)) refuse(name, NAME_FORM);
			else if (isCommandKey(given)) refuse(name, RESERVED);
			return given;
		},
		file: (name: InputName): string => {
			if (!WORKFLOW.test(value(name))) refuse(name, WORKFLOW_FORM);
			return value(name);
		},
		keyList: (name: InputName): readonly string[] => {
			const names = value(name)
				.split(/[\s,]+/)
				.filter((each) => each !== '');
			if (names.some((each) => !NAME.test(each))) refuse(name, `names separated by commas, each ${NAME_FORM}`);
			else if (names.some(isCommandKey)) refuse(name, `names separated by commas, each ${RESERVED}`);
			return names;
		},
		label: (name: InputName): string => {
			const given = value(name);
			if (CONTROL.test(given) || [...given].length > LABEL_LENGTH)
				refuse(name, `a label of up to ${LABEL_LENGTH} characters`);
			return given;
		},
		/** The booleans of YAML 1.2's core schema, which GitHub's own toolkit reads too. */
		truth: (name: InputName): boolean => {
			const given = value(name);
			if (/^(true|True|TRUE)$/.test(given)) return true;
			if (!/^(false|False|FALSE)$/.test(given)) refuse(name, 'true or false');
			return false;
		},
		option: (option: InputOption): string | undefined => {
			const name = inputOf(option);
			const { kind } = optionOf(option);
			if (kind.text === 'line') return text(name, kind.form);
			if (kind.text === 'revision') return revision(name, option === 'base' ? 'base' : 'head');
			// A YAML block with one name a line is as good as commas.
			const given = kind.text === 'names' ? value(name).replace(/[ \t]*,?[ \t]*\r?\n\s*/g, ',') : value(name);
			return given || undefined;
		},
		count: (name: 'shards' | 'shard'): number | null | undefined => {
			const { kind } = OPTIONS[name];
			const given = value(name);
			if (given === '') return undefined;
			const read = kind.parse(given);
			return read === undefined ? refuse(name, kind.form) : read;
		},
		token: (name: InputName): string => {
			const given = value(name);
			// The value stays out of the message: logs are public.
			if (/[\s\p{Cc}]/u.test(given))
				problems.push(`input ${name}: not allowed; one token without spaces or line breaks`);
			return given;
		},
	};
}

/**
 * Returns the action's inputs as the runner passes them (`INPUT_*` variables). To be called before `takeSecrets`, which
 * removes the token's variable.
 *
 * @throws UserError `bad-input` as `parseInputs` does.
 */
export function readInputs(): ActionInputs {
	return parseInputs(Object.fromEntries(INPUT_NAMES.map((name) => [name, getInput(name)])));
}

/** Returns the options that a comment gives, to stand in the place of the inputs of both; empty without a command. */
export function optionsIn(command: BenchCommand | null): Readonly<Partial<Record<InputOption, string>>> {
	const { scenarios = [], threshold } = command ?? {};
	return {
		...(scenarios.length > 0 && { scenario: scenarios.join(',') }),
		...(threshold !== undefined && { threshold }),
	};
}
