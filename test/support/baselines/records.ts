import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../../../src/stats/random.ts';
import {
	type Anchor,
	BASELINE_SCHEMA_VERSION,
	type BaselineCell,
	type BaselineCommit,
	type BaselinePurpose,
	type BaselineRecord,
	type SoloFigures,
} from '../../../src/types/baseline.ts';
import type { MetricName } from '../../../src/types/metric.ts';
import type { Environment } from '../../../src/types/result.ts';
import type { Verdict } from '../../../src/types/verdict.ts';

export interface PlantedStep {
	/** Index of the first changed commit. */
	readonly commit: number;
	/** Log ratio; negative is worse. */
	readonly size: number;
	/** `server/scenario`; every cell when absent. */
	readonly cell?: string;
}

/** Reproducible by its seed. */
export interface HistorySketch {
	readonly seed: number;
	readonly commits?: number;
	/** Number of cells, or names `server/scenario`. */
	readonly cells?: number | readonly string[];
	/** Each era's last commit is the next anchor. */
	readonly eras?: number;
	readonly steps?: readonly PlantedStep[];
	/** Of a level. */
	readonly se?: readonly [number, number];
	/** Between runs, beyond the standard errors. */
	readonly tau?: number;
	/** Share with three times the stated error. */
	readonly outliers?: number;
	/** Share. */
	readonly failed?: number;
	/** Kinds of machines, in turn. */
	readonly environments?: number;
	readonly metrics?: readonly MetricName[];
}

const SERVERS = ['express', 'fastify', 'hono', 'koa', 'node-http'];
const SCENARIOS = ['ping', 'json-post', 'param-json', 'query', 'json-nested', 'not-found', 'cookies', 'html', 'upload'];
const CPUS = ['AMD EPYC 7763 64-Core Processor', 'Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz', 'Neoverse-N2'];
const TITLES = [
	'Fix a leak of listeners',
	'Route lookups by a map',
	'Parse cookies once',
	'Read bodies with <less> copying',
];
const THRESHOLD = 0.05;
const START = Date.parse('2026-01-05T06:00:00Z');
const HOUR = 3_600_000;

/**
 * Returns the records of a synthetic main branch in order of measurement: one `level` per commit, and per new era a
 * `link` (the release against the previous anchor) and two `closure` records. Not rounded.
 */
export function syntheticRecords(sketch: HistorySketch): BaselineRecord[] {
	const { seed, commits: count = 60, eras = 1 } = sketch;
	const commits = Array.from({ length: count }, (_, index) => syntheticCommit(seed, index));
	const starts = Array.from({ length: eras }, (_, era) => Math.floor((era * count) / eras));
	const records: BaselineRecord[] = [];
	starts.forEach((first, era) => {
		const anchor = anchorOf(seed, era, first);
		const last = (starts[era + 1] ?? count) - 1;
		for (let index = first; index <= last; index++) {
			records.push(makeRecord(sketch, commits, { index, anchor, anchorAt: first - 1, purpose: 'level' }));
		}
		if (era + 1 >= eras) return;
		records.push(makeRecord(sketch, commits, { index: last, anchor, anchorAt: first - 1, purpose: 'link' }));
		for (let index = last + 1; index <= Math.min(last + 2, count - 1); index++) {
			records.push(makeRecord(sketch, commits, { index, anchor, anchorAt: first - 1, purpose: 'closure' }));
		}
	});
	return records.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
}

/** Returns the sum of steps: log ratio against the first anchor. */
export function trueLevel(sketch: Pick<HistorySketch, 'steps'>, cell: string, commit: number): number {
	const until = (sketch.steps ?? []).filter((step) => step.commit <= commit && (step.cell ?? cell) === cell);
	return until.reduce((sum, { size }) => sum + size, 0);
}

interface Run {
	readonly index: number;
	readonly anchor: Anchor;
	/** Index of the anchor's commit; −1 for the first anchor, older than all commits. */
	readonly anchorAt: number;
	readonly purpose: BaselinePurpose;
}

function makeRecord(sketch: HistorySketch, commits: readonly BaselineCommit[], run: Run): BaselineRecord {
	const { seed, environments = 1, metrics = ['throughput'] } = sketch;
	const commit = commits[run.index] as BaselineCommit;
	const machine = run.index % environments;
	const delay = { level: 0.2, link: 0.6, closure: 0.8, proof: 0.9 }[run.purpose];
	const createdAt = new Date(Date.parse(commit.committedAt) + delay * HOUR).toISOString();
	const random = createRandom(seed, run.index, run.purpose.length);
	const cells = cellNames(sketch).flatMap((name) =>
		metrics.map((metric) => makeCell(sketch, run, { name, metric }, random)),
	);
	return {
		schemaVersion: BASELINE_SCHEMA_VERSION,
		kind: 'benchgate-baseline',
		tool: { name: 'benchgate', version: '0.1.0' },
		purpose: run.purpose,
		createdAt,
		run: { id: String(9_000_000 + run.index * 10 + run.purpose.length), attempt: 1, url: null },
		commit,
		anchor: run.anchor,
		environmentId: createHash('sha256')
			.update(CPUS[machine] ?? String(machine))
			.digest('hex')
			.slice(0, 8),
		environment: environmentOf(machine),
		harness: null,
		subjectDigest: hashOf('subject', seed, run.index),
		seed,
		ended: 'decided',
		accepted: null,
		cells,
		warnings: [],
		reproduce: `benchgate baseline --commit ${commit.label} --anchor ${run.anchor.label} --seed ${seed}`,
	};
}

