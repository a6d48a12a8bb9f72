import type { Scenario, ServerSpec } from '../../types/config.ts';
import type { Catalogue } from '../catalogue.ts';
import { writeDuration } from '../durations.ts';
import { flagOf, type OptionName, type OptionTexts } from '../option-names.ts';
import { type Flags, flagsError } from '../read-flags.ts';
import { PRESET_NAMES, type Preset, presetOf } from './presets.ts';

export interface PresetFlags {
	readonly flags: Flags;
	readonly preset: Preset | null;
	readonly missing: readonly string[];
	readonly notes: readonly string[];
	/** Packages that get the versions of the page. */
	readonly packages: readonly string[];
}

/** Flags that replace the page's changing connections. */
const OTHER_LOAD = ['connections', 'duration', 'warmup', 'ramp'] as const satisfies readonly OptionName[];

/**
 * Completes flags from their preset, as far as the catalogue has its parts. Throws UserError if the catalogue has no
 * part.
 */
export function withPreset(flags: Flags, { servers, scenarios }: Catalogue): PresetFlags {
	const name = PRESET_NAMES.find((one) => one === flags.preset?.trim());
	if (name === undefined) return { flags, preset: null, missing: [], notes: [], packages: [] };
	const flagTexts: Flags = Object.fromEntries(Object.entries(flags).filter(([, text]) => text !== undefined));
	const loadOptions = OTHER_LOAD.filter((option) => flagTexts[option] !== undefined);
	const page = presetOf(name);
	const isStaged = page.stages !== null && loadOptions.length === 0;
	const isCalled = page.calls !== null && loadOptions.length === 0;
	const preset = { ...page, stages: isStaged ? page.stages : null, calls: isCalled ? page.calls : null };
	const has = (members: readonly { readonly name: string }[]) => (one: string) =>
		members.some((other) => other.name === one);
	const present = preset.servers.filter(has(servers));
	const answered = preset.scenarios.filter(has(scenarios));
	if (present.length === 0 || answered.length === 0) {
		throw flagsError([`${flagOf('preset')} ${name}: this version of benchgate lacks its servers or its scenarios`]);
	}
	const missing = flags.server === undefined ? preset.servers.filter((one) => !present.includes(one)) : [];
	const unasked = flags.scenario === undefined ? preset.scenarios.filter((one) => !answered.includes(one)) : [];
	const notes = [
		...preset.differences,
		...unasked.map((one) => `The scenario ${one} of the page is not among those of this benchgate.`),
		...(page.stages !== null && !isStaged
			? [`Connections do not come and go as on the page, because of ${loadOptions.map(flagOf).join(', ')}.`]
			: []),
		...(page.calls !== null && !isCalled
			? [`Calls are not as many as on the page, because of ${loadOptions.map(flagOf).join(', ')}.`]
			: []),
	];
	// A preset needs no reference, and another server would also be loaded.
	const reference = flagTexts.server?.split(',')[0]?.trim() || present[0];
	const chosen = flagTexts.server?.split(',').map((one) => one.trim()) ?? present;
	const packages =
		flagTexts.versions?.trim() === 'pinned' ? [] : pagePackages(preset, servers, chosen, flagTexts.package);
	const texts = {
		...textsOf(preset, { server: present.join(','), scenario: answered.join(','), reference }),
		...comparedTexts(preset, chosen),
	};
	const all = [...packages, ...(flagTexts.package === undefined ? [] : [flagTexts.package])].join(',');
	// Servers that a flag names run in all scenarios.
	const rows = flagTexts.server === undefined ? preset.rows : {};
	return {
		flags: { ...texts, ...flagTexts, ...(all !== '' && { package: all }) },
		preset: { ...preset, rows },
		missing,
		notes,
		packages: packages.map((item) => item.slice(0, item.lastIndexOf('='))),
	};
}

/** A full release version, not a prefix. */
const EXACT = /^\d+\.\d+\.\d+$/;

/**
 * Returns `--package` items for the page's versions of direct dependencies, if a chosen server pins another and no flag
 * gives one. Skips packages that some registries lack.
 */
function pagePackages(
	{ versions }: Preset,
	servers: Catalogue['servers'],
	chosen: readonly string[],
	packageText = '',
): readonly string[] {
	const chosenServers = servers.filter(({ name }) => chosen.includes(name));
	const named = packageText.split(',').map((item) => item.split('=')[0]?.trim());
	return Object.entries(versions).flatMap(([name, version]) => {
		const having = chosenServers.filter(({ dependencies }) => dependencies.includes(name));
		const isOther = having.some(({ versions: pinned }) => pinned?.[name] !== version);
		const isServed = having.every(({ unserved }) => !unserved?.includes(name));
		return EXACT.test(version) && isOther && isServed && !named.includes(name) ? [`${name}=${version}`] : [];
	});
}

export function comparedTexts(
	{ wraps, highlight, percentOf }: Preset,
	chosen: readonly string[],
): Pick<OptionTexts, 'wraps' | 'highlight' | 'percentOf'> {
	const pairs = Object.entries(wraps).filter((pair) => pair.every((name) => chosen.includes(name)));
	const shares = percentOf.filter((name) => chosen.includes(name));
	return {
		...(pairs.length > 0 && { wraps: pairs.map((pair) => pair.join('=')).join(',') }),
		...(highlight !== null && chosen.includes(highlight) && { highlight }),
		...(shares.length > 0 && { percentOf: shares.join(',') }),
	};
}

/** Returns servers with their scenarios on the page. Drops servers without any. */
export function onlyRows(
	servers: readonly ServerSpec[],
	scenarios: readonly Scenario[],
	{ rows }: Preset,
): ServerSpec[] {
	const names = scenarios.map(({ name }) => name);
	return servers.flatMap((server): ServerSpec[] => {
		if (server.kind === 'custom') return [server];
		const scenarioNames = names.filter((name) => rows[name]?.includes(server.name) ?? true);
		if (scenarioNames.length === names.length) return [server];
		return scenarioNames.length === 0 ? [] : [{ ...server, scenarios: scenarioNames }];
	});
}

/** Long enough that a preset ends with its trials. */
const PRESET_BUDGET = '24h';

function textsOf(
	{ load, stages, durationSeconds, warmupSeconds, trials, memoryLimit, vitals }: Preset,
	chosen: Pick<OptionTexts, 'server' | 'scenario' | 'reference'>,
): OptionTexts {
	const seconds = stages === null ? durationSeconds : stages.reduce((sum, stage) => sum + stage.seconds, 0);
	return {
		...chosen,
		connections: String(load.connections),
		pipelining: String(load.pipelining),
		duration: writeDuration(seconds),
		...(stages === null && warmupSeconds > 0 && { warmup: writeDuration(warmupSeconds) }),
		trials: String(trials),
		...(memoryLimit !== null && { memoryLimit }),
		...(vitals && { vitals: 'node' }),
		budget: PRESET_BUDGET,
	};
}
