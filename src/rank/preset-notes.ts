import { median } from 'simple-statistics';
import type { Preset } from '../config/ranking/presets.ts';
import { GENERATOR_LIMIT } from '../stats/guards.ts';
import { formatPair, formatPercent } from '../text/numbers.ts';
import type { AloneFigures } from '../types/ranking/load-figures.ts';
import type { RankedServer, RankingRow, RankingSample } from '../types/ranking/ranking.ts';
import type { RankingSetup } from '../types/ranking/ranking-setup.ts';
import type { Warning } from '../types/units.ts';

export interface RunningVersions {
	readonly servers: readonly Pick<RankedServer, 'state' | 'versions' | 'direct' | 'runtime'>[];
	/** The Node version of servers without a runtime. */
	readonly environment: { readonly node: string };
}

/**
 * Returns warnings about versions that differ from the preset's page, with flags that select the versions of the page.
 */
export function versionNotes({ servers, environment }: RunningVersions, preset: Preset | null): readonly Warning[] {
	if (preset === null) return [];
	const installed = servers.filter(({ state }) => state === 'installed');
	const others = installed.flatMap(({ versions, direct }) =>
		Object.entries(preset.versions).flatMap(([name, version]) => {
			const installedVersion = versions[name];
			if (installedVersion === undefined || isVersion(installedVersion, version)) return [];
			// `--package` takes only direct packages and exact releases.
			const flag = direct.includes(name) && EXACT.test(version) ? `${name}=${version}` : null;
			return [{ text: `${name} ${installedVersion} (page: ${version})`, flag }];
		}),
	);
	const packages = others.map(({ text }) => text);
	const flagValue = [...new Set(others.flatMap(({ flag }) => flag ?? []))].join(',');
	const nodes = installed.flatMap(({ runtime = { name: 'node', version: environment.node } }) =>
		runtime.name !== 'node' || isVersion(runtime.version, preset.node ?? runtime.version) ? [] : [runtime.version],
	);
	const list = (items: readonly string[]) => [...new Set(items)].join(', ');
	return [
		...(packages.length === 0
			? []
			: [
					`Versions are not those of the page: ${list(packages)}.${flagValue === '' ? '' : ` \`--package ${flagValue}\` takes those of the page, where the registry has them.`}`,
				]),
		...(nodes.length === 0
			? []
			: [
					`The page ran on Node ${preset.node}; here it is ${list(nodes)}. \`--runtime node@${preset.node}\` takes that one, where a server runs on it.`,
				]),
	].map((message) => ({ code: 'preset', message }));
}

export function limitNotes(alone: AloneFigures | null, preset: Preset | null): readonly Warning[] {
	if (!alone || !preset?.limits) return [];
	const { failed, p99 } = preset.limits;
	const { totals, latency } = alone;
	const requestCount = totals ? totals.requests + totals.errors : 0;
	const share = totals && requestCount > 0 ? (totals.errors + totals.unexpected) / requestCount : 0;
	return [
		...(share > failed
			? [`${formatPercent(share, 1)} of the requests failed; the page allows ${formatPercent(failed, 1)}.`]
			: []),
		...(latency !== null && latency.p99 > p99
			? [`p99 is ${writeMs(latency.p99)}; the page allows ${writeMs(p99)}.`]
			: []),
	].map((message) => ({ code: 'preset-limit', message }));
}

export function generatorNotes(
	samples: readonly RankingSample[],
	{ preset, driver }: Pick<RankingSetup, 'preset' | 'driver'>,
): readonly Warning[] {
	const busy = samples.flatMap(({ guards }) => guards.generatorUtilisation ?? []);
	if (preset === null || busy.length === 0 || median(busy) < GENERATOR_LIMIT) return [];
	const message = `${driver ?? 'The load generator'} was at its limit: the server may be able to answer more.`;
	return [{ code: 'generator-bound', message }];
}

/**
 * Returns the rows of a preset's scenario. If the driver was at its limit with any row, CPU time per request judges
 * all, because requests per second would rank that row too low.
 */
export function judgeByCpu(rows: readonly RankingRow[]): readonly RankingRow[] {
	const isBound = rows.some(({ share, warnings }) => share === null && warnings.some(isBoundNote));
	if (!isBound) return rows;
	return rows.map((row) => (row.judgedBy === 'throughput' ? { ...row, judgedBy: 'cpu-per-request' } : row));
}

function isBoundNote({ code }: Warning): boolean {
	return code === 'generator-bound';
}

const EXACT = /^\d+\.\d+\.\d+$/;

function writeMs(milliseconds: number): string {
	const { base, unit } = formatPair(milliseconds, null, 'ms');
	return `${base} ${unit}`;
}

/** `5.2` matches `5.2.1`, but not `5.20.1`. */
function isVersion(version: string, beginning: string): boolean {
	return version === beginning || version.startsWith(`${beginning}.`);
}
