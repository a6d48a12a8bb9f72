import { formatValue } from '../../config/file/problem.ts';
import { type Flags, type FlagValues, readFlags } from '../../config/read-flags.ts';
import { suggest } from '../../config/suggest.ts';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import {
	ACTION_MODES,
	type ActionInputs,
	COMMENT_POLICIES,
	CONFIG_SOURCES,
	GATE_MODES,
} from '../../types/action-run.ts';
import { isUserError, UserError } from '../../types/errors.ts';

/** Every input with what holds when it is empty, as action.yml says (a test compares). The token's default is the platform's. */
export const INPUT_DEFAULTS = {
	mode: 'auto',
	config: '',
	'config-from': 'base',
	subject: '',
	servers: '',
	scenarios: '',
	threshold: '',
	tolerance: '',
	budget: '',
	design: '',
	base: '',
	head: '',
	node: '',
	'on-inconclusive': '',
	gate: '',
	comment: 'always',
	'comment-key': 'default',
	'check-run': 'true',
	'artifact-name': 'benchgate',
	'github-token': '',
	seed: '',
	'accept-label': 'benchgate: accepted',
	'skip-unchanged': 'true',
} as const satisfies Record<string, string>;

export type InputName = keyof typeof INPUT_DEFAULTS;
export const INPUT_NAMES = Object.keys(INPUT_DEFAULTS) as InputName[];

/** Characters GitHub allows everywhere such a name goes: artifact, HTML comment, file. */
const NAME = /^(?!\.)[A-Za-z0-9._-]{1,64}$/;
const NAME_FORM = 'up to 64 letters, digits, ".", "_" and "-", not beginning with "."';
/** GitHub's own limit for labels. */
const LABEL_LENGTH = 50;
const CONTROL = /\p{Cc}/u;
/** The engine calls some of our inputs by the names of its flags. */
const INPUT_OF_FLAG: Readonly<Partial<Record<keyof Flags, InputName>>> = {
	server: 'servers',
	scenario: 'scenarios',
	onInconclusive: 'on-inconclusive',
};

/**
 * Returns the inputs, checked and with defaults filled in. An empty input counts as not given, so that a reusable workflow
 * can pass its own on. What is checked against files or a catalogue (names, paths) stays for the engine.
 *
 * @throws UserError `bad-input` with one line per problem: input, value, allowed form, nearest valid word.
 */
export function parseInputs(raw: Readonly<Record<string, string>>): ActionInputs {
	const problems: string[] = [];
	const read = readerOf(raw, problems);
	const engine = engineInputs(read);
	const { onInconclusive } = readEngineInputs(engine, problems);
	const inputs: ActionInputs = {
		mode: read.word('mode', ACTION_MODES) ?? 'auto',
		config: read.text('config', 'a path'),
		subject: read.text('subject', 'a folder'),
		...engine,
		onInconclusive,
		base: read.revision('base'),
		head: read.revision('head'),
		node: read.text('node', 'a path'),
		configFrom: read.word('config-from', CONFIG_SOURCES) ?? 'base',
		gate: read.word('gate', GATE_MODES),
		comment: read.word('comment', COMMENT_POLICIES) ?? 'always',
		commentKey: read.name('comment-key'),
		checkRun: read.truth('check-run'),
		artifactName: read.name('artifact-name'),
		skipUnchanged: read.truth('skip-unchanged'),
		acceptLabel: read.label('accept-label'),
		token: read.token('github-token'),
	};
	if (problems.length > 0) throw new UserError({ code: 'bad-input', message: problems.join('\n') });
	return inputs;
}

/** Inputs that the engine reads again later. */
type EngineInputs = Pick<
	ActionInputs,
	'servers' | 'scenarios' | 'threshold' | 'tolerance' | 'budget' | 'design' | 'seed'
> & { readonly onInconclusive: string | undefined };

function engineInputs(read: Reader): EngineInputs {
	const value = (name: InputName) => read.value(name) || undefined;
	// A YAML block with one name a line is as good as commas.
	const list = (name: InputName) => value(name)?.replace(/[ \t]*,?[ \t]*\r?\n\s*/g, ',');
	return {
		servers: list('servers'),
		scenarios: list('scenarios'),
		threshold: value('threshold'),
		tolerance: value('tolerance'),
		budget: value('budget'),
		design: value('design'),
		seed: value('seed'),
		onInconclusive: value('on-inconclusive'),
	};
}

/** Reads them here as well, so that their problems are said together with all others and before anything starts. */
function readEngineInputs(inputs: EngineInputs, problems: string[]): FlagValues {
	const { servers: server, scenarios: scenario, ...others } = inputs;
	const flags: Flags = { server, scenario, ...others };
	return readFlags(flags, (flag, message) =>
		problems.push(`input ${INPUT_OF_FLAG[flag] ?? flag} ${formatValue(flags[flag])}: ${message}`),
	);
}

type Reader = ReturnType<typeof readerOf>;

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
		return words.find((candidate) => candidate === given) ?? refuse(name, oneOf(given, words));
	};
	return {
		value,
		text,
		word,
		/** A name that holds even where it is refused, so that the result is complete. */
		name: (name: InputName): string => {
			if (!NAME.test(value(name))) refuse(name, NAME_FORM);
			return value(name);
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
		revision: (name: 'base' | 'head'): string | undefined => {
			const given = text(name, 'a revision');
			if (given === undefined) return undefined;
			if (given.startsWith('-')) return refuse(name, 'a branch, tag or commit, or a revision with its prefix');
			try {
				parseRevision(given, name);
			} catch (error) {
				if (!isUserError(error)) throw error;
				return refuse(name, error.remedy ?? error.message);
			}
			return given;
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

function oneOf(given: string, words: readonly string[]): string {
	const nearest = suggest(given, words);
	return `one of ${words.join(', ')}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}
