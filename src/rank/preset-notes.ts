/** What of a run with a preset is not as on the preset's page, as far as only the run itself can tell. */
import { median } from 'simple-statistics';
import type { Preset } from '../config/ranking/presets.ts';
import { GENERATOR_LIMIT } from '../stats/guards.ts';
import { formatPair, formatPercent } from '../text/numbers.ts';
import type { AloneFigures } from '../types/ranking/load-figures.ts';
import type { MeasuredServer, MeasureRow, MeasureSample } from '../types/ranking/measure.ts';
import type { MeasureSetup } from '../types/ranking/measure-setup.ts';
import type { Warning } from '../types/units.ts';

/** What servers run, or would run. */
export interface RunningVersions {
	readonly servers: readonly Pick<MeasuredServer, 'state' | 'versions' | 'direct' | 'runtime'>[];
	/** The Node of those that say nothing of a runtime. */
	readonly environment: { readonly node: string };
}

/**
 * Returns which versions of Node and packages are others than on the page, with the flags that take those of the page; nothing without
 * a preset.
 */
export function versionNotes({ servers, environment }: RunningVersions, preset: Preset | null): readonly Warning[] {
	if (preset === null) return [];
	const installed = servers.filter(({ state }) => state === 'installed');
	const others = installed.flatMap(({ versions, direct }) =>
		Object.entries(preset.versions).flatMap(([name, version]) => {
			const own = versions[name];
			if (own === undefined || isVersion(own, version)) return [];
			// Only packages that a server names itself can be replaced, and only by one release.
			const flag = direct.includes(name) && EXACT.test(version) ? `${name}=${version}` : null;
			return [{ text: `${name} ${own} (page: ${version})`, flag }];
		}),
	);
	const packages = others.map(({ text }) => text);
	const given = [...new Set(others.flatMap(({ flag }) => flag ?? []))].join(',');
	const nodes = installed.flatMap(({ runtime = { name: 'node', version: environment.node } }) =>
		runtime.name !== 'node' || isVersion(runtime.version, preset.node ?? runtime.version) ? [] : [runtime.version],
	);
	const list = (items: readonly string[]) => [...new Set(items)].join(', ');
	return [
		...(packages.length === 0
			? []
			: [
					`Versions are not those of the page: ${list(packages)}.${given === '' ? '' : ` \`--package ${given}\` takes those of the page, where the registry has them.`}`,
				]),
		...(nodes.length === 0
			? []
			: [
					`The page ran on Node ${preset.node}; here it is ${list(nodes)}. \`--runtime node@${preset.node}\` takes that one, where a server runs on it.`,
				]),
	].map((message) => ({ code: 'preset', message }));
}

/** Returns what the tool of the page would have refused. */
export function limitNotes(alone: AloneFigures | null, preset: Preset | null): readonly Warning[] {
	if (!alone || !preset?.limits) return [];
	const { failed, p99 } = preset.limits;
	const { totals, latency } = alone;
	const asked = totals ? totals.requests + totals.errors : 0;
	const share = totals && asked > 0 ? (totals.errors + totals.unexpected) / asked : 0;
	return [
		...(share > failed
			? [`${formatPercent(share, 1)} of the requests failed; the page allows ${formatPercent(failed, 1)}.`]
			: []),
		...(latency !== null && latency.p99 > p99
			? [`p99 is ${writeMs(latency.p99)}; the page allows ${writeMs(p99)}.`]
			: []),
	].map((message) => ({ code: 'preset-limit', message }));
}

/** Returns a warning where the driver of a preset was at its limit: requests per second are then the driver's. */
export function generatorNotes(
	samples: readonly MeasureSample[],
	{ preset, driver }: Pick<MeasureSetup, 'preset' | 'driver'>,
): readonly Warning[] {
	const busy = samples.flatMap(({ guards }) => guards.generatorUtilisation ?? []);
	if (preset === null || busy.length === 0 || median(busy) < GENERATOR_LIMIT) return [];
	const message = `${driver ?? 'The load generator'} was at its limit: the server may be able to answer more.`;
	return [{ code: 'generator-bound', message }];
}

/**
 * Returns the rows of one scenario of a preset, all judged by CPU time per request where the driver was at its limit with one of them:
 * requests per second would rank that one too low.
 */
export function judgeByCpu(rows: readonly MeasureRow[]): readonly MeasureRow[] {
	const isBound = rows.some(({ share, warnings }) => share === null && warnings.some(isBoundNote));
	if (!isBound) return rows;
	return rows.map((row) => (row.judgedBy === 'throughput' ? { ...row, judgedBy: 'cpu-per-request' } : row));
}

function isBoundNote({ code }: Warning): boolean {
	return code === 'generator-bound';
}

/** A version that names one release; the beginning of one does not. */
const EXACT = /^\d+\.\d+\.\d+$/;

function writeMs(milliseconds: number): string {
	const { base, unit } = formatPair(milliseconds, null, 'ms');
	return `${base} ${unit}`;
}

/** `5.2` is a beginning of `5.2.1`, and not of `5.20.1`. */
function isVersion(version: string, beginning: string): boolean {
	return version === beginning || version.startsWith(`${beginning}.`);
}