function makeCell(
	sketch: HistorySketch,
	run: Run,
	{ name, metric }: { readonly name: string; readonly metric: MetricName },
	random: Random,
): BaselineCell {
	const { se: [least, most] = [0.006, 0.012], tau = 0.002, outliers = 0, failed = 0 } = sketch;
	const [server = '', scenario = ''] = name.split('/');
	const precise = run.purpose === 'link' ? 0.5 : 1;
	const se = (least + (most - least) * random.next()) * precise;
	const wide = random.next() < outliers ? 3 : 1;
	const true_ = trueLevel(sketch, name, run.index) - trueLevel(sketch, name, run.anchorAt);
	const theta = true_ + wide * se * random.normal() + tau * random.normal();
	const nothing = run.purpose === 'level' && random.next() < failed;
	const rounds = Math.max(6, Math.round((0.025 / se) ** 2));
	const own = soloFigures(server, scenario, Math.exp(trueLevel(sketch, name, run.index)), random);
	const reference = soloFigures('node-http', scenario, 1, random);
	const share = (own.throughput ?? 0) / (reference.throughput ?? 1);
	return {
		server,
		scenario,
		metric,
		theta: nothing ? null : theta,
		se: nothing ? null : se,
		low: nothing ? null : theta - 1.96 * se,
		high: nothing ? null : theta + 1.96 * se,
		rounds: nothing ? 0 : rounds,
		roundSd: nothing ? null : 0.025,
		lag1: nothing ? null : 0.1 * random.normal(),
		judgedBy: metric,
		verdict: nothing ? 'invalid' : verdictOf(theta, se),
		threshold: THRESHOLD,
		solo: nothing ? null : own,
		reference: nothing ? null : reference,
		...(!nothing && { ofReference: { value: share, low: share * 0.97, high: share * 1.03, rounds: 4 } }),
		warnings: nothing
			? [{ code: 'crashed', message: `Server ${server} exited with code 1 in round 2.`, side: 'head' }]
			: [],
	};
}

function verdictOf(theta: number, se: number): Verdict {
	if (theta + 2 * se < Math.log1p(-THRESHOLD / 2)) return 'regressed';
	if (theta - 2 * se > -Math.log1p(-THRESHOLD / 2)) return 'improved';
	return theta - 2 * se > Math.log1p(-THRESHOLD) ? 'unchanged' : 'inconclusive';
}

function soloFigures(server: string, scenario: string, factor: number, random: Random): SoloFigures {
	const share = [0.42, 0.81, 0.88, 0.63, 1][SERVERS.indexOf(server)] ?? 0.5;
	const weight = 1 - 0.07 * Math.max(0, SCENARIOS.indexOf(scenario));
	const throughput = 41_000 * share * weight * factor * Math.exp(0.05 * random.normal());
	return {
		throughput,
		cpuPerRequest: 0.98e6 / throughput,
		latencyP50: 9_600 / throughput,
		memoryPeak: 70e6 + 4e6 * random.next(),
		windows: 1,
	};
}

function cellNames({ cells = 4 }: HistorySketch): readonly string[] {
	if (typeof cells !== 'number') return cells;
	return Array.from({ length: cells }, (_, index) => {
		const lap = Math.floor(index / (SERVERS.length * SCENARIOS.length));
		const scenario = SCENARIOS[Math.floor(index / SERVERS.length) % SCENARIOS.length];
		return `${SERVERS[index % SERVERS.length]}/${scenario}${lap === 0 ? '' : `-${lap + 1}`}`;
	});
}

function syntheticCommit(seed: number, index: number): BaselineCommit {
	const sha = hashOf('commit', seed, index);
	return {
		sha,
		label: `main@${sha.slice(0, 7)}`,
		parent: index === 0 ? hashOf('commit', seed, -1) : hashOf('commit', seed, index - 1),
		position: 1000 + index,
		committedAt: new Date(START + index * 7 * HOUR).toISOString(),
		title: `${TITLES[index % TITLES.length]} (#${100 + index})`,
		author: index % 3 === 0 ? 'Ada' : 'Grace',
	};
}

function anchorOf(seed: number, era: number, first: number): Anchor {
	return { sha: hashOf('commit', seed, first - 1), label: `v1.${era}.0`, kind: 'release' };
}

function environmentOf(machine: number): Environment {
	return {
		os: 'Linux',
		kernel: '6.8.0-1021-azure',
		cpuModel: CPUS[machine] ?? `CPU ${machine}`,
		cpus: 4,
		memoryBytes: 16 * 2 ** 30,
		node: 'v24.21.0',
		loadAverage: 0.3,
		pinning: 'servers on CPU 2, generator on CPU 3',
	};
}

function hashOf(...words: readonly (string | number)[]): string {
	return createHash('sha1').update(words.join(' ')).digest('hex');
}
