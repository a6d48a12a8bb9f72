import { posix } from 'node:path';
import type { ConfigFile } from '../../config/file/config-file.ts';
import { parseConfig } from '../../config/file/parse-config.ts';
import { loadCatalogue } from '../../config/load-catalogue.ts';
import { CONFIG_NAMES, onlyConfig } from '../../config/load-config.ts';
import { inputOf } from '../../config/option-names.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { type BenchCommand, type GateMode, type MeasuredRun, PULL_REQUEST_EVENTS } from '../../types/action-run.ts';
import type { Config, InconclusivePolicy } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import { isCommandKey } from '../request/bench-command.ts';
import { DECIDING, optionsIn } from '../request/deciding-options.ts';
import { type ActionInputs, type InputName, parseInputs } from '../request/inputs.ts';
import type { BaseBranch, FoundBase } from './base-branch.ts';
import { doubtChanges, noteChanges } from './doubt-changes.ts';
import { type Call, chooseCall } from './measuring-workflow.ts';

/** What a report is held to. Nothing of it comes from an artifact. */
export interface Rules {
	readonly gate: GateMode;
	readonly onInconclusive: InconclusivePolicy;
	/** What the base branch asks for; null when that cannot be known. */
	readonly config: Config | null;
	/** Where it says so, for sentences: `benchgate.yml on main`. */
	readonly source: string;
	/** What is said, without consequence. */
	readonly notes: readonly Warning[];
	/** What could not be verified, in whole sentences: with any of them nothing is concluded as success. */
	readonly doubts: readonly string[];
}

/** The inputs of the reporting job that say what it expects. */
type Wishes = Pick<ActionInputs, 'gate' | 'onInconclusive' | 'options'>;
type Options = ActionInputs['options'];

/** Whose rules are asked for. */
interface Asked {
	/** Comment key of the measuring job, also where a comment gave its report another one. */
	readonly key: string;
	/** What a comment asked of the attempt; null when none did. */
	readonly command?: BenchCommand | null;
}

/**
 * Returns the rules for the report with this comment key: what the reporting job's own inputs say, else how the base branch's
 * version of the measuring workflow calls benchgate, else the base branch's config, else defaults. What the measuring job was
 * told is not asked: the pull request may have told it. What a comment asked for counts before all of that, and never enforces.
 *
 * @throws UserError for an installation that is not whole.
 */
export async function rulesFor(
	found: FoundBase,
	measured: MeasuredRun,
	wishes: Wishes,
	{ key, command = null }: Asked,
): Promise<Rules> {
	const rules = await deriveRules(found, measured, wishes, { key, command });
	return command === null ? rules : { ...rules, gate: 'advisory' };
}

async function deriveRules(
	found: FoundBase,
	measured: MeasuredRun,
	wishes: Wishes,
	asked: Required<Asked>,
): Promise<Rules> {
	const enforced: GateMode = PULL_REQUEST_EVENTS.includes(measured.event) ? 'enforce' : 'advisory';
	const plain: Rules = {
		gate: wishes.gate ?? enforced,
		onInconclusive: wishes.onInconclusive ?? 'pass',
		config: null,
		source: '',
		notes: [],
		doubts: [],
	};
	if (found === 'none') {
		return enforced === 'advisory'
			? plain
			: { ...plain, doubts: ['The base branch is gone, so nothing was verified.'] };
	}
	if ('unreadable' in found)
		return { ...plain, doubts: ['The base branch could not be read, so nothing was verified.'] };
	const changes = doubtChanges(found);
	const told = readInputs(found, wishes, asked);
	if ('doubt' in told) return { ...plain, doubts: [told.doubt, ...changes] };
	const gate = wishes.gate ?? told.inputs.gate ?? enforced;
	const onInconclusive = wishes.onInconclusive ?? told.inputs.onInconclusive ?? 'pass';
	const derived = await deriveConfig(found, told);
	if ('doubt' in derived) {
		const adopted = derived.adoption ? (wishes.gate ?? 'advisory') : gate;
		return { ...plain, gate: adopted, onInconclusive, doubts: [derived.doubt, ...changes] };
	}
	const { config, source, path } = derived;
	return {
		gate,
		onInconclusive: config.gate.onInconclusive,
		config,
		source,
		notes: told.inputs.configFrom === 'head' ? [] : noteChanges(found, path, source),
		doubts: changes,
	};
}

/** What the measuring job is to be told, by those who may say so. */
interface Told {
	readonly inputs: ActionInputs;
	/** With what the reporting job says on top. */
	readonly options: Options;
}

/** An open question, as a sentence. */
interface Doubt {
	readonly doubt: string;
	/** Whether the pull request brings the first config there is. */
	readonly adoption?: boolean;
}

