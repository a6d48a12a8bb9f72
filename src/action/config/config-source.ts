import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/config-file.ts';
import { parseConfig } from '../../config/file/parse-config.ts';
import { loadCatalogue } from '../../config/load-catalogue.ts';
import { drawSeed, guessSubjectName } from '../../config/load-request.ts';
import type { Flags } from '../../config/read-flags.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import type { SideCells } from '../../plan/plan-cells.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import type { BenchCommand } from '../../types/action-run.ts';
import type { Config } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import { otherSide, type Sides, type Warning } from '../../types/units.ts';
import type { GitAccess } from '../commits/git-access.ts';
import type { ActionInputs } from '../request/inputs.ts';
import { type FindLine, findLines } from './config-lines.ts';
import { type FoundConfig, findConfigs } from './find-configs.ts';
import { describeDifferences, mergeConfigs } from './merge-configs.ts';
import { repeatRun } from './repeat-run.ts';

export interface SideConfigOptions {
	readonly access: GitAccess;
	readonly inputs: ActionInputs;
	/** Replaces the inputs `scenarios` and `threshold`, as far as it says anything. */
	readonly command: BenchCommand | null;
	/** Both sides as `runComparison` gets them. */
	readonly revisions: Sides<string>;
	/** Commit of the base branch: its config holds when base is no commit itself. */
	readonly trustedCommit: string | null;
}

/** The config of a run, and what the other side's config has that it has not. */
export interface SideConfig {
	/** Servers and scenarios of both sides; everything else as the side says whose config holds. */
	readonly config: Config;
	/** For `runComparison`; undefined when one config serves both sides. */
	readonly sideConfigs: Sides<SideCells> | undefined;
	/** Whether the sides' configs say different things: then the run is no "nothing relevant changed". */
	readonly relevantChange: boolean;
	readonly warnings: readonly Warning[];
	/** The command that measures the same in a clone of the repository. */
	readonly reproduce: string;
	/** Line of the head's config a scenario stands in; null without a config on that side. */
	readonly lineOf: FindLine;
}

/**
 * Returns the config of a comparison: that of the base side, so that a looser threshold holds only once it is merged, or of the head
 * side with `config-from: head`. When that side has none the other's holds; the head's in place of the base's (missing or
 * not readable) with a warning. Servers and scenarios that only one side's config has are in the config too, and told by `sideConfigs`;
 * what both define differently runs as the side says whose config holds.
 *
 * @throws UserError for inputs and configs that are not valid; the head's config is always read, so that a change that
 * breaks it is told. Files are named with their side: `benchgate.yml at base 1a2b3c4:7`.
 */
export async function loadSideConfig(options: SideConfigOptions): Promise<SideConfig> {
	const { access, inputs, revisions } = options;
	const { config: path, subject, node } = inputs.options;
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const found = await findConfigs(access, path, revisions, options.trustedCommit);
	const warnings: Warning[] = [];
	const files = parseBoth(found, catalogue, warnings);
	const preferred = inputs.configFrom;
	const holding = files[preferred] === null ? otherSide(preferred) : preferred;
	const file = files[holding];
	if (preferred === 'base' && file !== null && found.base.searched && found.base.text === null) {
		warnings.push(noBaseConfig(file.file));
	}
	const flags = flagsOf(options, guessSubjectName(access.workspace, revisions.head, subject ?? file?.subject ?? '.'));
	const other = files[otherSide(holding)];
	const common = {
		relevantChange: !isDeepStrictEqual(meaningOf(files.base), meaningOf(files.head)),
		lineOf: findLines(found.head.text),
	};
	const alone = file === null || other === null || found.shared;
	const resolved = alone
		? { config: resolveConfig(file, flags, catalogue, drawSeed), sideConfigs: undefined }
		: mergeConfigs(holding, file, other, flags, catalogue);
	if (!alone && common.relevantChange) warnings.push(...describeDifferences(holding, file, other));
	const configFlag = found[holding].flag;
	return {
		...resolved,
		...common,
		warnings,
		reproduce: repeatRun({ ...resolved, revisions, configFlag, file, node }, catalogue),
	};
}

/** Parses both, the head's first: its faults are the change's own. A base that is broken must not hold up its repair. */
function parseBoth(found: FoundConfigs, catalogue: Catalogue, warnings: Warning[]): Sides<ConfigFile | null> {
	const parse = ({ text }: FoundConfig) => (text === null ? null : parseConfig(text.text, text.name, catalogue));
	const head = parse(found.head);
	try {
		return { base: parse(found.base), head };
	} catch (error) {
		if (head === null || !isUserError(error)) throw error;
		warnings.push({
			code: 'config-from-head',
			message: `The config of head holds, because that of base cannot be read: ${error.message}`,
		});
		return { base: null, head };
	}
}

type FoundConfigs = Awaited<ReturnType<typeof findConfigs>>;

function noBaseConfig(file: string): Warning {
	return {
		code: 'config-from-head',
		message: `Base has no config yet, so ${file} holds, thresholds included; once it is merged, later changes are held to it.`,
	};
}

/** What a config says, whatever it is called. */
function meaningOf(file: ConfigFile | null): Omit<ConfigFile, 'file'> | null {
	if (file === null) return null;
	const { file: _, ...meaning } = file;
	return meaning;
}

function flagsOf({ inputs, command }: SideConfigOptions, subjectName: string | undefined): Flags {
	const { scenario, threshold } = inputs.options;
	return {
		...inputs.options,
		scenario: command?.scenarios.join(',') || scenario,
		threshold: command?.threshold ?? threshold,
		subjectName,
		spelling: 'input',
	};
}
