import { getInput } from '@actions/core';
import { formatValue } from '../../config/file/problem.ts';
import {
	INPUT_OPTIONS,
	type InputOption,
	inputOf,
	type OptionInput,
	type OptionTexts,
	optionOf,
} from '../../config/option-names.ts';
import { oneOf } from '../../config/options/option-kinds.ts';
import { OPTIONS } from '../../config/options.ts';
import { formFor, readFlags } from '../../config/read-flags.ts';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import { isSafeUrl } from '../../text/escape.ts';
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

/** Inputs on the main branch's drift. They do not affect the measurement. */
export const DRIFT_INPUTS: readonly InputOption[] = ['drift', 'driftThreshold'];

/** Inputs that decide rows, runtimes and judgement. The measuring and the reporting workflow need the same values. */
export const DECIDING: readonly InputOption[] = [
	...(['config', 'server', 'scenario', 'subject'] as const),
	...(['threshold', 'tolerance', 'budget', 'design'] as const),
	...(['runtime', 'baseRuntime', 'headRuntime'] as const),
	...DRIFT_INPUTS,
];

/** The default of the token is in action.yml. */
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
	dashboard: '',
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

/** A test compares these defaults with action.yml. */
export const INPUT_DEFAULTS: Readonly<Record<InputName, string>> = {
	...OWN_DEFAULTS,
	...(Object.fromEntries(INPUT_OPTIONS.map(([name]) => [inputOf(name), ''])) as Record<OptionInput, string>),
};
export const INPUT_NAMES = Object.keys(INPUT_DEFAULTS) as InputName[];

export interface ActionInputs {
	readonly mode: ActionMode;
	/** Text, as for command-line flags; undefined when empty. */
	readonly options: { readonly [K in InputOption]: string | undefined };
	/** Parsed, because runs that measure nothing need it too. */
	readonly onInconclusive: InconclusivePolicy | undefined;
	readonly configFrom: ConfigSource;
	/** Undefined: enforce for pull requests and merge groups, advisory elsewhere. */
	readonly gate: GateMode | undefined;
	readonly comment: CommentPolicy;
	/** Separates the comments of one pull request. */
	readonly commentKey: string;
	/** Further keys that artifacts may have in the reporting job. */
	readonly commentKeys: readonly string[];
	readonly checkRun: boolean;
	readonly artifactName: string;
	readonly skipUnchanged: boolean;
	readonly acceptLabel: string;
	/** Address of the published dashboard, to which rows of comments link. */
	readonly dashboard: string | undefined;
	/** File name of the measuring workflow. A `/benchgate` command starts it again. */
	readonly workflow: string;
	readonly store: string;
	/** Folder with the measuring job's artifact. */
	readonly records: string;
	readonly site: string;
	/** Number of machines; null if it is chosen by cost. */
	readonly shards: number | null;
	/** Counts from 1; undefined if the job is no shard. */
	readonly shard: number | undefined;
	/** Folder with the previous jobs' files. */
	readonly shardFiles: string;
	/** Never logged or passed to children; empty when not given. */
	readonly token: string;
}

/** A valid name in artifacts, HTML comments and file systems. */
const NAME = /^(?!\.)[A-Za-z0-9._-]{1,64}$/;
const NAME_FORM = 'up to 64 letters, digits, ".", "_" and "-", not beginning with "."';
const RESERVED = 'a name that does not end in "command": those are the keys of /benchgate comments';
const WORKFLOW = /^[A-Za-z0-9._-]{1,100}\.ya?ml$/;
const WORKFLOW_FORM = 'the name of a file in .github/workflows, such as benchgate.yml, without its folder';
/** GitHub's limit for labels. */
const LABEL_LENGTH = 50;
const CONTROL = /\p{Cc}/u;

/**
 * Returns the checked inputs, with defaults. An empty input counts as not given, so a reusable workflow can pass
 * on its own.
 *
 * @throws UserError `bad-input` with one line per problem.
 */
