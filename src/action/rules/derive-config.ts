import { posix } from 'node:path';
import type { Catalogue } from '../../config/catalogue.ts';
import { type ConfigFile, parseConfig } from '../../config/file/parse-config.ts';
import { loadCatalogue } from '../../config/load-catalogue.ts';
import { CONFIG_NAMES, onlyConfig } from '../../config/load-config.ts';
import { explainTextsOf } from '../../config/read-flags.ts';
import { repeatCommand } from '../../config/repeat-command.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { parseJson } from '../../text/json.ts';
import type { BenchCommand, ConfigSource } from '../../types/action-run.ts';
import type { Config } from '../../types/config.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import type { Sides } from '../../types/units.ts';
import { type FindLine, findLines } from '../config/find-configs.ts';
import { fitCommand } from '../config/fit-command.ts';
import { type ActionInputs, explainIn } from '../request/inputs.ts';
import type { BaseBranch } from './base-branch.ts';
import type { Doubt, Told } from './told-inputs.ts';

type Options = ActionInputs['options'];

export interface Derived {
	readonly config: Config;
	readonly source: string;
	readonly repeat: (revisions: Sides<string>, seed: number) => string;
	readonly path: readonly string[];
	readonly places: HeadPlaces;
}

/** Places for annotations. */
export interface HeadPlaces {
	readonly configPath: string;
	readonly findLines: () => Promise<FindLine>;
}

/**
 * Returns the base branch's config with these inputs, or a doubt, with the error of a command.
 *
 * @param headSha Used for `config-from: head`.
 */
export async function deriveConfig(
	base: BaseBranch,
	{ inputs, options }: Told,
	headSha: string,
	command: BenchCommand | null,
): Promise<Derived | (Doubt & { readonly misfit?: UserError })> {
	const { branch } = base;
	const named = options.config === undefined ? null : posix.normalize(options.config);
	if (named !== null && /^(?:\.\.\/|\/|git:)/.test(named)) {
		return { doubt: `The config ${named} is no file of the repository, so its settings are unknown.` };
	}
	const path = named === null ? CONFIG_NAMES : [named];
	const from = inputs.configFrom;
	try {
		const catalogue = await loadCatalogue(TOOL_ROOT);
		const read = await readConfig(base, path, from, catalogue);
		if ('broken' in read) return { doubt: unreadableConfig(branch.name, read.broken), adoption: true };
		const { file, name } = read;
		if (file === null && brings(base, path)) return { doubt: firstConfig(branch.name), adoption: true };
		if (file === null && named !== null) {
			return { doubt: `There is no ${named} on ${branch.name}, so the rows to measure are unknown.` };
		}
		const subjectName = await readSubjectName(base, from, options, file);
		const texts = { ...textsOf(options), subjectName, spelling: 'input' } as const;
		const config = fitCommand(command, [file], catalogue, () => resolveConfig(file, texts, catalogue, () => 0));
		const at = from === 'base' ? branch.sha : headSha;
		const repeat: Derived['repeat'] = (revisions, seed) =>
			repeatCommand({
				command: 'compare',
				given: {
					...revisions,
					...{ config: name === null ? undefined : `git:${at}:${name}`, node: options.node },
					...explainTextsOf(explainIn(options)),
				},
				config: { ...config, seed },
				resolve: (texts) => resolveConfig(file, texts, catalogue, () => seed),
			});
		return {
			config,
			source: file?.file ?? "benchgate's default config",
			repeat,
			path,
			places: placesOfHead(base, name ?? path[0]),
		};
	} catch (error) {
		if (!isUserError(error) || error.code === 'incomplete-installation') throw error;
		const doubt = `The rows to measure are unknown: ${error.message.split('\n')[0]}.`;
		return { doubt, ...(error.code === 'bad-command' && { misfit: error }) };
	}
}

/**
 * A broken config of the base branch must not block its repair. One of head throws.
 */
async function readConfig(
	{ branch, read }: BaseBranch,
	paths: readonly string[],
	from: ConfigSource,
	catalogue: Catalogue,
): Promise<{ readonly file: ConfigFile | null; readonly name: string | null } | { readonly broken: UserError }> {
	const place = from === 'base' ? `on ${branch.name}` : 'on head';
	const texts = await Promise.all(paths.map(async (each) => [each, await read(each, from)] as const));
	const there = texts.flatMap(([each, text]) => (text === null ? [] : [{ each, text }]));
	try {
		const name = onlyConfig(
			there.map(({ each }) => each),
			place,
		);
		const [only] = there;
		if (only === undefined) return { file: null, name: null };
		return { file: parseConfig(only.text, `${name} ${place}`, catalogue), name: only.each };
	} catch (error) {
		if (!isUserError(error) || from === 'head') throw error;
		return { broken: error };
	}
}

function unreadableConfig(branch: string, { message }: UserError): string {
	return `The config on ${branch} cannot be read, so the one of this change applied: ${message.split('\n')[0]}`;
}

function placesOfHead({ read }: BaseBranch, configPath: string = CONFIG_NAMES[0]): HeadPlaces {
	return {
		configPath,
		findLines: async () => {
			const text = await read(configPath, 'head').catch(() => null);
			return findLines(text === null ? null : { name: configPath, path: configPath, text });
		},
	};
}

function brings({ changed }: BaseBranch, paths: readonly string[]): boolean {
	return changed.paths.some((each) => paths.includes(each));
}

function firstConfig(branch: string): string {
	return `${branch} has no config yet, so the one of this change applied. Once it is merged, it applies to later changes.`;
}

function textsOf(options: Options): Options {
	const { base: _base, head: _head, config: _config, ...rest } = options;
	return { ...rest, base: undefined, head: undefined, config: undefined };
}

/** The package name, which chooses the default servers. */
async function readSubjectName(
	{ read }: BaseBranch,
	from: 'base' | 'head',
	{ subject }: Options,
	file: ConfigFile | null,
): Promise<string | undefined> {
	const text = await read(posix.join(subject ?? file?.subject ?? '.', 'package.json'), from);
	try {
		const { name } = parseJson(text ?? '{}') as { readonly name?: unknown };
		return typeof name === 'string' ? name : undefined;
	} catch {
		return undefined;
	}
}
