import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/parse-config.ts';
import { loadCatalogue } from '../../config/load-catalogue.ts';
import { drawSeed, guessSubjectName } from '../../config/load-request.ts';
import { explainTextsOf, type Flags } from '../../config/read-flags.ts';
import { repeatCommand } from '../../config/repeat-command.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import type { AskedCells, SideCells } from '../../plan/plan-cells.ts';
import { parseManifest } from '../../prepare/package/manifest.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import type { BenchCommand } from '../../types/action-run.ts';
import type { Config } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import { otherSide, SIDES, type Side, type Sides, type Warning } from '../../types/units.ts';
import { fetchCommits, findHash, isHere } from '../commits/fetch-commits.ts';
import { ask, type GitAccess } from '../commits/git-access.ts';
import { type ActionInputs, explainIn, optionsIn } from '../request/inputs.ts';
import { describeChanges } from './describe-changes.ts';
import { type FindLine, findConfigs, findLines } from './find-configs.ts';
import { fitCommand } from './fit-command.ts';
import { cellsOfMergeBase, type MergedConfig, mergeConfigs, parseSides, type SideFiles } from './merge-configs.ts';

interface ResolvedRun {
	readonly revisions: Sides<string>;
	readonly configFlag: string | undefined;
	readonly file: ConfigFile | null;
	readonly config: Config;
	readonly sideConfigs: Sides<readonly SideCells[]> | undefined;
	readonly options: ActionInputs['options'];
}

type Resolved = Pick<MergedConfig, 'config'> & Partial<MergedConfig>;

export interface SideConfigOptions {
	readonly access: GitAccess;
	readonly inputs: ActionInputs;
	/** Its `scenarios` and `threshold`, if given, replace the inputs. */
	readonly command: BenchCommand | null;
	readonly revisions: Sides<string>;
	/** Tip of the target branch, as a commit or `git:REF`. Base's config is read there; if null, at base itself. */
	readonly baseTip: string | null;
}

export interface SideConfig extends AskedCells {
	/** Head changes the config, so the run cannot end with "nothing relevant changed". */
	readonly relevantChange: boolean;
	/** The base branch has no valid config, so the run only informs, even if the gate is enforced. */
	readonly adopting: boolean;
	readonly warnings: readonly Warning[];
	readonly reproduce: string;
	/** Revision with the config that applies. It provides the bench servers of both sides. */
	readonly harnessFrom: string | undefined;
	readonly lineOf: FindLine;
}

/**
 * Returns the config of a comparison: the target branch's (else base's), so a looser threshold counts only once
 * merged; with `config-from: head`, head's. Head also runs its additions. If one side has none, the other's applies; if
 * head's replaces a missing or unreadable one of the target branch, the run is `adopting`.
 *
 * @throws UserError for invalid inputs and configs, including head's.
 */
export async function loadSideConfig(options: SideConfigOptions): Promise<SideConfig> {
	const { access, inputs, revisions, baseTip } = options;
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const tip = baseTip === null ? null : await findHash(baseTip, 'base', access);
	const configs = await findConfigs(access, { file: inputs.options.config, revisions, tip });
	const files = parseSides(configs, catalogue, inputs.configFrom, tip !== null);
	const { holding, adopting } = files;
	const [file, other] = [files[holding], files[otherSide(holding)]];
	const subject = inputs.options.subject ?? file?.subject ?? '.';
	const flags = flagsOf(options, await findSubjectName(access, tip, revisions.head, subject));
	const merged: Resolved = fitCommand(options.command, [file, other], catalogue, () =>
		file === null || other === null || configs.shared
			? { config: resolveConfig(file, flags, catalogue, drawSeed) }
			: mergeConfigs(holding, file, other, flags, catalogue),
	);
	const { config, sideConfigs, own } = merged;
	const mergeBase = cellsOfMergeBase(files, flags, catalogue);
	return {
		config,
		sideConfigs,
		mergeBase,
		relevantChange: adopting || isRelevant(files),
		adopting,
		warnings: [...files.warnings, ...describeChanges(files, configs, own ? { own, mergeBase } : null)],
		reproduce: repeatRun(
			{ revisions, config, sideConfigs, configFlag: configs[holding].flag, file, options: inputs.options },
			catalogue,
		),
		harnessFrom: findHarnessRevision(revisions, tip, configs.shared ? 'shared' : holding),
		lineOf: findLines(configs.head.text),
	};
}

/** A shared workspace file is in no commit, so without a tip no revision has the bench servers. */
function findHarnessRevision(
	revisions: Sides<string>,
	tip: string | null,
	holding: Side | 'shared',
): string | undefined {
	if (holding === 'head') return revisions.head;
	if (tip !== null) return `git:${tip}`;
	return holding === 'base' ? revisions.base : undefined;
}

/** A head with the config of base or the merge base changes none. */
function isRelevant({ base, head, mergeBase }: SideFiles): boolean {
	const meaning = meaningOf(head);
	return ![base, ...(mergeBase === undefined ? [] : [mergeBase])].some((one) =>
		isDeepStrictEqual(meaningOf(one), meaning),
	);
}

function meaningOf(file: ConfigFile | null): Omit<ConfigFile, 'file'> | null {
	if (file === null) return null;
	const { file: _, ...meaning } = file;
	return meaning;
}

function flagsOf({ inputs, command }: SideConfigOptions, subjectName: string | undefined): Flags {
	return { ...inputs.options, ...optionsIn(command), subjectName, spelling: 'input' };
}

/** Leaves out cells of one side, because a clone has only one config. */
function repeatRun(run: ResolvedRun, catalogue: Catalogue): string {
	const { revisions, configFlag, file, config, sideConfigs, options } = run;
	return repeatCommand({
		command: 'compare',
		given: { ...revisions, config: configFlag, node: options.node, ...explainTextsOf(explainIn(options)) },
		config: { ...config, ...(sideConfigs && cellsOfBoth(config, sideConfigs)) },
		resolve: (flags) => resolveConfig(file, flags, catalogue, () => config.seed),
	});
}

function cellsOfBoth(config: SideCells, sides: Sides<readonly SideCells[]>): SideCells {
	const onBoth = (key: keyof SideCells, name: string) =>
		SIDES.every((side) => sides[side].some((one) => one[key].some((element) => element.name === name)));
	return {
		servers: config.servers.filter(({ name }) => onBoth('servers', name)),
		scenarios: config.scenarios.filter(({ name }) => onBoth('scenarios', name)),
	};
}

/**
 * The name of the package under test, which chooses the default servers. The target branch's counts: head could
 * rename itself.
 *
 * @param tip Full hash; null if there is no target branch.
 */
async function findSubjectName(
	access: GitAccess,
	tip: string | null,
	head: string,
	subject: string,
): Promise<string | undefined> {
	const name = tip === null || head.startsWith('npm:') ? undefined : await nameAt(access, tip, subject);
	return name ?? guessSubjectName(access.workspace, head, subject);
}

async function nameAt(access: GitAccess, tip: string, subject: string): Promise<string | undefined> {
	if (!(await isHere(access, tip))) await fetchCommits([{ sha: tip, side: 'base' }], access);
	const path = posix.join(subject, 'package.json');
	const text = await ask(access, 'cat-file', 'blob', `${tip}:./${path}`);
	if (text === null) return undefined;
	try {
		const name: unknown = parseManifest(text, path).name;
		return typeof name === 'string' ? name : undefined;
	} catch (error) {
		if (isUserError(error)) return undefined;
		throw error;
	}
}
