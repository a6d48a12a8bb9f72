/** Files of github-action-benchmark: https://github.com/benchmark-action/github-action-benchmark */
import type { BaselineCommit, BaselineRecord } from '../../types/baseline.ts';
import { type ForeignFigure, type Imported, importRun } from './imported-record.ts';

const PREFIX = 'window.BENCHMARK_DATA = ';
/** The file of `external-data-json-path` has no assignment. */
const ASSIGNMENT = /^window\.BENCHMARK_DATA\s*=/;
const BENCHMARK_ACTION = 'github-action-benchmark';

interface Bench {
	readonly name: string;
	readonly value: number;
	readonly unit: string;
	readonly range?: string;
	readonly extra?: string;
}

/** Returns the records of a `data.js`, or of the same data as JSON; null for any other text. */
export function importDataJs(text: string): Imported | null {
	const data = parse(text.trim().replace(ASSIGNMENT, '').replace(/;$/, ''));
	const entries = objectOf(objectOf(data)?.entries);
	if (entries === null) return null;
	const suites = Object.entries(entries).filter(([, list]) => Array.isArray(list));
	const runs = suites.flatMap(([suite, list]) => (list as unknown[]).map((run) => ({ suite, run })));
	const imported = runs.map(({ suite, run }) => {
		const { commit, date, benches } = objectOf(run) ?? {};
		const figures = figuresOf(benches);
		if (figures === null) return { records: [], leftOut: [{ name: 'a run', why: 'it has no list of figures' }] };
		const measuredAt = momentOf(date);
		return importRun({
			tool: BENCHMARK_ACTION,
			commit: commitOf(objectOf(commit) ?? {}, measuredAt),
			measuredAt,
			figures,
			...(suites.length > 1 && { suite }),
		});
	});
	return {
		records: imported.flatMap(({ records }) => records),
		leftOut: imported.flatMap(({ leftOut }) => leftOut),
	};
}

/**
 * Returns the record of a JSON list of figures for a commit; null for any other text. The action's `custom…` tools read
 * such lists.
 */
export function importFigures(text: string, commit: BaselineCommit, measuredAt: string): Imported | null {
	const figures = figuresOf(parse(text));
	return figures && importRun({ tool: BENCHMARK_ACTION, commit, measuredAt, figures });
}

/**
 * Returns records as a `data.js` with one suite: throughput in requests/s, with the change's standard error as range.
 */
export function exportDataJs(records: readonly BaselineRecord[]): string {
	const benchgate = records.flatMap((record) => {
		const benches = record.cells.flatMap((cell): Bench[] => {
			const { throughput = null } = cell.solo ?? {};
			if (throughput === null) return [];
			const range = cell.se === null ? {} : { range: `± ${(100 * cell.se).toFixed(2)}%` };
			const extra =
				cell.theta === null
					? {}
					: { extra: `${(100 * Math.expm1(cell.theta)).toFixed(2)} % since ${record.anchor.label}` };
			return [{ name: `${cell.server}/${cell.scenario}`, value: throughput, unit: 'req/s', ...range, ...extra }];
		});
		if (benches.length === 0) return [];
		const { sha, label, title, committedAt, author } = record.commit;
		const person = { name: author ?? 'unknown', username: author ?? 'unknown', email: '' };
		const commit = {
			author: person,
			committer: person,
			id: sha ?? label,
			message: title,
			timestamp: committedAt,
			url: '',
		};
		return [{ commit, date: Date.parse(record.createdAt), tool: 'customBiggerIsBetter', benches }];
	});
	const lastUpdate = Math.max(0, ...benchgate.map(({ date }) => date));
	return `${PREFIX}${JSON.stringify({ lastUpdate, repoUrl: '', entries: { benchgate } }, null, 2)}\n`;
}

function figuresOf(value: unknown): readonly ForeignFigure[] | null {
	if (!Array.isArray(value) || value.length === 0) return null;
	const figures = (value as unknown[]).map((each): ForeignFigure | null => {
		const { name, value: amount, unit } = objectOf(each) ?? {};
		return typeof name === 'string' && typeof unit === 'string' ? { name, unit, value: Number(amount) } : null;
	});
	return figures.every((each) => each !== null) ? figures : null;
}

function commitOf(commit: Readonly<Record<string, unknown>>, measuredAt: string): BaselineCommit {
	const { id, message, timestamp, author } = commit;
	const sha = typeof id === 'string' && /^[0-9a-f]{40}$/.test(id) ? id : null;
	const name = objectOf(author)?.name;
	return {
		sha,
		label: sha?.slice(0, 7) ?? (typeof id === 'string' && id !== '' ? id.slice(0, 40) : 'unknown'),
		parent: null,
		position: null,
		committedAt:
			typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp))
				? new Date(timestamp).toISOString()
				: measuredAt,
		title: typeof message === 'string' ? (message.split('\n')[0] ?? '').slice(0, 200) : '',
		author: typeof name === 'string' ? name.slice(0, 200) : null,
	};
}

function momentOf(date: unknown): string {
	const time = typeof date === 'number' && Math.abs(date) < 8.64e15 ? date : 0;
	return new Date(time).toISOString();
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: null;
}