function readInputs(
	{ branch, workflow, calls }: BaseBranch,
	wishes: Wishes,
	{ key, command }: Required<Asked>,
): Told | Doubt {
	const call = chooseCall(calls ?? [], key);
	const wished = DECIDING.filter((name) => wishes.options[name] !== undefined);
	if (call === null && wished.length === 0) {
		const file = workflow === null ? 'the measuring workflow' : workflow;
		const why =
			calls === null
				? `${branch.name} has no ${file}`
				: `${file} on ${branch.name} does not show how it calls benchgate`;
		return { doubt: `Nobody can tell what should have been measured: ${why}. ${HELP}` };
	}
	const commanded = optionsIn(command);
	const open = openIn(call, [...wished, ...Object.keys(commanded)]);
	if (open.length > 0) {
		const names = open.join(', ');
		return { doubt: `Nobody can tell what should have been measured: ${workflow} computes ${names}. ${HELP}` };
	}
	try {
		const inputs = parseInputs({ ...call?.inputs });
		const options = { ...inputs.options };
		for (const name of wished) options[name] = wishes.options[name];
		Object.assign(options, commanded);
		if (wishes.onInconclusive !== undefined) options.onInconclusive = wishes.onInconclusive;
		return { inputs, options };
	} catch (error) {
		if (!isUserError(error)) throw error;
		return { doubt: `The inputs in ${workflow} on ${branch.name} cannot be read: ${error.message}` };
	}
}

const HELP = 'Give the reporting job the same inputs as the measuring job (docs/fork-pull-requests.md).';

function openIn(call: Call | null, known: readonly string[]): readonly InputName[] {
	const deciding = DECIDING.filter((name) => !known.includes(name)).map((name): InputName => inputOf(name));
	return call?.open.filter((name) => deciding.includes(name) || name === 'config-from') ?? [];
}

interface Derived {
	readonly config: Config;
	readonly source: string;
	/** Paths a config may have; those that count when a pull request changes them. */
	readonly path: readonly string[];
}

async function deriveConfig(base: BaseBranch, { inputs, options }: Told): Promise<Derived | Doubt> {
	const { branch } = base;
	const named = options.config === undefined ? null : posix.normalize(options.config);
	if (named !== null && /^(?:\.\.\/|\/|git:)/.test(named)) {
		return { doubt: `The config ${named} is no file of the repository, so nobody can tell what it asks for.` };
	}
	const path = named === null ? CONFIG_NAMES : [named];
	const from = inputs.configFrom;
	const place = from === 'base' ? `on ${branch.name}` : 'on head';
	try {
		const catalogue = await loadCatalogue(TOOL_ROOT);
		const texts = await Promise.all(path.map(async (each) => [each, await base.read(each, from)] as const));
		const there = texts.filter(([, text]) => text !== null);
		const name = onlyConfig(
			there.map(([each]) => each),
			place,
		);
		const text = there[0]?.[1] ?? null;
		if (text === null && brings(base, path)) return { doubt: firstConfig(branch.name), adoption: true };
		if (text === null && named !== null) {
			return { doubt: `There is no ${named} on ${branch.name}, so nobody can tell what should have been measured.` };
		}
		const file = text === null ? null : parseConfig(text, `${name} ${place}`, catalogue);
		const subjectName = await readSubjectName(base, from, options, file);
		const config = resolveConfig(file, { ...textsOf(options), subjectName, spelling: 'input' }, catalogue, () => 0);
		return { config, source: file?.file ?? "benchgate's default config", path };
	} catch (error) {
		if (!isUserError(error) || error.code === 'incomplete-installation') throw error;
		return { doubt: `Nobody can tell what should have been measured: ${error.message.split('\n')[0]}.` };
	}
}

function brings({ changed }: BaseBranch, paths: readonly string[]): boolean {
	return changed?.paths.some((each) => paths.includes(each)) ?? false;
}

function firstConfig(branch: string): string {
	return `${branch} has no config yet, so the one of this pull request held. Once it is merged, later changes are held to it.`;
}

function textsOf(options: Options): Options {
	const { base: _base, head: _head, config: _config, ...rest } = options;
	return { ...rest, base: undefined, head: undefined, config: undefined };
}

/** What chooses the built-in servers when none is named. */
async function readSubjectName(
	{ read }: BaseBranch,
	from: 'base' | 'head',
	{ subject }: Options,
	file: ConfigFile | null,
): Promise<string | undefined> {
	const text = await read(posix.join(subject ?? file?.subject ?? '.', 'package.json'), from);
	try {
		const { name } = JSON.parse(text ?? '{}') as { readonly name?: unknown };
		return typeof name === 'string' ? name : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the comment keys that the base branch's workflow gives as plain values. */
export function keysIn(found: FoundBase): readonly string[] {
	if (found === 'none' || 'unreadable' in found) return [];
	const keys = (found.calls ?? []).flatMap(({ inputs }) => inputs['comment-key'] ?? []);
	return keys.filter((key) => !isCommandKey(key));
}