export function parseInputs(raw: Readonly<Record<string, string>>): ActionInputs {
	const problems: string[] = [];
	const read = readerOf(raw, problems);
	const options = Object.fromEntries(
		INPUT_OPTIONS.map(([name]) => [name, read.option(name)]),
	) as ActionInputs['options'];
	// Parsed here, so all problems are listed together before anything starts.
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
		dashboard: read.address('dashboard'),
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
		const inputText = value(name);
		if (CONTROL.test(inputText)) return refuse(name, `${form}, on one line`);
		return inputText || undefined;
	};
	const word = <T extends string>(name: InputName, words: readonly T[]): T | undefined => {
		const inputText = value(name);
		if (inputText === '') return undefined;
		const kind = oneOf(words);
		return kind.parse(inputText) ?? refuse(name, formFor(inputText, kind));
	};
	const revision = (name: InputName, side: Side): string | undefined => {
		const inputText = text(name, 'a revision');
		if (inputText === undefined) return undefined;
		if (inputText.startsWith('-')) return refuse(name, 'a branch, tag or commit, or a revision with its prefix');
		try {
			parseRevision(inputText, side);
		} catch (error) {
			if (!isUserError(error)) throw error;
			return refuse(name, error.remedy ?? error.message);
		}
		return inputText;
	};
	return {
		word,
		text,
		/** Also returns a refused value, because `inputs` must be complete. */
		name: (name: InputName): string => {
			if (!NAME.test(value(name))) refuse(name, NAME_FORM);
			return value(name);
		},
		key: (name: InputName): string => {
			const inputText = value(name);
			if (!NAME.test(inputText)) refuse(name, NAME_FORM);
			else if (isCommandKey(inputText)) refuse(name, RESERVED);
			return inputText;
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
			const inputText = value(name);
			if (CONTROL.test(inputText) || [...inputText].length > LABEL_LENGTH)
				refuse(name, `a label of up to ${LABEL_LENGTH} characters`);
			return inputText;
		},
		address: (name: InputName): string | undefined => {
			const inputText = value(name);
			if (inputText === '' || isSafeUrl(inputText)) return inputText || undefined;
			return refuse(name, 'an address such as https://owner.github.io/repository/');
		},
		/** Accepts the booleans of YAML 1.2's core schema, as GitHub's toolkit does. */
		truth: (name: InputName): boolean => {
			const inputText = value(name);
			if (/^(true|True|TRUE)$/.test(inputText)) return true;
			if (!/^(false|False|FALSE)$/.test(inputText)) refuse(name, 'true or false');
			return false;
		},
		option: (option: InputOption): string | undefined => {
			const name = inputOf(option);
			const { kind } = optionOf(option);
			if (kind.text === 'line') return text(name, kind.form);
			if (kind.text === 'revision') return revision(name, option === 'base' ? 'base' : 'head');
			// The names may be in a YAML block, one per line.
			const inputText = kind.text === 'names' ? value(name).replace(/[ \t]*,?[ \t]*\r?\n\s*/g, ',') : value(name);
			return inputText || undefined;
		},
		count: (name: 'shards' | 'shard'): number | null | undefined => {
			const { kind } = OPTIONS[name];
			const inputText = value(name);
			if (inputText === '') return undefined;
			const read = kind.parse(inputText);
			return read === undefined ? refuse(name, kind.form) : read;
		},
		token: (name: InputName): string => {
			const inputText = value(name);
			// The value must not be in the message, because logs are public.
			if (/[\s\p{Cc}]/u.test(inputText))
				problems.push(`input ${name}: not allowed; one token without spaces or line breaks`);
			return inputText;
		},
	};
}

/**
 * Reads the runner's `INPUT_*` variables. Call it before `takeSecrets`, which removes the token's variable.
 *
 * @throws UserError `bad-input`.
 */
export function readInputs(): ActionInputs {
	return parseInputs(Object.fromEntries(INPUT_NAMES.map((name) => [name, getInput(name)])));
}

/** Returns a command's options, which replace the inputs. */
export function optionsIn(command: BenchCommand | null): Readonly<Partial<Record<InputOption, string>>> {
	const { scenarios = [], threshold } = command ?? {};
	return {
		...(scenarios.length > 0 && { scenario: scenarios.join(',') }),
		...(threshold !== undefined && { threshold }),
	};
}

/** Returns how rows are explained: in a workflow with a proof, or else a profile. */
export function explainIn({ explain, explainBudget }: ActionInputs['options']): OptionTexts {
	return { explain, explainBudget, ...(explain !== 'never' && { prove: 'auto', profile: 'auto' }) };
}
