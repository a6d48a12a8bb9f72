/**
 * Our rankings, as docs/published/measured.json and the files of some pages keep them for the page of published ratios.
 */
import { findPreset } from '../../src/config/ranking/presets.ts';
import { readEntry } from '../../src/config/ranking/runtime-entries.ts';
import type { LogShare } from '../../src/rank/ratios.ts';
import { describeLoad, describeVariation } from '../../src/report/ranking/ranking-words.ts';
import { locationOf, standardErrorOf } from '../../src/stats/location.ts';
import { joinWords } from '../../src/text/phrase.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { RankedServer, RankingResult, RankingRow, RowState } from '../../src/types/ranking/ranking.ts';
import type { PublishedPage } from './published-pages.ts';

/** One server in one scenario. */
export interface MeasuredRow {
	readonly server: string;
	readonly scenario: string;
	readonly state: RowState;
	/** Metric of `share`. */
	readonly judgedBy: MetricName;
	/** Logarithm of its share of the reference. */
	readonly share: LogShare | null;
	/** Logarithm of its requests per second alone. */
	readonly alone: LogShare | null;
	/** Medians over rounds of fresh processes, alone. */
	readonly medians: Readonly<Partial<Record<MetricName, number>>>;
	readonly oversubscribed?: true;
}

/** One ranking. Ratios never mix rankings: each has one machine and one reference. */
export interface MeasuredRun {
	readonly createdAt: string;
	readonly version: string;
	readonly cpuModel: string;
	readonly cpus: number;
	/** Version of Node that ran the servers. */
	readonly node: string;
	/** Of the machine, before the run. */
	readonly loadAverage: number;
	readonly reference: string;
	/** Load and its duration, and how steady it was. */
	readonly load: string;
	readonly steadiness: string;
	readonly warnings: readonly string[];
	readonly rows: readonly MeasuredRow[];
}

/** The newest last: of two runs with the same ratio it counts. */
export interface Measured {
	readonly runs: readonly MeasuredRun[];
}

/** Selection from a result with servers on several runtimes. */
export interface RunWish {
	/** `22` or `22.12.0`; any when absent. */
	readonly node?: string | undefined;
	/** Leaves out servers without a Node of their own. */
	readonly onNodeOnly?: boolean;
}

/** Metrics whose medians pages use. */
const MEDIANS = ['memory-at-rest', 'memory-after-100k', 'cold-start'] as const satisfies readonly MetricName[];

/** Returns the version of Node of a page, or its first parts; null if unknown. */
export function nodeOf({ preset }: Pick<PublishedPage, 'preset'>): string | null {
	return findPreset(preset)?.node ?? null;
}

/** Returns the part of a result that the pages need. Throws if it is ambiguous or empty. */
export function measuredRun(result: RankingResult, pages: readonly PublishedPage[], wish: RunWish = {}): MeasuredRun {
	const kept = new Map(
		result.servers.flatMap((server): [string, string][] =>
			isWished(server, result, wish) ? [[server.name, readEntry(server.name).server]] : [],
		),
	);
	if (new Set(kept.values()).size < kept.size)
		throw new Error(`servers were measured on several runtimes (${[...kept.keys()].join(', ')}): choose with --node`);
	const wanted = new Set(
		pages.flatMap(({ figures }) => figures.map(({ server, scenario }) => `${server}/${scenario}`)),
	);
	const rows = result.rows.flatMap((row): MeasuredRow[] => {
		const server = kept.get(row.server);
		const [scenario] = row.scenario.split('@');
		return server !== undefined && wanted.has(`${server}/${scenario}`) ? [readRow(row, server)] : [];
	});
	if (rows.every(({ state }) => state !== 'measured'))
		throw new Error(
			`it has no row of ${pages.length === 1 ? 'this page' : 'these pages'}${wish.node === undefined ? '' : ` on Node ${wish.node}`}`,
		);
	const { environment, tool, createdAt, setup, warnings } = result;
	const versions = result.servers.flatMap((server) => {
		// A server with a fixed Node of its own does not name the run.
		const isNamed = readEntry(server.name).runtime !== null || server.runtime === undefined;
		return kept.has(server.name) && isNamed ? (versionOf(server, result) ?? []) : [];
	});
	return {
		createdAt,
		version: tool.version,
		cpuModel: environment.cpuModel,
		cpus: environment.cpus,
		node: joinWords([...new Set(versions.length === 0 ? [environment.node] : versions)]),
		loadAverage: environment.loadAverage,
		reference: readEntry(setup.reference).server,
		load: describeLoad(setup),
		steadiness: describeVariation(result),
		warnings: warnings.map(({ message }) => message),
		rows,
	};
}

/** The version of Node that ran a server; null if it has another runtime, or was not installed. */
function versionOf(server: RankedServer, { environment }: RankingResult): string | null {
	if ('bun' in server.versions) return null;
	if (server.runtime) return server.runtime.name === 'node' ? server.runtime.version : null;
	const runtime = readEntry(server.name).runtime;
	return runtime === null ? environment.node : null;
}

function isWished(server: RankedServer, result: RankingResult, { node, onNodeOnly = false }: RunWish): boolean {
	const runtime = readEntry(server.name).runtime;
	const version = versionOf(server, result) ?? (runtime?.name === 'node' ? (runtime.version ?? null) : null);
	if (version === null) return !onNodeOnly && runtime === null;
	if (node === undefined || (!onNodeOnly && runtime === null)) return true;
	return version === node || version.startsWith(`${node}.`);
}

function readRow(row: RankingRow, server: string): MeasuredRow {
	const { scenario, state, judgedBy, logShare, throughputs, alone, oversubscribed } = row;
	const rates = locationOf(throughputs.filter((rate) => rate > 0).map(Math.log));
	const medians = MEDIANS.flatMap((metric) => {
		const value = alone?.metrics[metric] ?? null;
		return value === null || !row.scenario.match(/^(startup|footprint)$/) ? [] : [[metric, round(value)] as const];
	});
	return {
		...{ server, scenario, state, judgedBy },
		share: logShare && roundAll(logShare),
		alone:
			rates === null || rates.df === 0 || judgedBy !== 'throughput'
				? null
				: roundAll({ theta: rates.centre, se: standardErrorOf(rates.sd, rates.df + 1), df: rates.df }),
		medians: Object.fromEntries(medians),
		...(oversubscribed && { oversubscribed }),
	};
}

function roundAll({ theta, se, df }: LogShare): LogShare {
	return { theta: round(theta), se: round(se), df: round(df) };
}

/** To six decimals: every interval here is wider. */
function round(value: number): number {
	return Math.round(value * 1e6) / 1e6;
}

/** Returns the text of a file of measured data: one row a line, for readable diffs. */
export function writeMeasured({ runs }: Measured): string {
	const written = runs.map(({ rows, ...rest }) => {
		const head = JSON.stringify(rest, null, 2).slice(0, -2);
		return `${head},\n  "rows": [\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]\n}`;
	});
	return `{ "runs": [${written.join(', ')}] }\n`;
}
