import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/config-file.ts';
import { loadCatalogue } from '../../config/load-catalogue.ts';
import { drawSeed, guessSubjectName } from '../../config/load-request.ts';
import type { Flags } from '../../config/read-flags.ts';
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
import { type ActionInputs, optionsIn } from '../request/inputs.ts';
import { describeChanges } from './describe-changes.ts';
import { type FindLine, findConfigs, findLines } from './find-configs.ts';
import { cellsOfMergeBase, mergeConfigs, parseSides, type SideFiles } from './merge-configs.ts';

/** A comparison as the action resolved it. */
interface ResolvedRun {
	readonly revisions: Sides<string>;
	/** What `--config` takes to read the config that holds; undefined when there is none. */
	readonly configFlag: string | undefined;
	readonly file: ConfigFile | null;
	readonly config: Config;
	readonly sideConfigs: Sides<readonly SideCells[]> | undefined;
	/** As the input gives it. */
	readonly node: string | undefined;
}

export interface SideConfigOptions {
	readonly access: GitAccess;
	readonly inputs: ActionInputs;
	/** Replaces the inputs `scenarios` and `threshold`, as far as it says anything. */
	readonly command: BenchCommand | null;
	/** Both sides as `runComparison` gets them. */
	readonly revisions: Sides<string>;
	/** Tip of the branch head will be merged into, a commit or `git:REF`: its config is base's; null where base's own is. */
	readonly baseTip: string | null;
}

/** The config of a run, and what each side has of it. */
export interface SideConfig extends AskedCells {
	/** Whether head's config changes anything: then the run is no "nothing relevant changed". */
	readonly relevantChange: boolean;
	/** Whether the base branch has no config that could hold: the run only informs, whatever gate was asked for. */
	readonly adopting: boolean;
	readonly warnings: readonly Warning[];
	/** The command that measures the same in a clone of the repository. */
	readonly reproduce: string;
	/** Revision whose bench servers both sides get: the one whose config holds. */
	readonly harnessFrom: string | undefined;
	/** Line of the head's config a scenario stands in; null without a config on that side. */
	readonly lineOf: FindLine;
}

/**
 * Returns the config of a comparison: that of the base branch's tip, or of the base side where there is no such branch, so that a
 * looser threshold holds only once it is merged; of the head side with `config-from: head`. What base's config has is measured
 * on both sides whatever head's says; what only head's has is head's alone. Where the side has none the other's holds; head's
 * in place of a base branch's (missing or not readable) makes the run `adopting`. What both define differently runs as the
 * side says whose config holds, and warnings say what head changes.
 *
 * @throws UserError for inputs and configs that are not valid; the head's config is always read, so that a change that
 * breaks it is told. Files are named with their side: `benchgate.yml at base 1a2b3c4:7`.
 */
export async function loadSideConfig(options: SideConfigOptions): Promise<SideConfig> {
	const { access, inputs, revisions, baseTip } = options;
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const tip = baseTip === null ? null : await findHash(baseTip, 'base', access);
	const found = await findConfigs(access, { file: inputs.options.config, revisions, tip });
	const files = parseSides(found, catalogue, inputs.configFrom, tip !== null);
	const { holding, adopting } = files;
	const [file, other] = [files[holding], files[otherSide(holding)]];
	const subject = inputs.options.subject ?? file?.subject ?? '.';
	const flags = flagsOf(options, await findSubjectName(access, tip, revisions.head, subject));
	const merged =
		file === null || other === null || found.shared ? null : mergeConfigs(holding, file, other, flags, catalogue);
	const config = merged?.config ?? resolveConfig(file, flags, catalogue, drawSeed);
	const { sideConfigs, own } = merged ?? {};
	const mergeBase = cellsOfMergeBase(files, flags, catalogue);
	return {
		config,
		sideConfigs,
		mergeBase,
		relevantChange: adopting || isRelevant(files),
		adopting,
		warnings: [...files.warnings, ...describeChanges(files, found, own ? { own, mergeBase } : null)],
		reproduce: repeatRun(
			{ revisions, config, sideConfigs, configFlag: found[holding].flag, file, node: inputs.options.node },
			catalogue,
		),
		harnessFrom: findHarnessRevision(revisions, tip, found.shared ? 'shared' : holding),
		lineOf: findLines(found.head.text),
	};
}

/** A file of the workspace that serves both sides is in no commit: the base branch's bench servers are then nobody's own. */
function findHarnessRevision(
	revisions: Sides<string>,
	tip: string | null,
	holding: Side | 'shared',
): string | undefined {
	if (holding === 'head') return revisions.head;
	if (tip !== null) return `git:${tip}`;
	return holding === 'base' ? revisions.base : undefined;
}

/** What head has as it branched off, or as the base branch has it, a merge leaves as the base branch has it. */
function isRelevant({ base, head, mergeBase }: SideFiles): boolean {
	const meaning = meaningOf(head);
	return ![base, ...(mergeBase === undefined ? [] : [mergeBase])].some((one) =>
		isDeepStrictEqual(meaningOf(one), meaning),
	);
}

/** What a config says, whatever it is called. */
function meaningOf(file: ConfigFile | null): Omit<ConfigFile, 'file'> | null {
	if (file === null) return null;
	const { file: _, ...meaning } = file;
	return meaning;
}

function flagsOf({ inputs, command }: SideConfigOptions, subjectName: string | undefined): Flags {
	return { ...inputs.options, ...optionsIn(command), subjectName, spelling: 'input' };
}

/**
 * Returns the command that measures the same in a clone of the repository. One config serves both sides there, so servers and
 * scenarios that only one side has are left out: they were not measured either.
 */
function repeatRun(run: ResolvedRun, catalogue: Catalogue): string {
	const { revisions, configFlag, file, config, sideConfigs, node } = run;
	return repeatCommand({
		command: 'compare',
		given: { ...revisions, config: configFlag, node },
		config: sideConfigs === undefined ? config : { ...config, ...cellsOfBoth(config, sideConfigs) },
		resolve: (flags) => resolveConfig(file, flags, catalogue, () => config.seed),
	});
}

function cellsOfBoth(config: SideCells, sides: Sides<readonly SideCells[]>): SideCells {
	const onBoth = (key: keyof SideCells, name: string) =>
		SIDES.every((side) => sides[side].some((one) => one[key].some((own) => own.name === name)));
	return {
		servers: config.servers.filter(({ name }) => onBoth('servers', name)),
		scenarios: config.scenarios.filter(({ name }) => onBoth('scenarios', name)),
	};
}

/**
 * Returns the name of the package under test, which chooses the built-in servers when none is named: as the tip of the base
 * branch calls it, because head could choose others by another name; else as `guessSubjectName` does.
 *
 * @param tip Full hash; null where the change is not to be merged into any branch.
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
