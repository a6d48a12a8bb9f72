/** Describes head's config changes. */
import { isDeepStrictEqual } from 'node:util';
import { answeredBy } from '../../config/answered-scenarios.ts';
import type { ConfigFile } from '../../config/file/parse-config.ts';
import { FILE_OPTIONS } from '../../config/option-names.ts';
import type { SideCells } from '../../plan/plan-cells.ts';
import { nameAll } from '../../text/phrase.ts';
import type { Side, Sides, Warning } from '../../types/units.ts';
import type { FoundConfigs } from './find-configs.ts';
import type { SideFiles } from './merge-configs.ts';

const LISTED = 10;
/** Config keys that are not options. */
const OTHER_KEYS = [
	{ name: 'prepare', key: 'prepare' },
	{ name: 'harness', key: 'harness' },
	{ name: 'reads', key: 'reads' },
	{ name: 'metrics', key: 'gate.metrics' },
	{ name: 'enforceAfter', key: 'gate.enforce-after' },
] as const;

/** `own` has the cells of each side's config; for `mergeBase` see `cellsOfMergeBase`. */
export interface OwnCells {
	readonly own: Sides<SideCells>;
	readonly mergeBase: SideCells | null | undefined;
}

/**
 * Returns warnings for head's changes to the config. Leaves out changes that only the base branch made since head
 * branched off.
 */
export function describeChanges(files: SideFiles, configs: FoundConfigs, cells: OwnCells | null): Warning[] {
	if (configs.ignored !== undefined) return [describeIgnored(configs.ignored)];
	if (configs.shared) return [];
	return [
		...describeSecond(configs),
		...describeGone(files, configs),
		...(cells === null ? [] : describeRemoved(files.holding, cells, configs)),
		...describeDifferences(files),
	];
}

function describeIgnored(name: string): Warning {
	const message = `The ${name} in the workspace is not committed, so it is not used. If a step of the workflow writes it, name it with the input config.`;
	return { code: 'config-ignored', message };
}

/** Git merges two files with different names without a conflict, but benchgate refuses a branch that has both. */
function describeSecond({ base, head, mergeBase }: FoundConfigs): Warning[] {
	const [ours, theirs] = [base.text?.path, head.text?.path];
	if (!ours || !theirs || ours === theirs || mergeBase === undefined || mergeBase.text?.path === ours) return [];
	const message = `The base branch has ${ours}, which applies, and head adds ${theirs}. Once merged the branch has both, which is an error: keep one.`;
	return [{ code: 'two-configs', message }];
}

function describeGone({ base, head, mergeBase }: SideFiles, configs: FoundConfigs): Warning[] {
	if (base === null || head !== null || mergeBase === null || !configs.head.searched) return [];
	const name = configs.base.text?.path ?? base.file;
	const message = `Head no longer has ${name}. The one of the base branch applies, so everything in it was measured.`;
	return [{ code: 'config-removes', message }];
}

function describeRemoved(holding: Side, { own, mergeBase }: OwnCells, { head }: FoundConfigs): Warning[] {
	const had = namesOf(own.base).filter(({ has }) => mergeBase === undefined || (mergeBase !== null && has(mergeBase)));
	const gone = had.filter(({ has }) => !has(own.head));
	// If a server or scenario was removed, its rows need no mention.
	const removals = gone.filter(
		({ kind, name }) =>
			kind !== 'row' || !gone.some((other) => other.kind !== 'row' && name.split('/').includes(other.name)),
	);
	if (removals.length === 0) return [];
	const what = nameAll(
		removals.map(({ kind, name }) => `the ${kind} ${name}`),
		LISTED,
	);
	const [it, was] = removals.length === 1 ? ['It', 'it was'] : ['They', 'they were'];
	const fate =
		holding === 'base'
			? `. ${it} ${it === 'It' ? 'was' : 'were'} measured, as in the config of base.`
			: `. The config of head applies (config-from: head), so ${was} not measured.`;
	return [{ code: 'config-removes', message: `Head's ${head.text?.path ?? 'config'} no longer has ${what}${fate}` }];
}

interface Named {
	readonly kind: 'server' | 'scenario' | 'row';
	readonly name: string;
	readonly has: (cells: SideCells) => boolean;
}

function namesOf({ servers, scenarios }: SideCells): Named[] {
	const inList = (key: keyof SideCells, name: string) => (cells: SideCells) =>
		cells[key].some((one) => one.name === name);
	return [
		...servers.map(({ name }): Named => ({ kind: 'server', name, has: inList('servers', name) })),
		...scenarios.map(({ name }): Named => ({ kind: 'scenario', name, has: inList('scenarios', name) })),
		...servers.flatMap((server) =>
			answeredBy(server, scenarios).map(
				({ name }): Named => ({
					kind: 'row',
					name: `${server.name}/${name}`,
					has: (cells) =>
						cells.servers.some(
							(one) =>
								one.name === server.name && answeredBy(one, cells.scenarios).some((scenario) => scenario.name === name),
						),
				}),
			),
		),
	];
}

function describeDifferences({ holding, base, head, mergeBase }: SideFiles): Warning[] {
	if (base === null || head === null) return [];
	const changed = differencesOf(base, head);
	const differing = mergeBase ? changed.filter((key) => differencesOf(mergeBase, head).includes(key)) : changed;
	if (differing.length === 0) return [];
	const remedy =
		holding === 'base'
			? ' They take effect once merged; a change that only works with its own config needs config-from: head.'
			: '';
	return [
		{
			code: 'config-differs',
			message: `Base and head have different configs: ${nameAll(differing, LISTED)}. The config of ${holding} applies to both sides.${remedy}`,
		},
	];
}

function differencesOf(file: ConfigFile, other: ConfigFile): string[] {
	const keys = [...FILE_OPTIONS.map(([name, { file: key = name }]) => ({ name, key })), ...OTHER_KEYS].filter(
		({ name }) => !isDeepStrictEqual(file[name], other[name]),
	);
	const named = (items: ConfigFile['servers'] | ConfigFile['scenarios'], kind: string) =>
		(items ?? []).flatMap((item) => (typeof item === 'string' ? [] : [{ kind, item }]));
	const all = (one: ConfigFile) => [...named(one.servers, 'server'), ...named(one.scenarios, 'scenario')];
	const redefined = all(file).filter(({ kind, item }) =>
		all(other).some(
			(twin) => twin.kind === kind && twin.item.name === item.name && !isDeepStrictEqual(twin.item, item),
		),
	);
	return [...keys.map(({ key }) => key), ...redefined.map(({ kind, item }) => `${kind} ${item.name}`)];
}
