import { createHash } from 'node:crypto';
import {
	BASELINE_SCHEMA_VERSION,
	type BaselineCell,
	type BaselineCommit,
	type BaselineRecord,
} from '../../../types/baseline.ts';
import type { Environment } from '../../../types/result.ts';
import { RAW_LIMITS } from '../../raw/raw-limits.ts';
import { readBaseline, renderBaseline } from '../baseline-file.ts';

export interface ForeignFigure {
	readonly name: string;
	readonly value: number;
	/** Written as in that tool: `req/s`, `ms`. */
	readonly unit: string;
}

export interface ForeignRun {
	readonly tool: string;
	readonly commit: BaselineCommit;
	/** ISO 8601 UTC. */
	readonly measuredAt: string;
	readonly figures: readonly ForeignFigure[];
	/** Named if the file has several, because they may measure the same names. */
	readonly suite?: string;
}

export interface LeftOut {
	readonly name: string;
	readonly why: string;
}

export interface Imported {
	readonly records: readonly BaselineRecord[];
	readonly leftOut: readonly LeftOut[];
}

/** Placeholder version, because benchgate did not measure the record. */
export const IMPORTED = 'imported';
const RATES = /^(?:req(?:uest)?s?|ops|op|iter(?:ation)?s?)\s*(?:\/|\s+per\s+)\s*s(?:ec(?:ond)?)?$|^(?:rps|ops|qps)$/i;
const MILLISECONDS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000 };
/** Leaves room to convert seconds to milliseconds. */
const LARGEST = RAW_LIMITS.magnitude / 1000;
const UNKNOWN: Environment = {
	...{ os: 'unknown', kernel: 'unknown', cpuModel: 'unknown', cpus: 0, memoryBytes: 0 },
	...{ node: 'unknown', loadAverage: 0, pinning: 'unknown' },
};

/**
 * Returns another tool's run as a record. Its figures come from an unknown machine: they can be displayed, but give no
 * level, change or verdict. Imports only rates and times.
 */
export function importRun(run: ForeignRun): Imported {
	const cells = new Map<string, BaselineCell>();
	const leftOut: LeftOut[] = [];
	for (const figure of run.figures) {
		const cell = cellOf(figure, run);
		const why = 'why' in cell ? cell.why : whyTaken(cell, cells);
		if ('why' in cell || why !== null) leftOut.push({ name: figure.name, why: why ?? '' });
		else cells.set(keyOf(cell), cell);
	}
	if (cells.size === 0) return { records: [], leftOut };
	const digest = createHash('sha256').update(JSON.stringify(run)).digest('hex');
	const record: BaselineRecord = {
		schemaVersion: BASELINE_SCHEMA_VERSION,
		kind: 'benchgate-baseline',
		tool: { name: 'benchgate', version: IMPORTED },
		purpose: 'level',
		createdAt: run.measuredAt,
		run: { id: `imported${digest.slice(0, 12)}`, attempt: 1, url: null },
		commit: run.commit,
		anchor: { sha: null, label: `imported from ${run.tool}`, kind: 'first' },
		environmentId: createHash('sha256').update(run.tool).digest('hex').slice(0, 8),
		environment: UNKNOWN,
		harness: null,
		subjectDigest: null,
		seed: 0,
		ended: 'decided',
		accepted: null,
		cells: [...cells.values()],
		warnings: [],
		reproduce: `measured by ${run.tool}`,
	};
	// A record the store cannot read back would be lost.
	const read = readBaseline(renderBaseline(record), 'record');
	if ('record' in read) return { records: [record], leftOut };
	const why = `the run cannot be kept as a baseline: ${read.unread.why}`;
	return { records: [], leftOut: [...leftOut, { name: run.commit.label, why }] };
}

function keyOf({ server, scenario, metric }: BaselineCell): string {
	return `${server}/${scenario} ${metric}`;
}

/** Names can collide after invalid characters are removed. */
function whyTaken(cell: BaselineCell, earlier: ReadonlyMap<string, BaselineCell>): string | null {
	if (!earlier.has(keyOf(cell))) return null;
	return `the run has another figure that becomes ${cell.server}/${cell.scenario}: give it a name that differs in letters A to Z or digits`;
}

function cellOf(
	{ name, value, unit }: ForeignFigure,
	{ tool, suite }: ForeignRun,
): BaselineCell | { readonly why: string } {
	const isRate = RATES.test(unit.trim());
	const factor = MILLISECONDS[unit.trim().replace(/\/(?:op|req|iter)$/i, '')];
	if (!(value > 0)) return { why: 'its value is no positive number' };
	if (value > LARGEST) return { why: 'its value is larger than anything that is measured' };
	if (!isRate && factor === undefined) return { why: `its unit "${unit}" is neither a rate nor a time` };
	const { server, scenario } = nameOf(name, suite);
	return {
		...{
			server,
			scenario,
			metric: isRate ? 'throughput' : 'latency-p50',
			judgedBy: isRate ? 'throughput' : 'latency-p50',
		},
		...{ theta: null, se: null, low: null, high: null, rounds: 0, roundSd: null, lag1: null },
		verdict: 'inconclusive',
		threshold: 0.05,
		solo: {
			throughput: isRate ? value : null,
			cpuPerRequest: null,
			latencyP50: isRate || factor === undefined ? null : value * factor,
			memoryPeak: null,
			windows: 0,
		},
		reference: null,
		warnings: [
			{ code: 'imported', message: `An absolute figure that ${tool} measured on another machine: it is never judged.` },
		],
	};
}

/** `koa/ping`, `koa - ping` and `koa ping` are a server and a scenario; any other name is a scenario of `imported`. */
function nameOf(name: string, suite = ''): { readonly server: string; readonly scenario: string } {
	const [, left = '', right = ''] = /^\s*([\w.-]+)(?:\s*\/\s*|\s+-\s+|\s+)(.+)$/.exec(name) ?? [];
	const [server, scenario] = [slug(left), slug(right)];
	const named = server && scenario ? { server, scenario } : { server: 'imported', scenario: slug(name) || 'unnamed' };
	return suite === '' ? named : { ...named, server: slug(`${suite}-${named.server}`) };
}

function slug(text: string): string {
	return text
		.replace(/[^A-Za-z0-9._]+/g, '-')
		.replace(/^[^A-Za-z0-9]+|-+$/g, '')
		.slice(0, 64);
}
